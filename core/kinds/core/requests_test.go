package core

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// Needs of a pod at the worst moment of its life. The fidelity module compares random pods with upstream.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		name, spec string
		want       Amounts
		qos        corev1.PodQOSClass
	}{
		{"nothing", `{containers: [{name: a}]}`, Amounts{}, corev1.PodQOSBestEffort},
		{"containers run at once",
			`{containers: [{name: a, resources: {requests: {cpu: 100m, memory: 1Ki}}}, {name: b, resources: {requests: {cpu: "1"}}}]}`,
			Amounts{MilliCPU: 1100, Memory: 1024}, corev1.PodQOSBurstable},
		{"init containers run one by one before",
			`{initContainers: [{name: i, resources: {requests: {cpu: "2"}}}, {name: j, resources: {requests: {cpu: "3"}}}], containers: [{name: a, resources: {requests: {cpu: "1"}}}]}`,
			Amounts{MilliCPU: 3000}, corev1.PodQOSBurstable},
		{"sidecars run beside those that follow",
			`{initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: "1"}}}, {name: i, resources: {requests: {cpu: "3"}}}], containers: [{name: a, resources: {requests: {cpu: "1"}}}]}`,
			Amounts{MilliCPU: 4000}, corev1.PodQOSBurstable},
		{"sidecars do not run beside those before",
			`{initContainers: [{name: i, resources: {requests: {cpu: "3"}}}, {name: s, restartPolicy: Always, resources: {requests: {cpu: "1"}}}], containers: [{name: a, resources: {requests: {cpu: "1"}}}]}`,
			Amounts{MilliCPU: 3000}, corev1.PodQOSBurstable},
		{"overhead comes on top",
			`{overhead: {cpu: 10m}, containers: [{name: a, resources: {requests: {cpu: "1"}}}]}`,
			Amounts{MilliCPU: 1010}, corev1.PodQOSBurstable},
		{"of the pod as a whole",
			`{resources: {requests: {cpu: "2"}}, containers: [{name: a, resources: {requests: {cpu: "1", memory: 1Ki}}}]}`,
			Amounts{MilliCPU: 2000, Memory: 1024}, corev1.PodQOSBurstable},
		{"other resources",
			`{containers: [{name: a, resources: {requests: {example.com/gpu: "2", ephemeral-storage: 1Ki}, limits: {example.com/gpu: "2"}}}]}`,
			Amounts{EphemeralStorage: 1024, Scalars: map[corev1.ResourceName]int64{"example.com/gpu": 2}}, corev1.PodQOSBestEffort},
		{"requests are limits",
			`{containers: [{name: a, resources: {requests: {cpu: "1", memory: 1Ki}, limits: {cpu: "1", memory: 1Ki}}}]}`,
			Amounts{MilliCPU: 1000, Memory: 1024}, corev1.PodQOSGuaranteed},
	} {
		t.Run(c.name, func(t *testing.T) {
			var pod corev1.Pod
			if err := yaml.UnmarshalStrict([]byte(c.spec), &pod.Spec); err != nil {
				t.Fatal(err)
			}
			got := RequestAmounts(&pod)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("amounts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.want, AmountsOf(PodRequests(&pod))); diff != "" {
				t.Errorf("list (-want +got):\n%s", diff)
			}
			if q := QOSClass(&pod); q != c.qos {
				t.Errorf("class %s, want %s", q, c.qos)
			}
		})
	}
}

func TestPodLimits(t *testing.T) {
	pod := corev1.Pod{Spec: corev1.PodSpec{
		Overhead: corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("1Ki")},
		Containers: []corev1.Container{
			{Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("2")}}},
			{Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("3")}}},
		},
	}}
	limits := PodLimits(&pod)
	if cpu := limits["cpu"]; len(limits) != 1 || cpu.Value() != 6 {
		t.Errorf("got %v, want 6 CPUs: overhead only adds to limits that are there", limits)
	}
}

func TestRequestAmountsAllocatesNothing(t *testing.T) {
	pod := nginxPod()
	pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("1Gi")}
	if n := testing.AllocsPerRun(100, func() { RequestAmounts(pod) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
