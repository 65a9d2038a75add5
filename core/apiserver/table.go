package apiserver

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"

	"terrarium/core/kinds"
)

// table shows objects as rows of the kind's printed columns; columns says whether their definitions are
// wanted (a watch sends them once).
func (s *Server) table(c *restCall, objs []kinds.Object, meta metav1.ListMeta, columns bool) *metav1.Table {
	t := &metav1.Table{
		TypeMeta: metav1.TypeMeta{Kind: "Table", APIVersion: "meta.k8s.io/v1"},
		ListMeta: meta,
		Rows:     make([]metav1.TableRow, 0, len(objs)),
	}
	printed := c.Kind.Strategy.Columns
	if printed == nil {
		printed = nameAndAge(s)
	}
	if columns {
		for _, col := range printed.Columns {
			t.ColumnDefinitions = append(t.ColumnDefinitions, metav1.TableColumnDefinition{
				Name: col.Name, Type: col.Type, Format: col.Format, Description: col.Description, Priority: col.Priority,
			})
		}
	}
	now := s.loop.Now().Unix()
	for _, o := range objs {
		t.Rows = append(t.Rows, metav1.TableRow{Cells: printed.Cells(o, now), Object: runtime.RawExtension{Raw: s.rowObject(c, o)}})
	}
	return t
}

// rowObject is what a row carries of its object, as the client asked by includeObject.
func (s *Server) rowObject(c *restCall, o kinds.Object) []byte {
	var raw []byte
	var err error
	switch c.includeObject {
	case "None":
		return []byte("null")
	case "Object":
		raw, err = s.codec.JSON(o)
	default:
		raw, err = json.Marshal(metadataOf(o))
	}
	if err != nil {
		return []byte("null")
	}
	return raw
}

func nameAndAge(s *Server) *kinds.Table {
	return &kinds.Table{
		Columns: []kinds.Column{
			{Name: "Name", Type: "string", Format: "name", Description: "Name must be unique within a namespace."},
			{Name: "Age", Type: "string", Description: "CreationTimestamp is when this object was created."},
		},
		Cells: func(obj kinds.Object, now int64) []any {
			return []any{obj.GetName(), duration.HumanDuration(s.loop.Now().Sub(obj.GetCreationTimestamp().Time))}
		},
	}
}
