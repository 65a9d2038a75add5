//go:build js && wasm

package main

import (
	"errors"

	"terrarium/core/apply"
	"terrarium/wasm/port"
)

// addApplyOps serves the editor.
func (p *program) addApplyOps(ops port.Ops) {
	c := p.cluster
	applier := apply.New(apply.Config{Kinds: c.Kinds, Codec: c.Codec, User: c.Client.User(), Write: c.Serve, Read: c.API.ServeREST})
	ops.Call["apply"] = func(a port.Args, reply func(port.Result, error)) {
		answer := applier.Apply(applyRequest(a))
		p.keeper.whenDurable(answer.Revision, func(notKept error) {
			if notKept != nil {
				reply(nil, notKept)
				return
			}
			reply(port.FromJSON(answer))
		})
		p.turns.Soon()
	}
	ops.Call["diff"] = p.now(func(a port.Args) (port.Result, error) { return port.FromJSON(applier.Diff(applyRequest(a))) })
	ops.Call["export"] = p.now(func(port.Args) (port.Result, error) {
		out, err := apply.Export(c.Client, c.Codec, c.Now())
		if err != nil {
			return nil, err
		}
		return port.FromJSON(out)
	})
	ops.Call["live"] = p.now(func(a port.Args) (port.Result, error) {
		base, message, ok := applier.Live(a.String("resource"), a.String("namespace"), a.String("name"))
		if !ok {
			return nil, errors.New(message)
		}
		return port.FromJSON(map[string]any{"base": base})
	})
}

func applyRequest(a port.Args) apply.Request {
	req := apply.Request{Text: a.String("text"), DryRun: a.Bool("dryRun"), Force: a.Bool("force")}
	if b := a.Args("base"); b.String("resource") != "" {
		req.Base = &apply.Base{
			APIVersion: b.String("apiVersion"), Kind: b.String("kind"), Resource: b.String("resource"),
			Namespace: b.String("namespace"), Name: b.String("name"), ResourceVersion: b.String("resourceVersion"), Text: b.String("text"),
		}
	}
	return req
}
