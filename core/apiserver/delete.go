package apiserver

import (
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/apiserver/admission"
	"terrarium/core/kinds"
	"terrarium/core/store"
	"terrarium/core/trace"
)

func (s *Server) delete(req *Request) (*Response, error) {
	old, ok := s.store.Get(req.Kind.Key(req.Namespace, req.Name))
	if !ok {
		return nil, s.notFound(req)
	}
	if err := s.checkDelete(req, old); err != nil {
		return nil, err
	}
	s.step("admit")
	attrs := &admission.Attributes{Verb: string(Delete), Kind: req.Kind, Old: old, User: req.User}
	if err := s.admit.Validate(attrs); err != nil {
		return nil, err
	}
	obj := old.DeepCopyObject().(kinds.Object)
	changed := setDeletionFinalizers(obj, &req.Delete)
	grace := graceSeconds(req.Kind, old, &req.Delete)
	changed = s.markDeleted(req.Kind, obj, grace) || changed

	resp := &Response{Object: obj}
	if deletable(req.Kind, obj) {
		return s.finishDelete(req, resp, old)
	}
	if !changed {
		resp.Object, resp.Revision = old, kinds.RevisionOf(old)
		return resp, nil
	}
	return resp, s.commitChange(req, "delete", resp, old)
}

// deleteCollection deletes every object that the request selects. The answer lists them.
func (s *Server) deleteCollection(req *Request) (*Response, error) {
	found, err := s.list(req)
	if err != nil {
		return nil, err
	}
	for _, o := range found.List {
		one := *req
		one.Verb, one.Namespace, one.Name = Delete, o.GetNamespace(), o.GetName()
		resp, err := s.delete(&one)
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, err
		}
		if err == nil {
			found.Revision = max(found.Revision, resp.Revision)
		}
	}
	return found, nil
}

func (s *Server) checkDelete(req *Request, old kinds.Object) error {
	opts := &req.Delete
	var errs field.ErrorList
	if opts.OrphanDependents != nil && opts.PropagationPolicy != nil {
		errs = append(errs, field.Invalid(field.NewPath("propagationPolicy"), opts.PropagationPolicy, "orphanDependents and deletionPropagation cannot be both set"))
	}
	if p := opts.PropagationPolicy; p != nil && *p != metav1.DeletePropagationForeground && *p != metav1.DeletePropagationBackground && *p != metav1.DeletePropagationOrphan {
		errs = append(errs, field.NotSupported(field.NewPath("propagationPolicy"), p, []string{string(metav1.DeletePropagationForeground), string(metav1.DeletePropagationBackground), string(metav1.DeletePropagationOrphan), "nil"}))
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(metav1.SchemeGroupVersion.WithKind("DeleteOptions").GroupKind(), "", errs)
	}
	pre := opts.Preconditions
	if pre == nil {
		return nil
	}
	gr := req.Kind.GVR().GroupResource()
	if pre.UID != nil && *pre.UID != old.GetUID() {
		return apierrors.NewConflict(gr, old.GetName(), fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", *pre.UID, old.GetUID()))
	}
	if pre.ResourceVersion != nil && *pre.ResourceVersion != old.GetResourceVersion() {
		return apierrors.NewConflict(gr, old.GetName(), fmt.Errorf("Precondition failed: ResourceVersion in precondition: %v, ResourceVersion in object meta: %v", *pre.ResourceVersion, old.GetResourceVersion()))
	}
	return nil
}

// graceSeconds is how long a delete lets the object live on: pods shut down, everything else is gone at
// once.
//
// Models pkg/registry/core/pod strategy.go CheckGracefulDelete.
func graceSeconds(kind *kinds.Kind, obj kinds.Object, opts *metav1.DeleteOptions) int64 {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return 0
	}
	if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
		return 0
	}
	grace := int64(corev1.DefaultTerminationGracePeriodSeconds)
	switch {
	case opts.GracePeriodSeconds != nil:
		grace = *opts.GracePeriodSeconds
	case pod.Spec.TerminationGracePeriodSeconds != nil:
		grace = *pod.Spec.TerminationGracePeriodSeconds
	}
	if grace < 0 {
		grace = 1
	}
	return grace
}

