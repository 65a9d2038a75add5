package scheduler

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
	"terrarium/core/trace"
)

// onNode keeps the cache right and moves pods on that a node may help.
func (s *Scheduler) onNode(ev informer.Event[*corev1.Node]) {
	node := framework.ClusterEvent{Resource: framework.Node}
	switch ev.Type {
	case informer.Added:
		s.cache.SetNode(ev.New)
		node.Action = framework.Add
		s.queue.Move(node, nil, ev.New, ev.Trigger(), nil)
	case informer.Updated:
		s.cache.SetNode(ev.New)
		if !s.queue.Interested() {
			return
		}
		for _, e := range framework.NodeChanges(ev.Old, ev.New) {
			s.queue.Move(e, ev.Old, ev.New, ev.Trigger(), nil)
		}
	case informer.Deleted:
		node.Action = framework.Delete
		s.queue.Move(node, ev.Old, nil, ev.Trigger(), nil)
		s.cache.RemoveNode(ev.Old.Name)
	case informer.Sync:
	}
}

// onPod sorts pods into the queue and the cache. Pods that have ended are as good as deleted: they use
// nothing.
func (s *Scheduler) onPod(ev informer.Event[*corev1.Pod]) {
	old, new := ev.Old, ev.New
	switch ev.Type {
	case informer.Sync:
		return
	case informer.Added:
		old = nil
	case informer.Deleted:
		new = nil
		s.decisions.forget(ev.Old.UID)
	case informer.Updated:
		if old.UID != new.UID { // deleted and made anew within one step of the watch
			s.decisions.forget(old.UID)
			s.deletePod(old, ev.Trigger())
			old = nil
		}
	}
	if old != nil && isTerminal(old) {
		old = nil
	}
	if new != nil && isTerminal(new) {
		new = nil
	}
	switch {
	case old == nil && new != nil:
		s.addPod(new, ev.Trigger())
	case old != nil && new == nil:
		s.deletePod(old, ev.Trigger())
	case old != nil:
		s.updatePod(old, new, ev.Trigger())
	}
}

func (s *Scheduler) addPod(pod *corev1.Pod, cause trace.Trigger) {
	switch {
	case pod.Spec.NodeName != "":
		s.assigned(pod, cause)
	case s.queue.Handles(pod.Spec.SchedulerName):
		s.queue.Add(pod, cause)
	}
}

// assigned takes in a pod that was seen on a node for the first time.
func (s *Scheduler) assigned(pod *corev1.Pod, cause trace.Trigger) {
	s.cache.SetPod(pod)
	s.queue.Move(assignedPod(framework.Add), nil, pod, cause, nil)
}

func (s *Scheduler) updatePod(old, new *corev1.Pod, cause trace.Trigger) {
	switch {
	case old.Spec.NodeName != "":
		s.cache.SetPod(new)
		if !s.queue.Interested() {
			return
		}
		for _, e := range framework.PodChanges(old, new, false) {
			s.queue.Move(e, old, new, cause, nil)
		}
	case new.Spec.NodeName != "":
		s.assigned(new, cause)
		s.queue.Delete(old) // if someone else has bound it
	case s.queue.Handles(old.Spec.SchedulerName):
		s.updateQueued(old, new, cause)
	}
}

func (s *Scheduler) updateQueued(old, new *corev1.Pod, cause trace.Trigger) {
	if s.cache.IsAssumed(new.UID) {
		if new.DeletionTimestamp != nil && old.DeletionTimestamp == nil {
			s.releaseAssumed(new, cause)
		}
		return
	}
	s.queue.Update(old, new, cause)
	if was := old.Status.NominatedNodeName; was != "" && was != new.Status.NominatedNodeName {
		s.moveLessImportant(old, cause)
	}
}

func (s *Scheduler) deletePod(pod *corev1.Pod, cause trace.Trigger) {
	if pod.Spec.NodeName != "" {
		s.cache.RemovePod(pod.UID)
		s.queue.Move(assignedPod(framework.Delete), pod, nil, cause, nil)
		return
	}
	if !s.queue.Handles(pod.Spec.SchedulerName) {
		return
	}
	s.queue.Delete(pod)
	switch {
	case s.cache.IsAssumed(pod.UID):
		s.releaseAssumed(pod, cause)
	case pod.Status.NominatedNodeName != "":
		s.moveLessImportant(pod, cause)
	}
}

// releaseAssumed frees what a pod holds that is leaving before it was seen on its node.
// Models pkg/scheduler handleAssumedPodDeletion.
func (s *Scheduler) releaseAssumed(pod *corev1.Pod, cause trace.Trigger) {
	_, node, _ := s.cache.Pod(pod.UID)
	if !s.RejectWaiting(pod.UID, "", "removed") {
		s.cache.Forget(pod.UID)
	}
	held := *pod
	held.Spec.NodeName = node
	s.queue.Move(assignedPod(framework.Delete), &held, nil, cause, nil)
}

// moveLessImportant tries pods again that had to leave room for a nominated one.
func (s *Scheduler) moveLessImportant(pod *corev1.Pod, cause trace.Trigger) {
	priority := framework.PodPriority(pod)
	s.queue.Move(assignedPod(framework.Delete), pod, nil, cause, func(p *framework.PodInfo) bool { return p.Priority <= priority })
}

func assignedPod(a framework.ActionType) framework.ClusterEvent {
	return framework.ClusterEvent{Resource: framework.AssignedPod, Action: a}
}

// isTerminal reports whether the pod has ended.
func isTerminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func podKey(pod *corev1.Pod) kinds.Key {
	return kinds.Key{Resource: "pods", Namespace: pod.Namespace, Name: pod.Name}
}
