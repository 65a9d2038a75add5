// Package archtest holds the rules of the architecture as tests: who may import whom, what the control
// plane may not do (read a clock, start a goroutine, let chance or map order decide), what must not be
// linked into the programs that a page loads. Each failure says why the rule is there.
package archtest
