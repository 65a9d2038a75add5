//go:build js && wasm

package jsutil

import "syscall/js"

// A JSError is what a promise was rejected with, or what JavaScript threw.
type JSError struct{ Value js.Value }

func (e JSError) Error() string {
	if e.Value.Type() == js.TypeObject && e.Value.Get("message").Type() == js.TypeString {
		return e.Value.Get("name").String() + ": " + e.Value.Get("message").String()
	}
	return e.Value.String()
}

// Await calls done, on a later turn of the event loop, with what the promise resolves to or with a
// JSError. It does not block. Its callbacks release themselves.
func Await(promise js.Value, done func(js.Value, error)) {
	s := new(Scope)
	settle := func(err func(js.Value) error) js.Value {
		return s.Func(func(v js.Value) {
			defer s.Close()
			done(v, err(v))
		})
	}
	promise.Call("then",
		settle(func(js.Value) error { return nil }),
		settle(func(v js.Value) error { return JSError{v} }))
}

// Try calls f and returns what JavaScript threw in it, if anything, as an error.
func Try(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case js.Error:
			err = JSError{r.Value}
		default:
			panic(r)
		}
	}()
	f()
	return nil
}
