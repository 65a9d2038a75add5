package apiserver

import (
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/kinds"
	"terrarium/core/kinds/codec"
)

// bodyKind returns the kind that the body of a create or update must be of.
func (s *Server) bodyKind(c *restCall) *kinds.Kind {
	var gvk schema.GroupVersionKind
	switch c.Subresource {
	case "scale":
		gvk = autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	case "binding":
		gvk = corev1.SchemeGroupVersion.WithKind("Binding")
	case "eviction":
		gvk = policyv1.SchemeGroupVersion.WithKind("Eviction")
	default:
		return c.Kind
	}
	return s.kinds.ByGVK(gvk)
}

// decodeBody reads an object. Unknown and duplicate fields are an error, warnings or nothing, as
// validation ("Strict", "Warn", "Ignore"; empty is Warn) says.
func (s *Server) decodeBody(kind *kinds.Kind, body []byte, validation string) (kinds.Object, []string, error) {
	if codec.IsProtobuf(body) {
		obj, err := s.codec.DecodeProtobuf(body, kind)
		if err != nil {
			return nil, nil, badBody(kind, nil, err)
		}
		return obj, nil, nil
	}
	obj, _, found, err := s.codec.Decode(body, kind, validation != "Ignore")
	if err != nil {
		return nil, nil, badBody(kind, found, err)
	}
	if len(found) == 0 {
		return obj, nil, nil
	}
	if validation == "Strict" {
		return nil, nil, badBody(kind, found, codec.Strict(found))
	}
	warnings := make([]string, len(found))
	for i, f := range found {
		warnings[i] = f.Message
	}
	return obj, warnings, nil
}

// badBody is the answer to a body that cannot be decoded, with a cause for each field that is known.
func badBody(kind *kinds.Kind, found []codec.FieldError, err error) error {
	message := fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", kind.GVK.Kind, kind.GVK.Version, kind.GVK.Kind, err)
	bad := apierrors.NewBadRequest(message)
	if len(found) > 0 {
		bad.ErrStatus.Details = &metav1.StatusDetails{Group: kind.GVK.Group, Kind: kind.GVK.Kind}
	}
	for _, f := range found {
		bad.ErrStatus.Details.Causes = append(bad.ErrStatus.Details.Causes, metav1.StatusCause{
			Type: metav1.CauseTypeFieldValueInvalid, Field: f.Path, Message: fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Message),
		})
	}
	return bad
}
