package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// version is the kubelet's, and the cluster's.
const version = "v1.37.2"

// reportNode writes the node's status: what the machine has and how it is. joining says that the machine
// has just come up.
//
// Models pkg/kubelet kubelet_node_status.go and nodestatus/setters.go.
func (k *Kubelet) reportNode(joining bool) {
	nodes := k.cfg.Client.Nodes()
	old, err := nodes.Get("", k.cfg.Node)
	if err != nil {
		return
	}
	if labeled, changed := withLabels(old); changed {
		if updated, err := nodes.Update(labeled); err == nil {
			old = updated
		}
	}
	next := *old
	next.Status = k.nodeStatus(&old.Status)
	if joining {
		k.nodeEvents(old)
	}
	if _, err := nodes.UpdateStatus(&next); err != nil {
		return
	}
	k.beats.reported = k.cfg.Loop.Now()
	k.beats.images = k.cfg.Images.Version()
}

func (k *Kubelet) nodeStatus(old *corev1.NodeStatus) corev1.NodeStatus {
	s := *old
	s.Capacity = Capacity(old.Capacity)
	s.Allocatable = Allocatable(old)
	s.Addresses = []corev1.NodeAddress{
		{Type: corev1.NodeInternalIP, Address: k.cfg.HostIP},
		{Type: corev1.NodeHostName, Address: k.cfg.Node},
	}
	s.DaemonEndpoints.KubeletEndpoint.Port = 10250
	s.NodeInfo = corev1.NodeSystemInfo{
		MachineID: k.cfg.Node, SystemUUID: k.cfg.Node, BootID: k.cfg.Node,
		KernelVersion: "6.12.0", OSImage: "Terrarium", ContainerRuntimeVersion: "containerd://2.2.0",
		KubeletVersion: version, OperatingSystem: "linux", Architecture: "amd64",
	}
	s.Images = k.cfg.Images.Report()
	s.Conditions = k.nodeConditions(old.Conditions)
	return s
}

// Capacity completes what a machine has: 4 CPUs, 8Gi of memory and 110 pods unless it is said otherwise.
func Capacity(given corev1.ResourceList) corev1.ResourceList {
	out := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("8Gi"),
		corev1.ResourcePods: resource.MustParse("110"), corev1.ResourceEphemeralStorage: resource.MustParse("100Gi"),
	}
	for name, q := range given {
		out[name] = q
	}
	return out
}

// Allocatable is what pods may use: all of the capacity, or as much of it as was said.
func Allocatable(s *corev1.NodeStatus) corev1.ResourceList {
	out := Capacity(s.Capacity)
	for name, q := range s.Allocatable {
		if all, ok := out[name]; ok && q.Cmp(all) < 0 {
			out[name] = q
		}
	}
	return out
}

func (k *Kubelet) nodeConditions(old []corev1.NodeCondition) []corev1.NodeCondition {
	now := metav1.Time{Time: k.cfg.Loop.Now().Truncate(time.Second)}
	own := []corev1.NodeCondition{
		{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
		{Type: corev1.NodeDiskPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
		{Type: corev1.NodePIDPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
		{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status"},
	}
	for i := range own {
		own[i].LastHeartbeatTime, own[i].LastTransitionTime = now, now
	}
	for _, c := range old {
		found := false
		for i := range own {
			if own[i].Type != c.Type {
				continue
			}
			found = true
			if own[i].Status == c.Status {
				own[i].LastTransitionTime = c.LastTransitionTime
			}
		}
		if !found {
			own = append(own, c)
		}
	}
	return own
}

// nodeEvents tells of what changes with this first report.
func (k *Kubelet) nodeEvents(old *corev1.Node) {
	ref := k.nodeRef()
	for _, e := range []string{"NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID"} {
		k.recorder.EventAbout(ref, corev1.EventTypeNormal, e, "Node "+k.cfg.Node+" status is now: "+e)
	}
	ready := false
	for _, c := range old.Status.Conditions {
		ready = ready || c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	}
	if !ready {
		k.recorder.EventAbout(ref, corev1.EventTypeNormal, "NodeReady", "Node "+k.cfg.Node+" status is now: NodeReady")
	}
	if k.rebooted {
		k.recorder.EventAbout(ref, corev1.EventTypeWarning, "Rebooted", "Node "+k.cfg.Node+" has been rebooted, boot id: "+k.cfg.Node)
	}
}

// Labels are the labels, with their values, that a kubelet gives to a node of that name.
func Labels(node string) [][2]string {
	return [][2]string{
		{corev1.LabelHostname, node}, {corev1.LabelOSStable, "linux"}, {corev1.LabelArchStable, "amd64"},
		{"beta.kubernetes.io/os", "linux"}, {"beta.kubernetes.io/arch", "amd64"},
	}
}

// withLabels returns the node with the labels that every kubelet gives its own.
func withLabels(node *corev1.Node) (*corev1.Node, bool) {
	want := Labels(node.Name)
	labels := make(map[string]string, len(node.Labels)+len(want))
	for key, v := range node.Labels {
		labels[key] = v
	}
	for _, w := range want {
		if _, ok := labels[w[0]]; !ok {
			labels[w[0]] = w[1]
		}
	}
	if len(labels) == len(node.Labels) {
		return node, false
	}
	next := *node
	next.Labels = labels
	return &next, true
}