// markDeleted sets the deletion timestamp, or brings an earlier one forward. It reports whether it
// changed obj.
//
// Models k8s.io/apiserver pkg/registry/rest delete.go BeforeDelete.
func (s *Server) markDeleted(kind *kinds.Kind, obj kinds.Object, grace int64) bool {
	if at := obj.GetDeletionTimestamp(); at != nil {
		had := obj.GetDeletionGracePeriodSeconds()
		if had == nil || *had <= grace {
			return false
		}
		// An object waiting out its grace is hurried up; it is never given longer.
		start := at.Add(-time.Duration(*had) * time.Second)
		soon := metav1.Time{Time: start.Add(time.Duration(grace) * time.Second)}
		obj.SetDeletionTimestamp(&soon)
		obj.SetDeletionGracePeriodSeconds(&grace)
		return true
	}
	at := metav1.Time{Time: s.timestamp().Add(time.Duration(grace) * time.Second)}
	obj.SetDeletionTimestamp(&at)
	obj.SetDeletionGracePeriodSeconds(&grace)
	if obj.GetGeneration() > 0 {
		obj.SetGeneration(obj.GetGeneration() + 1)
	}
	if ns, ok := obj.(*corev1.Namespace); ok {
		ns.Status.Phase = corev1.NamespaceTerminating
	}
	return true
}

// setDeletionFinalizers adds the finalizer that stands for the propagation policy and removes the other.
// It reports whether it changed obj.
//
// Models genericregistry.Store deletionFinalizersForGarbageCollection.
func setDeletionFinalizers(obj kinds.Object, opts *metav1.DeleteOptions) bool {
	had := obj.GetFinalizers()
	orphan, foreground := false, false
	switch {
	case opts.OrphanDependents != nil:
		orphan = *opts.OrphanDependents
	case opts.PropagationPolicy == nil:
		orphan = slices.Contains(had, metav1.FinalizerOrphanDependents)
		foreground = !orphan && slices.Contains(had, metav1.FinalizerDeleteDependents)
	default:
		orphan = *opts.PropagationPolicy == metav1.DeletePropagationOrphan
		foreground = *opts.PropagationPolicy == metav1.DeletePropagationForeground
	}
	var next []string
	for _, f := range had {
		if f != metav1.FinalizerOrphanDependents && f != metav1.FinalizerDeleteDependents {
			next = append(next, f)
		}
	}
	if orphan {
		next = append(next, metav1.FinalizerOrphanDependents)
	}
	if foreground {
		next = append(next, metav1.FinalizerDeleteDependents)
	}
	if slices.Equal(had, next) {
		return false
	}
	obj.SetFinalizers(next)
	return true
}

// deletable reports whether nothing keeps a deleted object any more.
func deletable(kind *kinds.Kind, obj kinds.Object) bool {
	if obj.GetDeletionTimestamp() == nil || len(obj.GetFinalizers()) > 0 {
		return false
	}
	if grace := obj.GetDeletionGracePeriodSeconds(); grace != nil && *grace > 0 {
		return false
	}
	if ns, ok := obj.(*corev1.Namespace); ok {
		return len(ns.Spec.Finalizers) == 0
	}
	return true
}

// finishDelete takes the object out of the store.
func (s *Server) finishDelete(req *Request, resp *Response, old kinds.Object) (*Response, error) {
	s.step("store")
	if req.DryRun {
		return resp, nil
	}
	key := req.Kind.Key(old.GetNamespace(), old.GetName())
	rev, err := s.store.Delete(key, kinds.RevisionOf(old), s.span())
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, s.notFound(req)
	case errors.Is(err, store.ErrConflict):
		return nil, apierrors.NewConflict(req.Kind.GVR().GroupResource(), key.Name, errors.New(conflictText))
	case err != nil:
		return nil, apierrors.NewInternalError(err)
	}
	resp.Revision = rev
	s.trace.Write(trace.Write{Verb: "delete", Key: key, Revision: rev, Before: old})
	return resp, nil
}
