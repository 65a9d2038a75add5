package scheduler

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/scheduler/framework"
)

// A preemptor is what the DefaultPreemption plugin sees of the scheduler.
type preemptor struct{ *Scheduler }

// Nodes returns the nodes with the pods on them.
func (p preemptor) Nodes() []*framework.NodeInfo { return p.cache.Nodes() }

// Nominated returns the pods nominated to the node.
func (p preemptor) Nominated(node string) []*framework.PodInfo { return p.queue.Nominated(node) }

// LatestPod returns the newest known state of the pod.
func (p preemptor) LatestPod(pod *corev1.Pod) (*corev1.Pod, error) {
	latest, ok := p.outside.pod(pod.Namespace, pod.Name)
	if !ok {
		return nil, apierrors.NewNotFound(corev1.Resource("pods"), pod.Name)
	}
	return latest, nil
}

// PodDisruptionBudgets lists the budgets of all namespaces.
func (p preemptor) PodDisruptionBudgets() []*policyv1.PodDisruptionBudget {
	return p.outside.budgets()
}

// Preempt marks the victim and deletes it; one that only waits to be bound is sent back to the queue.
// Models framework/preemption Executor.PreemptPod.
func (p preemptor) Preempt(preemptor, victim *corev1.Pod, node string) error {
	event := fmt.Sprintf("Preempted by pod %v on node %v", preemptor.UID, node)
	if w := p.waiting[victim.UID]; w != nil {
		p.endWait(w, framework.AsStatus(fmt.Errorf("waiting on permit for pod: %s", "preempted")))
		p.outside.events.Normal(victim, "Preempted", event+" (in kube-scheduler memory).")
		return nil
	}
	condition := corev1.PodCondition{
		Type: corev1.DisruptionTarget, ObservedGeneration: victim.Generation, Status: corev1.ConditionTrue,
		Reason:  corev1.PodReasonPreemptionByScheduler,
		Message: preemptor.Spec.SchedulerName + ": preempting to accommodate a higher priority pod",
	}
	if conditions, changed := withCondition(victim.Status.Conditions, condition, metav1.Time{Time: p.loop.Now()}); changed {
		patch, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": conditions}})
		if err != nil {
			return err
		}
		if err := p.outside.api.PatchStatus(victim.Namespace, victim.Name, patch); err != nil {
			return ignoreNotFound(err)
		}
	}
	if err := p.outside.api.Delete(victim.Namespace, victim.Name); err != nil {
		return ignoreNotFound(err)
	}
	p.outside.events.Normal(victim, "Preempted", event)
	return nil
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// ClearNomination takes the nominated node from pods.
func (p preemptor) ClearNomination(pods []*framework.PodInfo) {
	for _, n := range pods {
		p.queue.Nominate(n, framework.ClearNomination())
		p.patchStatus(n.Pod, nil, framework.ClearNomination())
	}
}
