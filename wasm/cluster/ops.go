//go:build js && wasm

package main

import (
	"terrarium/core/apiserver"
	"terrarium/wasm/port"
)

// ops are all that a page may ask.
func (p *program) ops() port.Ops {
	ops := port.Ops{Call: make(map[string]port.Call), Stream: make(map[string]port.Stream)}
	ops.Call["request"] = p.request
	ops.Call["flush"] = p.flush
	ops.Call["stats"] = p.stats
	ops.Call["reset"] = p.reset
	ops.Stream["status"] = p.openStatus
	p.addTimeOps(ops)
	p.addNodeOps(ops)
	p.addApplyOps(ops)
	p.addTimelineOps(ops)
	p.addBoardOps(ops)
	for name, call := range ops.Call {
		ops.Call[name] = func(a port.Args, reply func(port.Result, error)) {
			p.catchUp()
			call(a, reply)
		}
	}
	return ops
}

// now makes a call of a func that answers at once. What it did shows in the next turn.
func (p *program) now(do func(a port.Args) (port.Result, error)) port.Call {
	return func(a port.Args, reply func(port.Result, error)) {
		reply(do(a))
		p.turns.Soon()
	}
}

// write makes a call of a func that changes the cluster: it is answered when what it did is kept.
func (p *program) write(do func(a port.Args) (port.Result, error)) port.Call {
	return func(a port.Args, reply func(port.Result, error)) {
		before := p.cluster.Store.Revision()
		result, err := do(a)
		if err != nil && p.cluster.Store.Revision() == before {
			reply(nil, err)
			return
		}
		p.keeper.whenDurable(p.cluster.Store.Revision(), func(notKept error) {
			if err == nil {
				err = notKept
			}
			reply(result, err)
		})
		p.turns.Soon()
	}
}

// request answers one request shaped like the Kubernetes REST API; a write when it is kept.
func (p *program) request(a port.Args, reply func(port.Result, error)) {
	resp := p.cluster.Serve(&apiserver.RESTRequest{
		Method: a.String("method"), Path: a.String("path"),
		ContentType: a.String("contentType"), Accept: a.String("accept"), Body: []byte(a.String("body")),
	})
	answer := port.Result{"status": resp.Code, "contentType": resp.ContentType, "body": string(resp.Body)}
	if len(resp.Warnings) > 0 {
		answer["warnings"] = texts(resp.Warnings)
	}
	p.keeper.whenDurable(resp.Revision, func(err error) { reply(answer, err) })
	p.turns.Soon()
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// flush answers when everything committed so far is kept, and how the clock goes.
func (p *program) flush(_ port.Args, reply func(port.Result, error)) {
	rev := p.cluster.Store.Revision()
	p.keeper.whenSaved(func(err error) { reply(port.Result{"revision": int64(rev)}, err) })
	p.turns.Soon()
}
