package core

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
)

const tableNow = 1_700_000_000

func ago(d time.Duration) metav1.Time { return metav1.NewTime(time.Unix(tableNow, 0).Add(-d)) }

func row(resource string, obj kinds.Object) string {
	t := columns()[resource]
	cells := t.Cells(obj, tableNow)
	if len(cells) != len(t.Columns) {
		return fmt.Sprintf("%d cells for %d columns", len(cells), len(t.Columns))
	}
	text := make([]string, len(cells))
	for i, c := range cells {
		text[i] = fmt.Sprint(c)
	}
	return strings.Join(text, "|")
}

func terminated(code int32, reason string) corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason}}
}

func waiting(reason string) corev1.ContainerState {
	return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
}

func running() corev1.ContainerState {
	return corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
}

// Cases as in upstream's TestPrintPod and the ones beside it, in our words.
func TestPodColumns(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	yes := true
	named := func(n int) (out []corev1.Container) {
		for i := range n {
			out = append(out, corev1.Container{Name: fmt.Sprint("c", i)})
		}
		return out
	}
	tests := []struct {
		name string
		pod  corev1.Pod
		want string
	}{
		{"nothing yet", corev1.Pod{Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Pending"}}, "0/1|Pending|0"},
		{"reason instead of phase", corev1.Pod{Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Failed", Reason: "Evicted"}}, "0/1|Evicted|0"},
		{"gated", corev1.Pod{Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Pending",
			Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Reason: "SchedulingGated"}}}}, "0/1|SchedulingGated|0"},
		{"half ready, restarted", corev1.Pod{Spec: corev1.PodSpec{Containers: named(2)}, Status: corev1.PodStatus{Phase: "Running",
			ContainerStatuses: []corev1.ContainerStatus{
				{Ready: true, RestartCount: 3, State: running(), LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: ago(5 * time.Minute)}}},
				{RestartCount: 3, State: running()},
			}}}, "1/2|Running|6 (5m ago)"},
		{"crashing", corev1.Pod{Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Running",
			ContainerStatuses: []corev1.ContainerStatus{{RestartCount: 1, State: waiting("CrashLoopBackOff")}}}}, "0/1|CrashLoopBackOff|1"},
		{"first container's reason wins", corev1.Pod{Spec: corev1.PodSpec{Containers: named(2)}, Status: corev1.PodStatus{Phase: "Pending",
			ContainerStatuses: []corev1.ContainerStatus{{State: waiting("ErrImagePull")}, {State: waiting("ContainerCreating")}}}}, "0/2|ErrImagePull|0"},
		{"exit code", corev1.Pod{Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Failed",
			ContainerStatuses: []corev1.ContainerStatus{{State: terminated(3, "")}}}}, "0/1|ExitCode:3|0"},
		{"signal", corev1.Pod{Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Failed",
			ContainerStatuses: []corev1.ContainerStatus{{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Signal: 9}}}}}}, "0/1|Signal:9|0"},
		{"completed beside a running one, ready", corev1.Pod{Spec: corev1.PodSpec{Containers: named(2)}, Status: corev1.PodStatus{Phase: "Running",
			Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: "True"}},
			ContainerStatuses: []corev1.ContainerStatus{{State: terminated(0, "Completed")}, {Ready: true, State: running()}}}}, "1/2|Running|0"},
		{"completed beside a running one, not ready", corev1.Pod{Spec: corev1.PodSpec{Containers: named(2)}, Status: corev1.PodStatus{Phase: "Running",
			ContainerStatuses: []corev1.ContainerStatus{{State: terminated(0, "Completed")}, {Ready: true, State: running()}}}}, "1/2|NotReady|0"},
		{"completed beside a failed one", corev1.Pod{Spec: corev1.PodSpec{Containers: named(2)}, Status: corev1.PodStatus{Phase: "Failed",
			ContainerStatuses: []corev1.ContainerStatus{{State: terminated(0, "Completed")}, {State: terminated(1, "Error")}}}}, "0/2|Error|0"},
		{"deleted", corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &metav1.Time{}}, Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Running"}}, "0/1|Terminating|0"},
		{"deleted when done", corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &metav1.Time{}}, Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Succeeded"}}, "0/1|Succeeded|0"},
		{"node lost", corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &metav1.Time{}}, Spec: corev1.PodSpec{Containers: named(1)}, Status: corev1.PodStatus{Phase: "Running", Reason: "NodeLost"}}, "0/1|Unknown|0"},
		{"initializing", corev1.Pod{Spec: corev1.PodSpec{InitContainers: named(2), Containers: named(1)}, Status: corev1.PodStatus{Phase: "Pending",
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "c0", State: terminated(0, "Completed")}, {Name: "c1", State: running()}},
			ContainerStatuses:     []corev1.ContainerStatus{{State: waiting("PodInitializing")}}}}, "0/1|Init:1/2|0"},
		{"init crashes", corev1.Pod{Spec: corev1.PodSpec{InitContainers: named(1), Containers: named(1)}, Status: corev1.PodStatus{Phase: "Pending",
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "c0", RestartCount: 3, State: waiting("CrashLoopBackOff"),
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: ago(10 * time.Second)}}}}}}, "0/1|Init:CrashLoopBackOff|3 (10s ago)"},
		{"init failed", corev1.Pod{Spec: corev1.PodSpec{InitContainers: named(1), Containers: named(1)}, Status: corev1.PodStatus{Phase: "Failed",
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "c0", State: terminated(2, "")}}}}, "0/1|Init:ExitCode:2|0"},
		{"init done, its restarts forgotten", corev1.Pod{Spec: corev1.PodSpec{InitContainers: named(1), Containers: named(1)}, Status: corev1.PodStatus{Phase: "Running",
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "c0", RestartCount: 3, State: terminated(0, "Completed")}},
			ContainerStatuses:     []corev1.ContainerStatus{{Ready: true, RestartCount: 1, State: running()}}}}, "1/1|Running|1"},
		{"sidecar", corev1.Pod{Spec: corev1.PodSpec{InitContainers: []corev1.Container{{Name: "c0", RestartPolicy: &always}}, Containers: named(1)}, Status: corev1.PodStatus{Phase: "Running",
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "c0", RestartCount: 2, Ready: true, Started: &yes, State: running()}},
			ContainerStatuses:     []corev1.ContainerStatus{{Ready: true, RestartCount: 1, State: running()}}}}, "2/2|Running|3"},
		{"sidecar restarts after init", corev1.Pod{Spec: corev1.PodSpec{InitContainers: []corev1.Container{{Name: "c0", RestartPolicy: &always}}, Containers: named(1)}, Status: corev1.PodStatus{Phase: "Running",
			Conditions:            []corev1.PodCondition{{Type: corev1.PodInitialized, Status: "True"}},
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "c0", RestartCount: 2, State: waiting("CrashLoopBackOff")}},
			ContainerStatuses:     []corev1.ContainerStatus{{Ready: true, State: running()}}}}, "1/2|Init:CrashLoopBackOff|2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.pod.Name, tt.pod.CreationTimestamp = "p", ago(time.Hour)
			want := "p|" + tt.want + "|60m|<none>|<none>|<none>|<none>"
			if got := row("pods", &tt.pod); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestColumns(t *testing.T) {
	meta := metav1.ObjectMeta{Name: "n", CreationTimestamp: ago(49 * time.Hour)}
	labeled := meta
	labeled.Labels = map[string]string{"node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "worker"}
	tests := []struct {
		resource string
		obj      kinds.Object
		want     string
	}{
		{"pods", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "n"},
			Spec:   corev1.PodSpec{NodeName: "a", ReadinessGates: []corev1.PodReadinessGate{{ConditionType: "x"}, {ConditionType: "y"}}},
			Status: corev1.PodStatus{Phase: "Running", PodIPs: []corev1.PodIP{{IP: "1.2.3.4"}}, NominatedNodeName: "b", Conditions: []corev1.PodCondition{{Type: "y", Status: "True"}}},
		}, "n|0/0|Running|0|<unknown>|1.2.3.4|a|b|1/2"},
		{"nodes", &corev1.Node{ObjectMeta: labeled, Spec: corev1.NodeSpec{Unschedulable: true}, Status: corev1.NodeStatus{
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: "True"}},
			Addresses:  []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "10.0.0.1"}},
			NodeInfo:   corev1.NodeSystemInfo{KubeletVersion: "v1.37.2", KernelVersion: "6.1", Architecture: "amd64"},
		}}, "n|Ready,SchedulingDisabled|control-plane,worker|2d1h|v1.37.2|10.0.0.1|<none>|<unknown>|6.1 (amd64)|<unknown>"},
		{"nodes", &corev1.Node{ObjectMeta: meta, Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: "Unknown"}}}},
			"n|NotReady|<none>|2d1h||<none>|<none>|<unknown>|<unknown>|<unknown>"},
		{"nodes", &corev1.Node{ObjectMeta: meta}, "n|Unknown|<none>|2d1h||<none>|<none>|<unknown>|<unknown>|<unknown>"},
		{"namespaces", &corev1.Namespace{ObjectMeta: meta, Status: corev1.NamespaceStatus{Phase: "Active"}}, "n|Active|2d1h"},
		{"configmaps", &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"a": ""}, BinaryData: map[string][]byte{"b": nil}}, "n|2|2d1h"},
		{"secrets", &corev1.Secret{ObjectMeta: meta, Type: "Opaque", Data: map[string][]byte{"b": nil}}, "n|Opaque|1|2d1h"},
		{"serviceaccounts", &corev1.ServiceAccount{ObjectMeta: meta}, "n|2d1h"},
		{"limitranges", &corev1.LimitRange{ObjectMeta: meta}, "n|2023-11-12T21:13:20Z"},
		{"events", &corev1.Event{ObjectMeta: meta, InvolvedObject: corev1.ObjectReference{Kind: "Pod", Name: "p", FieldPath: "spec.containers{c}"}, Type: "Normal", Reason: "Pulled", Message: " x\n",
			Source: corev1.EventSource{Component: "kubelet", Host: "node-1"}, FirstTimestamp: ago(time.Minute), LastTimestamp: ago(2 * time.Second), Count: 4},
			"2s|Normal|Pulled|pod/p|spec.containers{c}|kubelet, node-1|x|60s|4|n"},
		{"events", &corev1.Event{ObjectMeta: meta, InvolvedObject: corev1.ObjectReference{Kind: "Pod"}, EventTime: metav1.NewMicroTime(ago(time.Minute).Time), ReportingController: "s"}, "60s|||pod||s||60s|1|n"},
		{"events", &corev1.Event{ObjectMeta: meta, Series: &corev1.EventSeries{Count: 7, LastObservedTime: metav1.NewMicroTime(ago(time.Second).Time)}}, "1s||||||||7|n"[:6] + "|||<unknown>|7|n"},
		{"services", &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Type: "LoadBalancer", ClusterIPs: []string{"10.0.0.1"}, ExternalIPs: []string{"9.9.9.9"}, Selector: map[string]string{"a": "b"},
			Ports: []corev1.ServicePort{{Port: 80, Protocol: "TCP", NodePort: 30000}, {Port: 53, Protocol: "UDP"}}},
			Status: corev1.ServiceStatus{LoadBalancer: corev1.LoadBalancerStatus{Ingress: []corev1.LoadBalancerIngress{{Hostname: "x"}, {IP: "1.1.1.1"}}}}},
			"n|LoadBalancer|10.0.0.1|1.1.1.1,x,9.9.9.9|80:30000/TCP,53/UDP|2d1h|a=b"},
		{"services", &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Type: "LoadBalancer"}}, "n|LoadBalancer|<none>|<pending>|<none>|2d1h|<none>"},
		{"services", &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Type: "ExternalName", ExternalName: "x.y"}}, "n|ExternalName|<none>|x.y|<none>|2d1h|<none>"},
		{"endpoints", &corev1.Endpoints{ObjectMeta: meta}, "n|<none>|2d1h"},
		{"endpoints", &corev1.Endpoints{ObjectMeta: meta, Subsets: []corev1.EndpointSubset{{
			Addresses: []corev1.EndpointAddress{{IP: "1.1.1.1"}, {IP: "::1"}}, Ports: []corev1.EndpointPort{{Port: 80}, {Port: 81}}}}},
			"n|1.1.1.1:80,[::1]:80,1.1.1.1:81 + 1 more...|2d1h"},
		{"replicationcontrollers", &corev1.ReplicationController{ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Selector: map[string]string{"a": "b"}}}, "n|0|0|0|2d1h|||a=b"},
		{"resourcequotas", &corev1.ResourceQuota{ObjectMeta: meta, Status: corev1.ResourceQuotaStatus{
			Hard: corev1.ResourceList{"pods": resource.MustParse("4"), "cpu": resource.MustParse("1"), "limits.cpu": resource.MustParse("2")},
			Used: corev1.ResourceList{"cpu": resource.MustParse("500m")}}}, "n|cpu: 500m/1, pods: 0/4|limits.cpu: 0/2|2d1h"},
		{"persistentvolumes", &corev1.PersistentVolume{ObjectMeta: meta, Spec: corev1.PersistentVolumeSpec{
			Capacity: corev1.ResourceList{"storage": resource.MustParse("1Gi")}, AccessModes: []corev1.PersistentVolumeAccessMode{"ReadWriteMany", "ReadWriteOnce", "ReadWriteOnce"},
			ClaimRef: &corev1.ObjectReference{Namespace: "d", Name: "c"}, PersistentVolumeReclaimPolicy: "Delete", StorageClassName: "s"},
			Status: corev1.PersistentVolumeStatus{Phase: "Bound"}}, "n|1Gi|RWO,RWX|Delete|Bound|d/c|s|<unset>||2d1h|<unset>"},
		{"persistentvolumeclaims", &corev1.PersistentVolumeClaim{ObjectMeta: meta, Status: corev1.PersistentVolumeClaimStatus{Phase: "Pending"}}, "n|Pending||||" + "|<unset>|2d1h|<unset>"},
		{"podtemplates", &corev1.PodTemplate{ObjectMeta: meta, Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "x"}, {Name: "b", Image: "y"}}}}}, "n|a,b|x,y|<none>"},
		{"componentstatuses", &corev1.ComponentStatus{ObjectMeta: meta, Conditions: []corev1.ComponentCondition{{Type: "Healthy", Status: "True", Message: "ok"}}}, "n|Healthy|ok|"},
	}
	for _, tt := range tests {
		if got := row(tt.resource, tt.obj); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.resource, got, tt.want)
		}
	}
}
