// Package port serves requests and streams to the clients of a cluster over MessagePorts.
//
// A client sends {id, op, ...}, with ids of its own choice. A call is answered once, with {id, ...result}
// or {id, error}. A stream is answered with {id, frame} again and again until the client sends
// {id, op: "cancel"}; after each frame the client sends {id, op: "ack"}, and only then the next one is
// made. A slow client therefore gets fewer, newer frames; it never fills a buffer.
//
// It promises: one bad message, or a panic in one handler, is answered with an error and harms nobody
// else; when a client goes away, its streams are closed.
package port
