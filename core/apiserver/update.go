package apiserver

import (
	"errors"
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/apiserver/admission"
	"terrarium/core/kinds"
	"terrarium/core/store"
	"terrarium/core/trace"
)

const conflictText = "the object has been modified; please apply your changes to the latest version and try again"

func (s *Server) update(req *Request) (*Response, error) {
	if err := matchNamespace(req, req.Object); err != nil {
		return nil, err
	}
	if req.Subresource == "scale" {
		return s.updateScale(req)
	}
	if req.Object.GetName() != req.Name {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", req.Object.GetName(), req.Name))
	}
	old, ok := s.store.Get(req.Kind.Key(req.Namespace, req.Name))
	if !ok {
		if req.Kind.Strategy.CreateOnUpdate && req.Subresource == "" && req.Object.GetUID() == "" {
			req.Object.SetResourceVersion("")
			return s.create(req)
		}
		return nil, s.notFound(req)
	}
	return s.write(req, "update", req.Object, old)
}

// write replaces old by obj: the common end of update, patch and the subresources that write the object.
//
// Models k8s.io/apiserver pkg/registry/generic/registry store.go Update and pkg/registry/rest update.go
// BeforeUpdate.
func (s *Server) write(req *Request, verb string, obj, old kinds.Object) (*Response, error) {
	if err := s.precondition(req, obj, old); err != nil {
		s.trace.Write(trace.Write{Verb: verb, Key: req.Kind.Key(req.Namespace, req.Name), Subresource: req.Subresource, Before: old, Err: err.Error()})
		return nil, err
	}
	keepServerMeta(obj, old)
	s.step("admit")
	attrs := &admission.Attributes{Verb: verb, Kind: req.Kind, Subresource: req.Subresource, Object: obj, Old: old, User: req.User}
	if err := s.admit.Mutate(attrs); err != nil {
		return nil, err
	}
	s.step("default")
	strategy := &req.Kind.Strategy
	if req.FromClient && strategy.Default != nil {
		strategy.Default(obj)
	}
	s.step("validate")
	errs := s.prepareUpdate(req, obj, old)
	if len(errs) > 0 {
		return nil, apierrors.NewInvalid(req.Kind.GVK.GroupKind(), old.GetName(), errs)
	}
	if err := s.admit.Validate(attrs); err != nil {
		return nil, err
	}
	resp := &Response{Object: obj}
	if strategy.Warnings != nil && req.FromClient && req.Subresource == "" {
		resp.Warnings = strategy.Warnings(obj, old)
	}
	if deletable(req.Kind, obj) {
		return s.finishDelete(req, resp, old)
	}
	return resp, s.commitChange(req, verb, resp, old)
}

// prepareUpdate applies the strategy of the path that is written and returns what is wrong with obj.
func (s *Server) prepareUpdate(req *Request, obj, old kinds.Object) field.ErrorList {
	strategy := &req.Kind.Strategy
	errs := validateMetaUpdate(obj, old)
	switch req.Subresource {
	case "":
	case "status":
		if strategy.PrepareForStatusUpdate != nil {
			strategy.PrepareForStatusUpdate(obj, old)
		}
		if strategy.ValidateStatusUpdate != nil {
			errs = append(errs, strategy.ValidateStatusUpdate(obj, old)...)
		}
		return errs
	default:
		if own, ok := s.subresources[req.Kind.Resource+"/"+req.Subresource]; ok && req.Kind.GVK.Group == "" {
			strategy = &own
		}
	}
	if strategy.PrepareForUpdate != nil {
		strategy.PrepareForUpdate(obj, old)
	}
	if strategy.SpecChanged != nil && strategy.SpecChanged(obj, old) {
		obj.SetGeneration(old.GetGeneration() + 1)
	}
	if strategy.ValidateUpdate != nil {
		errs = append(errs, strategy.ValidateUpdate(obj, old)...)
	}
	return errs
}

// precondition refuses a write to another state than the one its author read.
func (s *Server) precondition(req *Request, obj, old kinds.Object) error {
	gr := req.Kind.GVR().GroupResource()
	if uid := obj.GetUID(); uid != "" && uid != old.GetUID() {
		return apierrors.NewConflict(gr, old.GetName(), fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", uid, old.GetUID()))
	}
	rv := obj.GetResourceVersion()
	if rv == "" && req.Kind.Strategy.NoUnconditionalUpdate {
		return apierrors.NewInvalid(req.Kind.GVK.GroupKind(), old.GetName(), field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), "", "must be specified for an update"),
		})
	}
	if rv == "" || rv == old.GetResourceVersion() {
		return nil
	}
	if _, err := strconv.ParseInt(rv, 10, 64); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("invalid resource version %q: %v", rv, err))
	}
	return apierrors.NewConflict(gr, old.GetName(), errors.New(conflictText))
}

// keepServerMeta carries over what only the server sets.
func keepServerMeta(obj, old kinds.Object) {
	obj.SetUID(old.GetUID())
	obj.SetCreationTimestamp(old.GetCreationTimestamp())
	obj.SetDeletionTimestamp(old.GetDeletionTimestamp())
	obj.SetDeletionGracePeriodSeconds(old.GetDeletionGracePeriodSeconds())
	obj.SetGeneration(old.GetGeneration())
	obj.SetResourceVersion(old.GetResourceVersion())
	obj.SetSelfLink("")
	obj.SetManagedFields(nil)
	if obj.GetGenerateName() == "" {
		obj.SetGenerateName(old.GetGenerateName())
	}
}

// commitChange stores obj in place of old, unless a client's write changes nothing.
func (s *Server) commitChange(req *Request, verb string, resp *Response, old kinds.Object) error {
	s.step("store")
	obj := resp.Object
	if req.FromClient && equality.Semantic.DeepEqual(obj, old) {
		resp.Object, resp.Revision = old, kinds.RevisionOf(old)
		return nil
	}
	if req.DryRun {
		return nil
	}
	key := req.Kind.Key(old.GetNamespace(), old.GetName())
	rev, err := s.store.Update(key, obj, kinds.RevisionOf(old), s.span())
	switch {
	case errors.Is(err, store.ErrConflict):
		return apierrors.NewConflict(req.Kind.GVR().GroupResource(), key.Name, errors.New(conflictText))
	case errors.Is(err, store.ErrNotFound):
		return s.notFound(req)
	case err != nil:
		return apierrors.NewInternalError(err)
	}
	resp.Revision = rev
	s.trace.Write(trace.Write{Verb: verb, Key: key, Subresource: req.Subresource, Revision: rev, Before: old, After: obj})
	return nil
}
