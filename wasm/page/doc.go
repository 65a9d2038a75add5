// Command page is the program on the main thread: it shows the cluster that lives in the worker and passes
// on what a person does to it.
//
// It holds no Kubernetes objects and knows none of their types: frames come in (core/projection/wire),
// change the state (web/state), and what changed is drawn (web/view) as HTML strings, once per animation
// frame and for at most a few milliseconds of it.
package main
