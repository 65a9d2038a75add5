// Package kubelet is the agent of one machine: it runs the pods that are bound to its node and reports on
// them and on the node.
//
// It promises: a pod's status only ever says what its processes do; a pod that is being deleted gets its
// grace period and is deleted from the API only once its processes have ended; nothing happens, and nothing
// is reported, while the machine has no power.
//
// Differs: probes always pass (see upAfter), lifecycle hooks, volumes and ephemeral containers do nothing.
//
// Models pkg/kubelet kubelet.go, pod_workers.go, status/, images/, kuberuntime/, nodestatus/.
package kubelet

import (
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/client"
	"terrarium/core/client/record"
	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/node/container"
	"terrarium/core/node/image"
	"terrarium/core/trace"
)

// Config is what a Kubelet is made of.
type Config struct {
	Node    string
	HostIP  string
	Loop    *loop.Loop
	Trace   *trace.Recorder
	Client  *client.Client // as system:node:NAME
	Runtime container.Runtime
	Images  *image.Store
	Start   loop.Range // how long a container takes to start
}

// A Kubelet runs the pods of one node.
type Kubelet struct {
	cfg      Config
	recorder *record.Recorder
	pods     map[types.UID]*worker
	ips      *addresses
	luck     *rand.Rand
	off      bool
	rebooted bool // pods found now were running before the machine lost power

	allocatable amounts
	used        amounts // by the pods that were admitted

	beats     beats
	nodeCIDR  string
	podClient client.Resource[*corev1.Pod]
}

// New returns a kubelet that has seen no pod yet.
func New(cfg Config) *Kubelet {
	return &Kubelet{
		cfg:       cfg,
		recorder:  record.New(cfg.Loop, cfg.Client, "kubelet", cfg.Node),
		pods:      make(map[types.UID]*worker),
		luck:      cfg.Loop.Rand("kubelet " + cfg.Node),
		podClient: cfg.Client.Pods(),
	}
}

// SetPodCIDR tells the kubelet which addresses its pods get. It may be called again with the same value.
func (k *Kubelet) SetPodCIDR(cidr string) {
	if cidr == "" || cidr == k.nodeCIDR {
		return
	}
	k.nodeCIDR, k.ips = cidr, newAddresses(cidr)
}

// Handle hears of the newest state of a pod that is bound to this node.
func (k *Kubelet) Handle(pod *corev1.Pod, why trace.Trigger) {
	if k.off {
		return
	}
	w := k.pods[pod.UID]
	if w == nil {
		if pod.DeletionTimestamp == nil && terminal(pod) {
			return
		}
		w = newWorker(k, pod)
		k.pods[pod.UID] = w
		w.sync(why, func() {
			w.admit()
			w.adopt()
		})
		return
	}
	if w.hear(pod) {
		w.sync(why, func() {})
	}
}

// Gone hears that a pod no longer exists in the API: what still runs of it is killed.
func (k *Kubelet) Gone(pod *corev1.Pod) {
	if w := k.pods[pod.UID]; w != nil {
		w.forget()
	}
}

// PowerOff stops everything at once, without a word to anyone.
func (k *Kubelet) PowerOff() {
	k.off = true
	for _, w := range k.pods { // any order: forgetting is silent
		w.forget()
	}
	k.cfg.Images.Stop()
	k.stopBeating()
}

// PowerOn starts the machine again; what ran before has to be started anew.
func (k *Kubelet) PowerOn() {
	k.off, k.rebooted = false, true
}

// Off reports whether the machine has no power.
func (k *Kubelet) Off() bool { return k.off }

// Pods returns how many pods the kubelet takes care of.
func (k *Kubelet) Pods() int { return len(k.pods) }

func podKey(pod *corev1.Pod) kinds.Key {
	return kinds.Key{Resource: "pods", Namespace: pod.Namespace, Name: pod.Name}
}

func terminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// format names a pod as kubelet messages do.
func format(pod *corev1.Pod) string {
	return pod.Name + "_" + pod.Namespace + "(" + string(pod.UID) + ")"
}
