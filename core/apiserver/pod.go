package apiserver

import (
	"errors"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// bind assigns a pod to a node.
//
// Models pkg/registry/core/pod/storage storage.go BindingREST.
func (s *Server) bind(req *Request) (*Response, error) {
	binding, ok := req.Object.(*corev1.Binding)
	if !ok {
		return nil, apierrors.NewBadRequest("the body of a binding must be a Binding")
	}
	if binding.Target.Kind != "" && binding.Target.Kind != "Node" && binding.Target.Kind != "Minion" {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("invalid target kind %q: must be empty or \"Node\"", binding.Target.Kind))
	}
	if binding.Target.Name == "" {
		return nil, apierrors.NewBadRequest("target.name: Required value")
	}
	podKind := s.kinds.ByGVK(corev1.SchemeGroupVersion.WithKind("Pod"))
	name := req.Name
	if name == "" {
		name = binding.Name
	}
	podReq := &Request{User: req.User, Verb: Update, Kind: podKind, Namespace: req.Namespace, Name: name, Subresource: "binding", DryRun: req.DryRun}
	obj, ok := s.store.Get(podKind.Key(req.Namespace, name))
	if !ok {
		return nil, s.notFound(podReq)
	}
	old := obj.(*corev1.Pod)
	if err := bindable(old, binding); err != nil {
		return nil, apierrors.NewConflict(podKind.GVR().GroupResource(), name, err)
	}
	resp := &Response{Object: bound(old, binding, s.timestamp())}
	if err := s.commitChange(podReq, "bind", resp, old); err != nil {
		return nil, err
	}
	return &Response{Created: true, Revision: resp.Revision}, nil
}

func bindable(pod *corev1.Pod, b *corev1.Binding) error {
	switch {
	case b.UID != "" && b.UID != pod.UID:
		return fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", b.UID, pod.UID)
	case pod.DeletionTimestamp != nil:
		return fmt.Errorf("pod %s is being deleted, cannot be assigned to a host", pod.Name)
	case pod.Spec.NodeName != "":
		return fmt.Errorf("pod %v is already assigned to node %q", pod.Name, pod.Spec.NodeName)
	case len(pod.Spec.SchedulingGates) != 0:
		return fmt.Errorf("pod %v has non-empty .spec.schedulingGates", pod.Name)
	}
	return nil
}

// bound returns the pod as assigned to the binding's target.
func bound(old *corev1.Pod, b *corev1.Binding, now metav1.Time) *corev1.Pod {
	pod := *old
	pod.Spec.NodeName = b.Target.Name
	if len(b.Annotations) > 0 {
		pod.Annotations = maps.Clone(old.Annotations)
		if pod.Annotations == nil {
			pod.Annotations = make(map[string]string, len(b.Annotations))
		}
		maps.Copy(pod.Annotations, b.Annotations)
	}
	scheduled := corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionTrue,
		ObservedGeneration: pod.Generation, LastTransitionTime: now,
	}
	conditions := make([]corev1.PodCondition, 0, len(old.Status.Conditions)+1)
	for _, c := range old.Status.Conditions {
		if c.Type != corev1.PodScheduled {
			conditions = append(conditions, c)
		}
	}
	pod.Status.Conditions = append(conditions, scheduled)
	pod.Status.NominatedNodeName = ""
	return &pod
}

// evict deletes a pod unless a disruption budget forbids it.
//
// Models pkg/registry/core/pod/storage eviction.go.
func (s *Server) evict(req *Request) (*Response, error) {
	eviction, ok := req.Object.(*policyv1.Eviction)
	if !ok {
		return nil, apierrors.NewBadRequest("the body of an eviction must be an Eviction of policy/v1")
	}
	if eviction.Name != "" && eviction.Name != req.Name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	obj, ok := s.store.Get(req.Kind.Key(req.Namespace, req.Name))
	if !ok {
		return nil, s.notFound(req)
	}
	pod := obj.(*corev1.Pod)
	if !evictsFreely(pod) {
		if err := s.takeDisruption(pod, req.DryRun); err != nil {
			return nil, err
		}
	}
	del := &Request{User: req.User, Verb: Delete, Kind: req.Kind, Namespace: req.Namespace, Name: req.Name, DryRun: req.DryRun}
	if eviction.DeleteOptions != nil {
		del.Delete = *eviction.DeleteOptions
	}
	resp, err := s.delete(del)
	if err != nil {
		return nil, err
	}
	return &Response{Created: true, Revision: resp.Revision}, nil
}

// evictsFreely: a pod that is over, has not begun, or is going away disrupts nobody.
func evictsFreely(pod *corev1.Pod) bool {
	switch pod.Status.Phase {
	case corev1.PodSucceeded, corev1.PodFailed, corev1.PodPending:
		return true
	}
	return pod.DeletionTimestamp != nil
}

// takeDisruption uses up one of the disruptions that the pod's budget still allows.
func (s *Server) takeDisruption(pod *corev1.Pod, dryRun bool) error {
	kind := s.kinds.ByGVK(policyv1.SchemeGroupVersion.WithKind("PodDisruptionBudget"))
	objs, _ := s.store.List(kind.StorageResource(), pod.Namespace)
	var budgets []*policyv1.PodDisruptionBudget
	for _, o := range objs {
		pdb := o.(*policyv1.PodDisruptionBudget)
		sel, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
		if err == nil && sel.Matches(labels.Set(pod.Labels)) {
			budgets = append(budgets, pdb)
		}
	}
	switch len(budgets) {
	case 0:
		return nil
	case 1:
	default:
		return apierrors.NewInternalError(errors.New("This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."))
	}
	pdb := budgets[0]
	if pdb.Status.ObservedGeneration < pdb.Generation {
		return tooManyRequests(pdb, "Cannot evict pod as it would violate the pod's disruption budget.",
			fmt.Sprintf("The disruption budget %s is still being processed by the server.", pdb.Name), 10)
	}
	if pdb.Status.DisruptionsAllowed <= 0 {
		return tooManyRequests(pdb, "Cannot evict pod as it would violate the pod's disruption budget.",
			fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", pdb.Name, pdb.Status.DesiredHealthy, pdb.Status.CurrentHealthy), 0)
	}
	next := pdb.DeepCopy()
	next.Status.DisruptionsAllowed--
	if next.Status.DisruptedPods == nil {
		next.Status.DisruptedPods = make(map[string]metav1.Time)
	}
	next.Status.DisruptedPods[pod.Name] = s.timestamp()
	req := &Request{Kind: kind, Namespace: pdb.Namespace, Name: pdb.Name, Subresource: "status", DryRun: dryRun}
	return s.commitChange(req, "update", &Response{Object: next}, pdb)
}

func tooManyRequests(pdb *policyv1.PodDisruptionBudget, message, cause string, retry int) error {
	err := apierrors.NewTooManyRequests(message, retry)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{Type: policyv1.DisruptionBudgetCause, Message: cause})
	return err
}
