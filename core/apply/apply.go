// Package apply is what stands behind the editor's Apply: a text of several documents becomes requests to the
// API server, as `kubectl apply` (client-side) and, for an object that was opened to be edited, `kubectl edit`
// make them.
//
// It promises: a text that does not decode, or of which the server refuses a document, changes nothing; each
// problem names its line and field; a change that somebody else made to an object since it was opened is
// never overwritten without being shown.
//
// It does not promise that several documents are one transaction: what no dry run can foresee (a document
// that only another one makes impossible) leaves the earlier documents applied, and the answer says so.
package apply

import (
	"terrarium/core/apiserver"
	"terrarium/core/kinds"
	"terrarium/core/kinds/codec"
)

// A Do sends one request to the API server.
type Do func(*apiserver.RESTRequest) *apiserver.RESTResponse

// Config says how the API server is reached.
type Config struct {
	Kinds *kinds.Registry
	Codec *codec.Codec
	User  string
	// Write serves what changes something, so that the timeline shows it as the person's request.
	Write Do
	// Read serves reads and dry runs, which leave no trace.
	Read Do
}

// An Applier applies texts.
type Applier struct{ cfg Config }

// New returns an applier.
func New(cfg Config) *Applier { return &Applier{cfg} }

// A Request is a text to apply.
type Request struct {
	Text   string `json:"text"`
	DryRun bool   `json:"dryRun"`
	// Base is the live object that the text was opened from, if it was. The document of that object is
	// applied as an edit of it.
	Base *Base `json:"base,omitempty"`
	// Force applies an edit although the object changed since.
	Force bool `json:"force"`
}

// A Base is a live object as it was when it was opened.
type Base struct {
	APIVersion      string `json:"apiVersion"`
	Kind            string `json:"kind"`
	Resource        string `json:"resource"` // as in kinds.Key
	Namespace       string `json:"namespace"`
	Name            string `json:"name"`
	ResourceVersion string `json:"resourceVersion"`
	Text            string `json:"text"`
}

// An Answer says what became of a text.
type Answer struct {
	Results   []Result   `json:"results,omitempty"`
	Errors    []Problem  `json:"errors,omitempty"`
	Conflicts []Conflict `json:"conflicts,omitempty"`
	// Revision is the newest that was written: the answer may go out when that is durable.
	Revision kinds.Revision `json:"-"`
}

// What became of a document.
const (
	Created    = "created"
	Configured = "configured"
	Unchanged  = "unchanged"
	Edited     = "edited"
)

// A Result is what became of one document.
type Result struct {
	Line            int      `json:"line"`
	Kind            string   `json:"kind"`
	Resource        string   `json:"resource"`
	Namespace       string   `json:"namespace"`
	Name            string   `json:"name"`
	Verb            string   `json:"verb"`
	Warnings        []string `json:"warnings,omitempty"`
	ResourceVersion string   `json:"resourceVersion,omitempty"`
}

// A Problem is something wrong at one place of the text. Line and Column count from 1.
type Problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Doc     int    `json:"doc"` // from 1; 0: the text as a whole
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Apply applies the text.
func (a *Applier) Apply(req Request) Answer {
	docs, problems := a.parse(req.Text)
	if len(problems) > 0 {
		return Answer{Errors: problems}
	}
	if req.DryRun || len(docs) > 1 {
		answer := a.run(docs, req, true)
		if req.DryRun || len(answer.Errors)+len(answer.Conflicts) > 0 {
			answer.Revision = 0
			return answer
		}
	}
	return a.run(docs, req, false)
}

// run sends the documents one after the other.
func (a *Applier) run(docs []document, req Request, dryRun bool) Answer {
	var answer Answer
	made := make(coming)
	for i := range docs {
		d := &docs[i]
		c := &call{Applier: a, doc: d, base: req.baseOf(d), force: req.Force, dryRun: dryRun}
		c.apply()
		if dryRun && made.excuses(c) {
			c.problems, c.verb = nil, Created
		}
		made[d.key] = true
		answer.Errors = append(answer.Errors, c.problems...)
		if c.conflict != nil {
			answer.Conflicts = append(answer.Conflicts, *c.conflict)
		}
		if c.verb != "" {
			answer.Results = append(answer.Results, c.result())
		}
		answer.Revision = max(answer.Revision, c.revision)
	}
	return answer
}

// baseOf returns the base if d is the document of the object that was opened.
func (r *Request) baseOf(d *document) *Base {
	b := r.Base
	if b != nil && b.Resource == d.key.Resource && b.Namespace == d.key.Namespace && b.Name == d.key.Name {
		return b
	}
	return nil
}
