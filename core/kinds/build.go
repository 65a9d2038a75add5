package kinds

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type pointerTo[T any] interface {
	*T
	Object
}

type listPointerTo[L any] interface {
	*L
	runtime.Object
}

// Of completes k as the stored kind of the API type T, listed by L: its group, version, kind, singular name
// and constructors.
func Of[T, L any, PT pointerTo[T], PL listPointerTo[L]](gv schema.GroupVersion, k Kind) *Kind {
	kind := Virtual[T, PT](gv, k)
	kind.Verbs = k.Verbs
	kind.NewList = func() runtime.Object { return PL(new(L)) }
	return kind
}

// Virtual completes k as a kind that is answered but never stored, so it has no list. Where k names no
// verbs it can only be created. Where k names no resource it is nothing but the body of other kinds'
// subresources, such as Scale, and a registry finds it only by group, version and kind.
func Virtual[T any, PT pointerTo[T]](gv schema.GroupVersion, k Kind) *Kind {
	k.GVK = gv.WithKind(reflect.TypeFor[T]().Name())
	k.Singular = strings.ToLower(k.GVK.Kind)
	k.New = func() Object { return PT(new(T)) }
	if k.Verbs == nil {
		k.Verbs = []string{"create"}
	}
	return &k
}

// Assemble gives each kind of list its strategy and its printed columns, both by resource, and returns list.
func Assemble(strategies map[string]Strategy, columns map[string]*Table, list []*Kind) []*Kind {
	for _, k := range list {
		k.Strategy = strategies[k.Resource]
		if t := columns[k.Resource]; t != nil {
			k.Strategy.Columns = t
		}
		if k.HasStatus {
			guardStatus(&k.Strategy)
		}
	}
	return list
}
