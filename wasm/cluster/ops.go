//go:build js && wasm

package main

import (
	"terrarium/core/apiserver"
	"terrarium/core/kinds"
	"terrarium/wasm/port"
)

// ops are all that a page may ask.
func (p *program) ops() port.Ops {
	ops := port.Ops{Call: make(map[string]port.Call), Stream: make(map[string]port.Stream)}
	ops.Call["request"] = p.request
	p.addTimeOps(ops)
	return ops
}

// request answers one request shaped like the Kubernetes REST API.
func (p *program) request(a port.Args, reply func(port.Result, error)) {
	resp := p.cluster.Serve(&apiserver.RESTRequest{
		Method: a.String("method"), Path: a.String("path"),
		ContentType: a.String("contentType"), Accept: a.String("accept"), Body: []byte(a.String("body")),
	})
	answer := port.Result{"status": resp.Code, "contentType": resp.ContentType, "body": string(resp.Body)}
	p.whenDurable(resp.Revision, func(err error) { reply(answer, err) })
}

// whenDurable calls done once everything up to rev is kept. An error says why it is not.
func (p *program) whenDurable(rev kinds.Revision, done func(error)) {
	done(nil)
	p.turns.Soon()
}
