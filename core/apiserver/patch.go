package apiserver

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/apiserver/patch"
	"terrarium/core/kinds"
)

// patch changes an object as a patch says, and then goes the way of an update.
//
// Models k8s.io/apiserver pkg/endpoints/handlers patch.go.
func (s *Server) patch(req *Request) (*Response, error) {
	old, ok := s.store.Get(req.Kind.Key(req.Namespace, req.Name))
	if !ok {
		return nil, s.notFound(req)
	}
	if req.Subresource == "scale" {
		return s.patchScale(req, old)
	}
	obj, warnings, err := s.applyPatch(req, req.Kind, old)
	if err != nil {
		return nil, err
	}
	if obj.GetName() != req.Name || obj.GetNamespace() != old.GetNamespace() {
		return nil, apierrors.NewBadRequest("the name and the namespace of an object cannot be patched")
	}
	call := *req
	call.FromClient = true
	resp, err := s.write(&call, "patch", obj, old)
	if err != nil {
		return nil, err
	}
	resp.Warnings = append(warnings, resp.Warnings...)
	return resp, nil
}

func (s *Server) patchScale(req *Request, old kinds.Object) (*Response, error) {
	scale, err := scaleOf(req.Kind, old)
	if err != nil {
		return nil, err
	}
	obj, _, err := s.applyPatch(req, s.kinds.ByGVK(autoscalingv1.SchemeGroupVersion.WithKind("Scale")), scale)
	if err != nil {
		return nil, err
	}
	return s.writeScale(req, "patch", obj.(*autoscalingv1.Scale), old)
}

// applyPatch returns what the patch makes of old.
func (s *Server) applyPatch(req *Request, kind *kinds.Kind, old kinds.Object) (kinds.Object, []string, error) {
	before, err := s.codec.JSON(old)
	if err != nil {
		return nil, nil, apierrors.NewInternalError(err)
	}
	var after []byte
	switch req.Patch.Type {
	case types.JSONPatchType:
		after, err = patch.JSON(before, req.Patch.Data)
	case types.MergePatchType:
		after, err = patch.Merge(before, req.Patch.Data)
	case types.StrategicMergePatchType:
		after, err = patch.Strategic(before, req.Patch.Data, kind)
	default:
		err = unsupportedMedia(string(req.Patch.Type))
	}
	if err != nil {
		return nil, nil, err
	}
	return s.decodeBody(kind, after, req.Patch.FieldValidation)
}
