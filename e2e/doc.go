// Package e2e tests Terrarium as a person meets it: the built page, served by the real program, in a real
// Chromium. It holds tests only.
//
//	make e2e                                             builds the page, then runs all of it
//	go test ./e2e -browser -run TestFirstInput           one test
//	go test ./e2e -browser -run 'TestFirstInput/worker'  without SharedWorker, as on browsers that have none
//	go test -v ./e2e -browser -headed -run TestX         watching
//
// Without -browser the tests are skipped; with it a missing Chromium is a failure. The page is built from the
// sources when they changed, so a stale program cannot pass. Any console error, uncaught exception or
// failed load fails the test that it happens in; a failed test leaves a screenshot in e2e/failures.
package e2e
