// Package defaultbinder binds pods to nodes through the API.
package defaultbinder

import "terrarium/core/scheduler/framework"

// Name is the plugin's name in profiles.
const Name = "DefaultBinder"

// A Binder makes the binding request.
type Binder interface {
	Bind(namespace, pod, node string) error
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
	return framework.AsStatus(b.api.Bind(pod.Pod.Namespace, pod.Pod.Name, node))
}
