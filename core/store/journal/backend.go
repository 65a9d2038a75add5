package journal

import "terrarium/core/kinds"

// A Backend keeps bytes. Writes take effect in the order they were asked for, each completely or not at
// all; done is called on the owner's thread, at once or later, with nil when the bytes are kept for good.
// The bytes given are the Backend's to read until then. After an Append that failed the next one may follow,
// as if the failed one had never been or had been kept whole; where that cannot be, Append fails until a
// Replace succeeds.
type Backend interface {
	// Load hands over what is kept: the last snapshot, if any, and what was appended since, in order.
	// A record may be cut short (the last one) and several may come in one slice.
	Load(done func(snapshot []byte, records [][]byte, err error))
	Append(record []byte, done func(error))
	// Replace keeps snapshot in place of everything before it, in one step.
	Replace(snapshot []byte, done func(error))
	Close()
}

// A Codec turns objects into what is kept and back. codec.Codec has it.
type Codec interface {
	Encode(obj kinds.Object) ([]byte, error)
	Decode(resource string, data []byte) (kinds.Object, error)
}
