// Package table holds what the groups' printed columns are made of.
//
// Columns and cells are those of kubectl get, the wide ones included: the server always sends all.
//
// Differs: columns have no descriptions. Upstream takes them from the documentation of the API's fields,
// which would have to be linked; only the raw Table shows them.
package table

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"terrarium/core/kinds"
)

// Of returns a table of the columns, whose cells come from the func. A column's name begins with + when only
// -o wide shows it, and with # or ? when its values are integers or booleans.
func Of[T kinds.Object](cells func(obj T, now Time) []any, columns ...string) *kinds.Table {
	t := &kinds.Table{Columns: make([]kinds.Column, len(columns))}
	for i, name := range columns {
		c := &t.Columns[i]
		c.Type = "string"
		if rest, ok := strings.CutPrefix(name, "+"); ok {
			name, c.Priority = rest, 1
		}
		if rest, ok := strings.CutPrefix(name, "#"); ok {
			name, c.Type = rest, "integer"
		}
		if rest, ok := strings.CutPrefix(name, "?"); ok {
			name, c.Type = rest, "boolean"
		}
		c.Name = name
		if name == "Name" {
			c.Format = "name"
		}
	}
	t.Cells = func(obj kinds.Object, now int64) []any {
		if o, ok := obj.(T); ok {
			return cells(o, Time(now))
		}
		return nil
	}
	return t
}

// NameAndAge is the table of kinds that have nothing else to say.
func NameAndAge() *kinds.Table {
	return Of(func(obj kinds.Object, now Time) []any {
		return []any{obj.GetName(), now.Age(obj)}
	}, "Name", "Age")
}

// NameAndCreation is the table of the few kinds for which upstream has no printer.
func NameAndCreation() *kinds.Table {
	t := Of(func(obj kinds.Object, _ Time) []any {
		return []any{obj.GetName(), obj.GetCreationTimestamp().UTC().Format(time.RFC3339)}
	}, "Name", "Created At")
	t.Columns[1].Type = "date"
	return t
}

// A Time is the moment at which a table is printed, in seconds since 1970.
type Time int64

// Age returns how old the object is.
func (t Time) Age(obj kinds.Object) string { return t.Since(obj.GetCreationTimestamp()) }

// Since returns how long ago when was.
func (t Time) Since(when metav1.Time) string {
	if when.IsZero() {
		return "<unknown>"
	}
	return duration.HumanDuration(time.Unix(int64(t), 0).Sub(when.Time))
}

// SinceMicro is Since.
func (t Time) SinceMicro(when metav1.MicroTime) string { return t.Since(metav1.Time{Time: when.Time}) }

// Containers returns the names and the images of containers.
func Containers(containers []corev1.Container) (names, images string) {
	n, i := make([]string, len(containers)), make([]string, len(containers))
	for at := range containers {
		n[at], i[at] = containers[at].Name, containers[at].Image
	}
	return strings.Join(n, ","), strings.Join(i, ",")
}

// Or returns s, or other when s is empty.
func Or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// OrNone returns s, or <none> when it is empty.
func OrNone(s string) string { return Or(s, "<none>") }

// Deref returns what p points to as a string, or other when it points to nothing.
func Deref[S ~string](p *S, other string) string {
	if p == nil {
		return other
	}
	return string(*p)
}
