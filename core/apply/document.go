package apply

import (
	"bytes"
	"encoding/json"
	"errors"

	"terrarium/core/kinds"
	"terrarium/core/kinds/codec"
)

// A document is one object of the text.
type document struct {
	codec.Document
	number int // from 1
	kind   *kinds.Kind
	key    kinds.Key
	plain  map[string]any // as written, with its namespace
}

// parse decodes every document. When there is a problem, no document is to be applied.
func (a *Applier) parse(text string) ([]document, []Problem) {
	parts, err := codec.Documents([]byte(text))
	if err != nil {
		return nil, []Problem{problemOf(err, 1, 0)}
	}
	var docs []document
	var problems []Problem
	for i, part := range parts {
		items, err := part.Items()
		if err != nil {
			problems = append(problems, problemOf(err, part.Line, i+1))
			continue
		}
		for _, item := range items {
			d, found := a.decode(item, i+1)
			docs = append(docs, d)
			problems = append(problems, found...)
		}
	}
	return docs, problems
}

// decode checks a document against its Go type.
func (a *Applier) decode(part codec.Document, number int) (document, []Problem) {
	d := document{Document: part, number: number}
	obj, gvk, found, err := a.cfg.Codec.DecodeDocument(part, nil, true)
	var problems []Problem
	for _, f := range found {
		problems = append(problems, Problem{max(f.Line, part.Line), max(f.Column, 1), number, f.Path, f.Message})
	}
	if err != nil && len(problems) == 0 {
		problems = append(problems, problemOf(err, part.Line, number))
	}
	if len(problems) > 0 {
		return d, problems
	}
	d.kind = a.cfg.Kinds.ByGVK(gvk)
	namespace := obj.GetNamespace()
	if namespace == "" {
		namespace = "default"
	}
	d.key = d.kind.Key(namespace, obj.GetName())
	data, err := part.AsJSON()
	if err == nil {
		d.plain, err = object(data)
	}
	switch {
	case err != nil:
		return d, []Problem{problemOf(err, part.Line, number)}
	case obj.GetName() == "" && obj.GetGenerateName() != "":
		return d, []Problem{d.problem("metadata.generateName", "cannot use generate name with apply")}
	case obj.GetName() == "":
		return d, []Problem{d.problem("metadata.name", "resource name may not be empty")}
	}
	if d.kind.Namespaced {
		meta(d.plain)["namespace"] = namespace
	}
	return d, nil
}

// problem is something wrong with a field.
func (d *document) problem(field, message string) Problem {
	line, column := d.Locate(field)
	return Problem{line, column, d.number, field, message}
}

// problemOf is an error of the codec.
func problemOf(err error, line, number int) Problem {
	var e *codec.Error
	if errors.As(err, &e) {
		return Problem{max(e.Line, 1), max(e.Column, 1), number, e.Path, e.Message}
	}
	return Problem{Line: line, Column: 1, Doc: number, Message: err.Error()}
}

// object reads a JSON object. Numbers keep their text.
func object(data []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var m map[string]any
	return m, d.Decode(&m)
}

// encode writes JSON of what object read.
func encode(m map[string]any) []byte {
	data, err := json.Marshal(m)
	if err != nil {
		panic("BUG: apply: JSON that cannot be encoded: " + err.Error())
	}
	return data
}

// meta returns the metadata of an object, which is made if it is not there.
func meta(obj map[string]any) map[string]any {
	m, _ := obj["metadata"].(map[string]any)
	if m == nil {
		m = make(map[string]any)
		obj["metadata"] = m
	}
	return m
}
