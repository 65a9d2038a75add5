package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/client"
	"terrarium/core/kinds"
)

// An Events tells people what happened to a pod. *record.Recorder is one.
type Events interface {
	Normal(obj kinds.Object, reason, message string)
	Warning(obj kinds.Object, reason, message string)
}

// outside is all that the scheduler reads and does outside itself.
type outside struct {
	api     api
	events  Events
	pod     func(namespace, name string) (*corev1.Pod, bool) // the newest known state
	budgets func() []*policyv1.PodDisruptionBudget
	ready   func() bool // nodes and pods are known
}

// An api is the requests that the scheduler makes.
type api interface {
	Bind(pod *corev1.Pod, node string) error
	// PatchStatus applies a strategic merge patch to a pod's status.
	PatchStatus(namespace, pod string, patch []byte) error
	Delete(namespace, pod string) error
}

type clientAPI struct{ c *client.Client }

func (a clientAPI) Bind(pod *corev1.Pod, node string) error { return a.c.Bind(pod, node) }

func (a clientAPI) PatchStatus(namespace, pod string, patch []byte) error {
	_, err := a.c.Pods().Patch(namespace, pod, types.StrategicMergePatchType, patch, "status")
	return err
}

func (a clientAPI) Delete(namespace, pod string) error {
	return a.c.Pods().Delete(namespace, pod, metav1.DeleteOptions{})
}
