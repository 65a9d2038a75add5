package apiserver

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
)

// scaleOf returns what the scale subresource shows of obj.
//
// Models pkg/registry/apps/deployment/storage storage.go scaleFromDeployment and its siblings.
func scaleOf(kind *kinds.Kind, obj kinds.Object) (*autoscalingv1.Scale, error) {
	scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{
		Name: obj.GetName(), Namespace: obj.GetNamespace(), UID: obj.GetUID(),
		ResourceVersion: obj.GetResourceVersion(), CreationTimestamp: obj.GetCreationTimestamp(),
	}}
	var selector *metav1.LabelSelector
	switch o := obj.(type) {
	case *appsv1.Deployment:
		scale.Spec.Replicas, scale.Status.Replicas, selector = value(o.Spec.Replicas), o.Status.Replicas, o.Spec.Selector
	case *appsv1.ReplicaSet:
		scale.Spec.Replicas, scale.Status.Replicas, selector = value(o.Spec.Replicas), o.Status.Replicas, o.Spec.Selector
	case *appsv1.StatefulSet:
		scale.Spec.Replicas, scale.Status.Replicas, selector = value(o.Spec.Replicas), o.Status.Replicas, o.Spec.Selector
	case *corev1.ReplicationController:
		scale.Spec.Replicas, scale.Status.Replicas = value(o.Spec.Replicas), o.Status.Replicas
		scale.Status.Selector = labels.SelectorFromSet(o.Spec.Selector).String()
		return scale, nil
	default:
		return nil, apierrors.NewMethodNotSupported(kind.GVR().GroupResource(), "scale")
	}
	sel, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	scale.Status.Selector = sel.String()
	return scale, nil
}

// withReplicas returns a copy of obj that asks for n replicas.
func withReplicas(obj kinds.Object, n int32) kinds.Object {
	switch o := obj.(type) {
	case *appsv1.Deployment:
		next := *o
		next.Spec.Replicas = &n
		return &next
	case *appsv1.ReplicaSet:
		next := *o
		next.Spec.Replicas = &n
		return &next
	case *appsv1.StatefulSet:
		next := *o
		next.Spec.Replicas = &n
		return &next
	case *corev1.ReplicationController:
		next := *o
		next.Spec.Replicas = &n
		return &next
	}
	return nil
}

func value(p *int32) int32 {
	if p == nil {
		return 0
	}
	return *p
}

func (s *Server) updateScale(req *Request) (*Response, error) {
	scale, ok := req.Object.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("wrong object passed to Scale update: %T", req.Object))
	}
	old, found := s.store.Get(req.Kind.Key(req.Namespace, req.Name))
	if !found {
		return nil, s.notFound(req)
	}
	return s.writeScale(req, "update", scale, old)
}

// writeScale makes scale's replicas those of old.
func (s *Server) writeScale(req *Request, verb string, scale *autoscalingv1.Scale, old kinds.Object) (*Response, error) {
	if err := s.precondition(req, scale, old); err != nil {
		return nil, err
	}
	if scale.Spec.Replicas < 0 {
		return nil, apierrors.NewInvalid(autoscalingv1.SchemeGroupVersion.WithKind("Scale").GroupKind(), scale.Name, field.ErrorList{
			field.Invalid(field.NewPath("spec", "replicas"), scale.Spec.Replicas, "must be greater than or equal to 0").WithOrigin("minimum"),
		})
	}
	next := withReplicas(old, scale.Spec.Replicas)
	if next == nil {
		return nil, apierrors.NewMethodNotSupported(req.Kind.GVR().GroupResource(), "scale")
	}
	main := *req
	main.Subresource = ""
	main.FromClient = true // a scale to what is already asked for is no write
	resp, err := s.write(&main, verb, next, old)
	if err != nil {
		return nil, err
	}
	after, err := scaleOf(req.Kind, resp.Object)
	if err != nil {
		return nil, err
	}
	resp.Object = after
	return resp, nil
}
