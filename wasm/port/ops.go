//go:build js && wasm

package port

import (
	"encoding/json"
	"syscall/js"
)

// A Result holds the fields of an answer: string, bool, int, int64, float64, []byte (a Uint8Array there),
// []any and map[string]any.
type Result map[string]any

// FromJSON returns the fields of a value that encodes as a JSON object.
func FromJSON(v any) (Result, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var r Result
	return r, json.Unmarshal(data, &r)
}

// A Call answers once through reply, at once or later, always on the thread that it is called on.
type Call func(a Args, reply func(Result, error))

// A Source makes the frames of a stream. It is pulled: after a wake, and when the client is ready for it.
type Source interface {
	// Next returns the next frame; ok is false when there is nothing new since the last.
	Next() (frame []byte, ok bool)
	Close()
}

// A Stream opens a source. The source calls wake when Next has something; it may do so often.
type Stream func(a Args, wake func()) (Source, error)

// Ops are what a port serves, by op.
type Ops struct {
	Call   map[string]Call
	Stream map[string]Stream
}

// Args are the fields of a client's message. Whatever a client sends is allowed; a field of another type
// counts as absent.
type Args struct{ v js.Value }

// Has reports whether the field is there.
func (a Args) Has(name string) bool { return !a.v.Get(name).IsUndefined() }

// String returns a text field, or "".
func (a Args) String(name string) string {
	if v := a.v.Get(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// Float returns a number field, or 0.
func (a Args) Float(name string) float64 {
	if v := a.v.Get(name); v.Type() == js.TypeNumber {
		return v.Float()
	}
	return 0
}

// Args returns the fields of an object field; an absent one has none.
func (a Args) Args(name string) Args {
	if v := a.v.Get(name); v.Type() == js.TypeObject {
		return Args{v}
	}
	return Args{js.Global().Get("Object").New()}
}

// Bool returns a boolean field, or false.
func (a Args) Bool(name string) bool {
	v := a.v.Get(name)
	return v.Type() == js.TypeBoolean && v.Bool()
}
