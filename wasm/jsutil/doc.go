// Package jsutil is the gate between Go and JavaScript, and the only place that calls js.FuncOf.
//
// A Go func that JavaScript may call is a resource: it lives until it is released. So every one of them
// belongs to a Scope, which drops them together, or is a one-off that releases itself when it has run
// (Await, Post). A callback must not block: the thread stands still until it returns. A panic in a
// callback ends at Recover's handler instead of ending the program.
package jsutil
