//go:build js && wasm

package main

import "strconv"

// A scaling is how many replicas a person has asked an object for, until the cluster has answered: what is drawn
// meanwhile may be older.
type scaling struct {
	path     string // of the object in the API
	replicas int
	waiting  int // requests without an answer
}

func (p *page) scaleBy(by int) {
	input := p.el("scale-input").Underlying()
	n, err := strconv.Atoi(input.Get("value").String())
	if err != nil || n+by < 0 {
		return
	}
	input.Set("value", strconv.Itoa(n+by))
	p.scaleToInput()
}

func (p *page) scaleToInput() {
	o := p.inspector.state.Object
	value := p.el("scale-input").Underlying().Get("value").String()
	n, err := strconv.Atoi(value)
	if o == nil || err != nil || n < 0 {
		p.toasts.show("Replicas must be a number from 0 on, not \""+value+"\".", "error")
		return
	}
	s := p.inspector.scaling
	if s == nil || s.path != o.Path {
		s = &scaling{path: o.Path}
		p.inspector.scaling = s
	}
	s.replicas = n
	s.waiting++
	p.port.Request("PATCH", o.Path+"/scale", mergePatch, `{"spec":{"replicas":`+strconv.Itoa(n)+`}}`, func(_ string, err error) {
		s.waiting--
		p.toasts.err(err)
	})
}

// showScaling shows what is asked for instead of what is drawn.
func (i *inspector) showScaling() {
	s, o := i.scaling, i.state.Object
	if s == nil || s.waiting == 0 || o == nil || !o.Scalable || s.path != o.Path {
		return
	}
	i.page.el("scale-input").Underlying().Set("value", strconv.Itoa(s.replicas))
}
