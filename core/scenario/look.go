package scenario

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"rsc.io/script"

	"terrarium/core/apiserver"
	"terrarium/core/cluster"
	"terrarium/core/kinds"
)

// looks are the commands that read.
func (s *Session) looks() map[string]script.Cmd {
	return map[string]script.Cmd{
		"get":    s.command("kind[/name] [-n ns] [-A] [-l sel] [-o name|wide|yaml|json]", "print objects as kubectl does", s.get),
		"field":  s.command("kind[/name] [-l sel] path...", "print the values at paths, one line an object", s.field),
		"events": s.command("[kind[/name]]", "print the events about objects, in the order they began", s.events),
		"errors": s.command("", "print the spans that failed, but for races that somebody has to lose", s.errors),
		"spans":  s.command("component [kind/name]", "print how many spans a component has had", s.spans),
	}
}

func (s *Session) get(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	opts, rest, err := parse(args)
	if err != nil || len(rest) != 1 {
		return "", usage(err)
	}
	t, err := find(c, opts, rest[0])
	if err != nil {
		return "", err
	}
	objs, err := t.list(c)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	switch opts.output {
	case "name":
		for _, o := range objs {
			b.WriteString(strings.TrimSuffix(said(t.kind, o.GetName(), ""), " \n") + "\n")
		}
		return b.String(), nil
	case "json", "yaml":
		encode := c.Codec.JSON
		if opts.output == "yaml" {
			encode = c.Codec.YAML
		}
		for _, o := range objs {
			data, err := encode(o)
			if err != nil {
				return "", err
			}
			b.Write(data)
			b.WriteByte('\n')
		}
		return b.String(), nil
	}
	return s.table(c, t, opts.output == "wide")
}

// table prints what the API server gives to kubectl.
func (s *Session) table(c *cluster.Cluster, t target, wide bool) (string, error) {
	path := "/api/" + t.kind.GVK.Version
	if t.kind.GVK.Group != "" {
		path = "/apis/" + t.kind.GVK.Group + "/" + t.kind.GVK.Version
	}
	if t.namespace != "" {
		path += "/namespaces/" + t.namespace
	}
	path += "/" + t.kind.Resource
	if t.name != "" {
		path += "/" + t.name
	} else if t.selector != nil {
		path += "?labelSelector=" + t.selector.String()
	}
	resp := c.API.ServeREST(&apiserver.RESTRequest{User: cluster.Admin, Method: "GET", Path: path, Accept: "application/json;as=Table;v=v1;g=meta.k8s.io"})
	var table metav1.Table
	if err := json.Unmarshal(resp.Body, &table); err != nil {
		return "", err
	}
	return aligned(rows(&table, wide)), nil
}

func rows(table *metav1.Table, wide bool) [][]string {
	var shown []int
	header := []string{}
	for i, col := range table.ColumnDefinitions {
		if col.Priority == 0 || wide {
			shown = append(shown, i)
			header = append(header, strings.ToUpper(col.Name))
		}
	}
	out := [][]string{header}
	for _, r := range table.Rows {
		line := make([]string, len(shown))
		for j, i := range shown {
			line[j] = fmt.Sprint(r.Cells[i])
		}
		out = append(out, line)
	}
	return out
}

// aligned prints rows in columns, three spaces apart.
func aligned(rows [][]string) string {
	widths := map[int]int{}
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		for i, cell := range r {
			b.WriteString(cell)
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-len(cell)+3))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// fields returns the values at a path of each object meant.
func fields(c *cluster.Cluster, t target, path string) (out []string, err error) {
	objs, err := t.list(c)
	if err != nil {
		return nil, err
	}
	for _, o := range objs {
		values, err := fieldsOf(c, o, path)
		if err != nil {
			return nil, err
		}
		out = append(out, values...)
	}
	return out, nil
}

func fieldsOf(c *cluster.Cluster, o kinds.Object, path string) ([]string, error) {
	doc, err := c.Codec.JSON(o)
	if err != nil {
		return nil, err
	}
	return lookup(doc, path)
}

func (s *Session) field(_ *script.State, c *cluster.Cluster, args []string) (out string, err error) {
	opts, rest, err := parse(args)
	if err != nil || len(rest) < 2 {
		return "", usage(err)
	}
	t, err := find(c, opts, rest[0])
	if err != nil {
		return "", err
	}
	objs, err := t.list(c)
	for _, o := range objs {
		var line []string
		for _, path := range rest[1:] {
			values, err := fieldsOf(c, o, path)
			if err != nil {
				return out, err
			}
			line = append(line, strings.Join(values, ","))
		}
		out += strings.Join(line, " ") + "\n"
	}
	return out, err
}

func (s *Session) events(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	opts, rest, err := parse(args)
	if err != nil {
		return "", err
	}
	var about target
	if len(rest) > 0 {
		if about, err = find(c, opts, rest[0]); err != nil {
			return "", err
		}
	}
	list, _, err := c.Client.Events().List("", nil)
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(list, func(a, b *corev1.Event) int { return revisionOrder(a, b) })
	var b strings.Builder
	for _, ev := range list {
		o := ev.InvolvedObject
		if about.kind != nil && (o.Kind != about.kind.GVK.Kind || about.name != "" && o.Name != about.name) {
			continue
		}
		fmt.Fprintf(&b, "%s %s/%s %s: %s", ev.Type, strings.ToLower(o.Kind), o.Name, ev.Reason, ev.Message)
		if ev.Count > 1 {
			fmt.Fprintf(&b, " (x%d)", ev.Count)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// revisionOrder puts events that began earlier first; the names of later ones are greater.
func revisionOrder(a, b *corev1.Event) int {
	suffix := func(ev *corev1.Event) string { return ev.Name[strings.LastIndexByte(ev.Name, '.')+1:] }
	return strings.Compare(suffix(a), suffix(b))
}

// races are failures that happen in a sound cluster: a conflicting write, which is tried again, and the binding
// of a pod that was deleted in the same moment.
var races = regexp.MustCompile(`the object has been modified|^running Bind plugin "DefaultBinder": pods ".*" not found$`)

func (s *Session) errors(_ *script.State, c *cluster.Cluster, _ []string) (string, error) {
	var b strings.Builder
	for _, span := range c.Trace.Spans(0) {
		if span.Err != "" && !races.MatchString(span.Err) {
			fmt.Fprintf(&b, "%s %s: %s\n", span.Component, span.Key, span.Err)
		}
	}
	return b.String(), nil
}

func (s *Session) spans(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	opts, rest, err := parse(args)
	if err != nil || len(rest) == 0 {
		return "", usage(err)
	}
	var about target
	if len(rest) > 1 {
		if about, err = find(c, opts, rest[1]); err != nil {
			return "", err
		}
	}
	n := 0
	for _, span := range c.Trace.Spans(0) {
		if span.Component == rest[0] && (about.kind == nil || span.Key == about.key()) {
			n++
		}
	}
	return fmt.Sprintln(n), nil
}
