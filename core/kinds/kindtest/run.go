package kindtest

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"terrarium/core/kinds"
	"terrarium/core/kinds/meta"
)

// Kind returns the kind of a resource, or of "resource/subresource" with the strategy of the subresource in
// place of its own; nil when there is none.
func Kind(resource string, list []*kinds.Kind, subresources map[string]kinds.Strategy) *kinds.Kind {
	name, sub, _ := strings.Cut(resource, "/")
	i := slices.IndexFunc(list, func(k *kinds.Kind) bool { return k.Resource == name })
	if i < 0 {
		return nil
	}
	kind := *list[i]
	if sub != "" {
		kind.Strategy = subresources[resource]
	}
	return &kind
}

// Run makes the write of a case and returns the object as it would be stored, and the errors and warnings in
// the form of Case.Want.
func Run(kind *kinds.Kind, f *File, c Case) (kinds.Object, []string, error) {
	object, old, err := f.Objects(c)
	if err != nil {
		return nil, nil, err
	}
	obj, err := Decode(kind, object)
	if err != nil {
		return nil, nil, fmt.Errorf("%s:%d: %s: %w", f.Path, c.Line, c.Name, err)
	}
	s := &kind.Strategy
	if c.Op == Create {
		call(s.Default, obj)
		call(s.PrepareForCreate, obj)
		errs := meta.ValidateObjectMeta(metaOf(obj), kind.Namespaced, s.ValidateName)
		if s.Validate != nil {
			errs = append(errs, s.Validate(obj)...)
		}
		return obj, answer(errs, s, obj, nil), nil
	}
	was, err := Decode(kind, old)
	if err != nil {
		return nil, nil, fmt.Errorf("%s:%d: %s: %w", f.Path, c.Line, c.Name, err)
	}
	call(s.Default, was)
	call(s.Default, obj)
	prepare, validate := s.PrepareForUpdate, s.ValidateUpdate
	if c.Op == Status {
		prepare, validate = s.PrepareForStatusUpdate, s.ValidateStatusUpdate
	}
	if prepare != nil {
		prepare(obj, was)
	}
	errs := meta.ValidateObjectMetaUpdate(metaOf(obj), metaOf(was))
	if validate != nil {
		errs = append(errs, validate(obj, was)...)
	}
	if c.Op == Status {
		s = &kinds.Strategy{}
	}
	return obj, answer(errs, s, obj, was), nil
}

func call(f func(kinds.Object), obj kinds.Object) {
	if f != nil {
		f(obj)
	}
}

// Decode reads an object and gives it what the server gives every object.
func Decode(kind *kinds.Kind, data []byte) (kinds.Object, error) {
	obj := kind.New()
	if err := yaml.UnmarshalStrict(data, obj); err != nil {
		return nil, err
	}
	if kind.Namespaced && obj.GetNamespace() == "" {
		obj.SetNamespace("default")
	}
	if obj.GetResourceVersion() == "" {
		obj.SetResourceVersion("1")
	}
	if obj.GetUID() == "" {
		obj.SetUID(types.UID("00000000-0000-0000-0000-000000000001"))
	}
	return obj, nil
}

func metaOf(obj kinds.Object) *metav1.ObjectMeta {
	return obj.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}

func answer(errs field.ErrorList, s *kinds.Strategy, obj, old kinds.Object) []string {
	lines := Errors(errs)
	if s.Warnings != nil && len(errs) == 0 {
		for _, w := range s.Warnings(obj, old) {
			lines = append(lines, "! "+w)
		}
	}
	return lines
}

// Errors returns the messages of a list, each once, as ErrorList.ToAggregate has them.
func Errors(errs field.ErrorList) (lines []string) {
	seen := map[string]bool{}
	for _, e := range errs {
		if text := e.Error(); !seen[text] {
			seen[text] = true
			lines = append(lines, text)
		}
	}
	return lines
}
