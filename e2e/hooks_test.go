package e2e

import (
	"encoding/json"
	"fmt"
	"time"
)

// An object is a Kubernetes object as JSON.
type object map[string]any

// at returns the value under a path of field names and list indexes, or nil.
func (o object) at(path ...any) any {
	var v any = map[string]any(o)
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[s]
		case int:
			l, _ := v.([]any)
			if s >= len(l) {
				return nil
			}
			v = l[s]
		}
	}
	return v
}

func (o object) text(path ...any) string {
	s, _ := o.at(path...).(string)
	return s
}

func (o object) number(path ...any) int {
	f, _ := o.at(path...).(float64)
	return int(f)
}

func (o object) items() []object {
	list, _ := o.at("items").([]any)
	out := make([]object, 0, len(list))
	for _, x := range list {
		m, _ := x.(map[string]any)
		out = append(out, m)
	}
	return out
}

// request asks the Kubernetes API through the page's hook.
func (p *tab) request(method, path string, body any) (int, object) {
	p.Helper()
	arg := ""
	if body != nil {
		arg = ", " + quote(body)
	}
	var answer struct {
		Status int
		Body   json.RawMessage
	}
	p.eval(fmt.Sprintf("terrarium.request(%s, %s%s)", quote(method), quote(path), arg), &answer)
	var o object
	if err := json.Unmarshal(answer.Body, &o); err != nil {
		p.Fatalf("%s %s: body %s: %v", method, path, shorten(string(answer.Body)), err)
	}
	return answer.Status, o
}

// get returns the object or list at path, which must be there.
func (p *tab) get(path string) object {
	p.Helper()
	status, o := p.request("GET", path, nil)
	if status != 200 {
		p.Fatalf("GET %s: %d %s", path, status, o.text("message"))
	}
	return o
}

// pods returns the pods of the default namespace whose labels match the selector, and that are not on
// their way out.
func (p *tab) pods(selector string) []object {
	p.Helper()
	path := "/api/v1/namespaces/default/pods"
	if selector != "" {
		path += "?labelSelector=" + selector
	}
	var live []object
	for _, pod := range p.get(path).items() {
		if pod.at("metadata", "deletionTimestamp") == nil {
			live = append(live, pod)
		}
	}
	return live
}

func running(pods []object) int {
	n := 0
	for _, pod := range pods {
		if pod.text("status", "phase") == "Running" {
			n++
		}
	}
	return n
}

// apply applies YAML through the hook and fails when the cluster finds a mistake in it.
func (p *tab) apply(yaml string) object {
	p.Helper()
	var answer object
	p.eval("terrarium.apply("+quote(yaml)+")", &answer)
	if errs, _ := answer.at("errors").([]any); len(errs) > 0 {
		p.Fatalf("apply: %s", quote(errs))
	}
	return answer
}

// advance lets virtual time pass, as fast as it goes.
func (p *tab) advance(d time.Duration) {
	p.Helper()
	p.eval("terrarium.advance("+quote(d.String())+")", nil)
}

// pause stops virtual time, so that what a test does happens at known times.
func (p *tab) pause() {
	p.Helper()
	p.eval("terrarium.pause()", nil)
}

// until advances virtual time a second at a time until ok holds, for at most limit.
func (p *tab) until(what string, limit time.Duration, ok func() bool) {
	p.Helper()
	for spent := time.Duration(0); spent <= limit; spent += time.Second {
		if ok() {
			return
		}
		p.advance(time.Second)
	}
	p.Fatalf("did not happen within %v of virtual time: %s", limit, what)
}

// both runs a test with a SharedWorker and without.
type mode struct {
	name     string
	fallback bool
}

var modes = []mode{{"shared", false}, {"worker", true}}
