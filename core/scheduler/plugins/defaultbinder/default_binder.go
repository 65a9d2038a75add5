// Package defaultbinder binds pods to nodes through the API.
package defaultbinder

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
)

// Name is the plugin's name in profiles.
const Name = "DefaultBinder"

// A Binder makes the binding request.
type Binder interface {
	Bind(pod *corev1.Pod, node string) error
}

// DefaultBinder is the plugin.
type DefaultBinder struct{ api Binder }

var _ framework.BindPlugin = (*DefaultBinder)(nil)

// New returns the plugin.
func New(api Binder) *DefaultBinder { return &DefaultBinder{api} }

// Name returns the plugin's name.
func (*DefaultBinder) Name() string { return Name }

// Bind binds the pod to the node.
func (b *DefaultBinder) Bind(_ *framework.CycleState, pod *framework.PodInfo, node string) framework.Status {
	return framework.AsStatus(b.api.Bind(pod.Pod, node))
}
