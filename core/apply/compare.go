package apply

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/apiserver"
	"terrarium/core/apiserver/patch"
	"terrarium/core/kinds"
	"terrarium/core/kinds/codec"
	"terrarium/core/kinds/diff"
)

// A Conflict says that a live object changed since it was opened, and how both changes go together.
type Conflict struct {
	Line      int      `json:"line"`
	Kind      string   `json:"kind"`
	Namespace string   `json:"namespace"`
	Name      string   `json:"name"`
	Message   string   `json:"message"` // the server's
	Changed   []Change `json:"changed,omitempty"`
	// Both are the paths that both sides changed, to different values. Merged keeps the editor's.
	Both   []string `json:"both,omitempty"`
	Live   string   `json:"live"`
	Merged string   `json:"merged"`
	Base   Base     `json:"base"` // the live object, for the next try
}

// A Change is a field that somebody else changed.
type Change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// A conflicting edit: the object as it was opened and as it is, the patch of the editor, and what changed in
// between.
type conflicting struct {
	base, live map[string]any
	edit       []byte
	now        Base
	theirs     []diff.Change
}

// compare tells what happened to the object since it was opened.
func (c *call) compare(e conflicting, resp *apiserver.RESTResponse) *Conflict {
	var status metav1.Status
	if err := json.Unmarshal(resp.Body, &status); err != nil {
		status.Message = "the object has been modified"
	}
	out := &Conflict{
		Line: c.doc.Line, Kind: c.doc.kind.GVK.Kind, Namespace: c.doc.key.Namespace, Name: c.doc.key.Name, Message: status.Message,
		Base: e.now, Live: e.now.Text,
	}
	ours := diff.Values(any(e.base), any(c.doc.plain))
	for _, t := range e.theirs {
		out.Changed = append(out.Changed, Change(t))
		if slices.ContainsFunc(ours, func(o diff.Change) bool { return o.Path == t.Path && o.New != t.New }) {
			out.Both = append(out.Both, t.Path)
		}
	}
	merged, err := patch.Strategic(encode(e.live), e.edit, c.doc.kind)
	if err == nil {
		out.Merged, err = yaml(merged)
	}
	if err != nil {
		c.fail(err)
		return nil
	}
	return out
}

// changedBetween are the fields that somebody changed, without those that controllers keep for themselves.
func changedBetween(base, live map[string]any) []diff.Change {
	return slices.DeleteFunc(diff.Values(any(base), any(live)), func(c diff.Change) bool {
		return c.Path == "metadata.annotations["+revisionAnnotation+"]"
	})
}

// revisionAnnotation is what the deployment controller counts rollouts in.
const revisionAnnotation = "deployment.kubernetes.io/revision"

// baseOf makes the live object, which it strips, the base of an edit.
func (c *call) baseOf(live map[string]any) Base {
	rv, _ := meta(live)["resourceVersion"].(string)
	strip(live)
	return newBase(c.doc.kind, c.doc.key, rv, text(live))
}

func newBase(k *kinds.Kind, key kinds.Key, rv, text string) Base {
	return Base{
		APIVersion: k.GVK.GroupVersion().String(), Kind: k.GVK.Kind, Resource: key.Resource,
		Namespace: key.Namespace, Name: key.Name, ResourceVersion: rv, Text: text,
	}
}

// strip takes away what nobody edits: what the server writes.
func strip(obj map[string]any) {
	delete(obj, "status")
	m := meta(obj)
	for _, field := range []string{"managedFields", "resourceVersion", "uid", "generation", "creationTimestamp", "selfLink"} {
		delete(m, field)
	}
	if annotations, ok := m["annotations"].(map[string]any); ok {
		delete(annotations, corev1.LastAppliedConfigAnnotation)
		if len(annotations) == 0 {
			delete(m, "annotations")
		}
	}
}

func text(obj map[string]any) string {
	data, err := codec.ToYAML(obj)
	if err != nil {
		panic("BUG: apply: JSON that is no YAML: " + err.Error())
	}
	return string(data)
}

func yaml(data []byte) (string, error) {
	obj, err := object(data)
	if err != nil {
		return "", err
	}
	return text(obj), nil
}

// Live returns the object as it is opened for editing; ok is false when there is none, and the message says
// why.
func (a *Applier) Live(resource, namespace, name string) (base Base, message string, ok bool) {
	k := a.cfg.Kinds.ByStorageResource(resource)
	if k == nil {
		return Base{}, "the server doesn't have a resource type \"" + resource + "\"", false
	}
	c := &call{Applier: a, doc: &document{kind: k, key: k.Key(namespace, name)}}
	resp := c.get()
	live, err := object(resp.Body)
	if resp.Code != codeOK || err != nil {
		message, _ = live["message"].(string)
		return Base{}, message, false
	}
	return c.baseOf(live), "", true
}

// A Difference is what applying one document would change.
type Difference struct {
	Line      int    `json:"line"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Verb      string `json:"verb"`
	Live      string `json:"live"` // YAML; empty when it does not exist
	Next      string `json:"next"` // as the server would store it
}

// Differences answers Diff.
type Differences struct {
	Documents []Difference `json:"documents,omitempty"`
	Errors    []Problem    `json:"errors,omitempty"`
}

// Diff tells what applying the text would change, without doing it. A change in between of an object that
// was opened does not matter here: the difference is to what is live.
func (a *Applier) Diff(req Request) Differences {
	docs, problems := a.parse(req.Text)
	out := Differences{Errors: problems}
	if len(problems) > 0 {
		return out
	}
	made := make(coming)
	for i := range docs {
		d := &docs[i]
		c := &call{Applier: a, doc: d, base: req.baseOf(d), force: true, dryRun: true}
		c.apply()
		if made.excuses(c) {
			c.problems, c.verb, c.after = nil, Created, encode(d.plain)
		}
		made[d.key] = true
		out.Errors = append(out.Errors, c.problems...)
		if c.verb != "" {
			out.Documents = append(out.Documents, c.difference())
		}
	}
	return out
}

func (c *call) difference() Difference {
	verb := c.verb
	if verb == Edited {
		verb = Configured
	}
	return Difference{
		Line: c.doc.Line, Kind: c.doc.kind.GVK.Kind, Namespace: c.doc.key.Namespace, Name: c.doc.key.Name,
		Verb: verb, Live: stripped(c.live), Next: stripped(c.after),
	}
}

// stripped is JSON as YAML, without what nobody edits.
func stripped(data []byte) string {
	if data == nil {
		return ""
	}
	obj, err := object(data)
	if err != nil {
		return ""
	}
	strip(obj)
	return text(obj)
}
