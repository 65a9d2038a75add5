// Package framework is the part of the scheduler that plugins see: the extension points, what a plugin is
// given (the pod, the nodes, the state of the cycle), what it answers (a Status), and the Framework that
// runs the plugins of one profile in order.
//
// It promises: plugins run in the order of the profile; for one node the first Filter that refuses ends
// that node; a Filter or Score whose PreFilter or PreScore said Skip does not run in that cycle; scores are
// normalized to 0..100 per plugin, multiplied by the plugin's weight and added.
//
// It does not promise to be safe for concurrent use: one scheduling cycle runs at a time.
//
// Models k8s.io/kube-scheduler/framework and pkg/scheduler/framework.
// Differs: a Status is a value; the state of a cycle is in typed slots; nodes are not copied into a
// snapshot, because nothing else runs while a cycle does; there are no pod groups, no extenders and no
// opportunistic batching (which changes only how fast the same node is found).
package framework
