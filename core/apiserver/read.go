package apiserver

import (
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"

	"terrarium/core/kinds"
	"terrarium/core/store"
	"terrarium/core/trace"
)

func (s *Server) get(req *Request) (*Response, error) {
	key := req.Kind.Key(req.Namespace, req.Name)
	obj, ok := s.store.Get(key)
	if req.Revision > 0 && ok {
		if rev := kinds.RevisionOf(obj); rev < req.Revision && s.store.Revision() < req.Revision {
			return nil, tooLarge(req.Revision, s.store.Revision())
		}
	}
	s.trace.Read(trace.Read{Verb: "get", Key: key, Count: count(ok)})
	if !ok {
		return nil, s.notFound(req)
	}
	switch req.Subresource {
	case "", "status", "ephemeralcontainers", "resize", "approval": // parts that are read as the whole
		return &Response{Object: obj, Revision: kinds.RevisionOf(obj)}, nil
	case "scale":
		scale, err := scaleOf(req.Kind, obj)
		if err != nil {
			return nil, err
		}
		return &Response{Object: scale, Revision: kinds.RevisionOf(obj)}, nil
	}
	return nil, apierrors.NewMethodNotSupported(req.Kind.GVR().GroupResource(), "get "+req.Subresource)
}

func (s *Server) list(req *Request) (*Response, error) {
	if err := checkFields(req); err != nil {
		return nil, err
	}
	resource := req.Kind.StorageResource()
	objs, rev, err := s.snapshot(req, resource)
	if err != nil {
		return nil, err
	}
	out := make([]kinds.Object, 0, len(objs))
	match := matcher(req)
	remaining := 0
	for _, o := range objs {
		if !match(o) {
			continue
		}
		if req.Limit > 0 && len(out) == req.Limit {
			remaining++
			continue
		}
		out = append(out, o)
	}
	s.trace.Read(trace.Read{Verb: "list", Key: kinds.Key{Resource: resource, Namespace: req.Namespace}, Count: len(out)})
	return &Response{List: out, Revision: rev, Remaining: remaining}, nil
}

// snapshot returns the objects that a list looks at: the newest, or those of the revision it asks for.
func (s *Server) snapshot(req *Request, resource string) ([]kinds.Object, kinds.Revision, error) {
	if req.Revision == 0 && req.Continue == (kinds.Key{}) {
		objs, rev := s.store.List(resource, req.Namespace)
		return objs, rev, nil
	}
	rev := req.Revision
	if rev == 0 {
		rev = s.store.Revision()
	}
	objs, _, err := s.store.ListAt(resource, req.Namespace, rev, req.Continue, 0)
	switch {
	case errors.Is(err, store.ErrTooOld):
		return nil, 0, apierrors.NewResourceExpired("The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.")
	case errors.Is(err, store.ErrFuture):
		return nil, 0, tooLarge(rev, s.store.Revision())
	case err != nil:
		return nil, 0, apierrors.NewInternalError(err)
	}
	return objs, rev, nil
}

func tooLarge(want, have kinds.Revision) error {
	return apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", want, have), 1)
}

// matcher returns the test that the request's selectors put to an object.
func matcher(req *Request) func(kinds.Object) bool {
	byLabel := req.Labels != nil && !req.Labels.Empty()
	byField := req.Fields != nil && !req.Fields.Empty()
	if !byLabel && !byField {
		return func(kinds.Object) bool { return true }
	}
	return func(o kinds.Object) bool {
		if byLabel && !req.Labels.Matches(labelSet(o.GetLabels())) {
			return false
		}
		return !byField || req.Fields.Matches(fieldSet{req.Kind, o})
	}
}

type labelSet map[string]string

func (l labelSet) Has(k string) bool              { _, ok := l[k]; return ok }
func (l labelSet) Get(k string) string            { return l[k] }
func (l labelSet) Lookup(k string) (string, bool) { v, ok := l[k]; return v, ok }

// fieldSet gives the values that field selectors may name, reading only what is asked for.
type fieldSet struct {
	kind *kinds.Kind
	obj  kinds.Object
}

func (f fieldSet) Has(name string) bool { return true }

func (f fieldSet) Get(name string) string {
	switch name {
	case "metadata.name":
		return f.obj.GetName()
	case "metadata.namespace":
		return f.obj.GetNamespace()
	}
	if f.kind.Strategy.Fields == nil {
		return ""
	}
	return f.kind.Strategy.Fields(f.obj)[name]
}

// checkFields refuses a selector that names a field the kind cannot be selected by.
func checkFields(req *Request) error {
	if req.Fields == nil {
		return nil
	}
	for _, r := range req.Fields.Requirements() {
		if r.Field == "metadata.name" || r.Field == "metadata.namespace" && req.Kind.Namespaced || slices.Contains(req.Kind.Strategy.FieldNames, r.Field) {
			continue
		}
		return apierrors.NewBadRequest(fmt.Sprintf("Unable to find %q that match label selector %q, field selector %q: field label not supported: %s",
			req.Kind.GVR(), labelText(req), req.Fields.String(), r.Field))
	}
	return nil
}

func labelText(req *Request) string {
	if req.Labels == nil {
		return ""
	}
	return req.Labels.String()
}

func count(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

func (s *Server) notFound(req *Request) error {
	return apierrors.NewNotFound(req.Kind.GVR().GroupResource(), req.Name)
}

var _ fields.Fields = fieldSet{}
