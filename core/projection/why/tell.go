package why

import (
	"slices"
	"strconv"
	"strings"

	"terrarium/core/kinds"
	"terrarium/core/trace"
)

// Who names the component of a span.
func Who(s *trace.Span) string {
	if s.Node != "" {
		return s.Component + " on " + s.Node
	}
	return s.Component
}

// Describe says what a span did, without its component: "created ReplicaSet web-5d9c".
func (t *Teller) Describe(s *trace.Span) string { return t.tell(s, nil) }

// tell is Describe for some of the span's writes only, if focus names any.
func (t *Teller) tell(s *trace.Span, focus []kinds.Revision) string {
	if s.Kind == trace.Schedule {
		if text := t.decision(s); text != "" {
			return text
		}
	}
	var said []phrase
	beat := false
	for i := range s.Writes {
		w := &s.Writes[i]
		switch {
		case len(focus) > 0 && !slices.Contains(focus, w.Revision), w.Revision == 0 && w.Err == "":
		case heartbeat(w):
			beat = true
		default:
			said = t.join(said, w)
		}
	}
	switch {
	case len(said) > 0:
		return list(said)
	case s.Err != "":
		return "failed on " + t.name(s.Key) + ": " + firstLine(s.Err)
	case beat:
		return "reported that " + t.name(s.Key) + " is still there"
	case s.Kind == trace.Request:
		return "read " + t.name(s.Key)
	}
	return "looked at " + t.name(s.Key) + " and had nothing to do"
}

// A phrase is what was done to one object, or to several of a kind.
type phrase struct {
	verb, kind string // of those that can be counted together; verb is empty for others
	text       string
	count      int
}

// join adds what a write did to what was said before.
func (t *Teller) join(said []phrase, w *trace.Write) []phrase {
	p := phrase{kind: t.Ref(w.Key).Kind, count: 1}
	switch {
	case w.Err != "":
		p.text = "could not " + w.Verb + " " + t.name(w.Key) + ": " + firstLine(w.Err)
	case w.Before == nil:
		p.verb = "created"
	case w.After == nil:
		p.verb = "deleted"
	case w.Before.GetDeletionTimestamp() == nil && w.After.GetDeletionTimestamp() != nil:
		p.verb = "began to delete"
	default:
		p.text = t.changed(w)
	}
	if p.verb != "" {
		p.text = p.verb + " " + t.name(w.Key)
	}
	for i := range said {
		if said[i].text == p.text {
			return said
		}
		if p.verb != "" && said[i].verb == p.verb && said[i].kind == p.kind {
			said[i].count++
			return said
		}
	}
	return append(said, p)
}

func list(said []phrase) string {
	const most = 4
	var b strings.Builder
	for i, p := range said {
		switch {
		case i == most:
			b.WriteString(" and more")
			return b.String()
		case i > 0 && i == len(said)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		if p.count > 1 {
			b.WriteString(p.verb + " " + strconv.Itoa(p.count) + " " + plural(p.kind))
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

func plural(kind string) string {
	switch {
	case strings.HasSuffix(kind, "ss"):
		return kind + "es"
	case strings.HasSuffix(kind, "s"):
		return kind
	case strings.HasSuffix(kind, "y"):
		return strings.TrimSuffix(kind, "y") + "ies"
	}
	return kind + "s"
}

// name is "Deployment web", with the namespace unless it is the default one.
func (t *Teller) name(key kinds.Key) string {
	if key == (kinds.Key{}) {
		return "the cluster"
	}
	kind := t.Ref(key).Kind
	if key.Namespace == "" || key.Namespace == "default" {
		return kind + " " + key.Name
	}
	return kind + " " + key.Namespace + "/" + key.Name
}

// because says what made a span run, with a comma before it; empty for a request.
func (t *Teller) because(s *trace.Span) string {
	if s.Kind == trace.Request {
		return ""
	}
	trigger, cause := t.cause(s)
	switch {
	case trigger != nil:
		verb := "changed"
		for i := range cause.Writes {
			w := &cause.Writes[i]
			if w.Revision != trigger.Revision {
				continue
			}
			switch {
			case w.Before == nil:
				verb = "created"
			case w.After == nil:
				verb = "deleted"
			}
		}
		if cause.Component == s.Component && cause.Key == s.Key {
			return ", because of its own change before"
		}
		return ", because " + t.name(trigger.Key) + " was " + verb + " by " + Who(cause)
	case len(s.Triggers) > 0 && s.Triggers[0].Note != "":
		return " (" + s.Triggers[0].Note + ")"
	case len(s.Triggers) > 0 && s.Triggers[0].Key != (kinds.Key{}):
		return ", because it found " + t.name(s.Triggers[0].Key)
	}
	return ""
}

// firstLine is the beginning of a message that may hold a stack.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
