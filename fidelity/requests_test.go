package fidelity

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	resourcehelper "k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"

	"terrarium/core/kinds/core"
)

// TestRequests compares pod requests, limits and quality of service on random pods.
func TestRequests(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	quantities := cmp.Comparer(func(a, b resource.Quantity) bool { return a.Cmp(b) == 0 })
	for range 5000 {
		pod := randomPod(r)
		if diff := cmp.Diff(resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{}), core.PodRequests(pod), quantities); diff != "" {
			t.Fatalf("seed %d: requests differ (-kubernetes +ours):\n%s\n%v", seed, diff, pod.Spec)
		}
		if diff := cmp.Diff(resourcehelper.PodLimits(pod, resourcehelper.PodResourcesOptions{}), core.PodLimits(pod), quantities); diff != "" {
			t.Fatalf("seed %d: limits differ (-kubernetes +ours):\n%s\n%v", seed, diff, pod.Spec)
		}
		if want, got := qos.ComputePodQOS(pod), core.QOSClass(pod); want != got {
			t.Fatalf("seed %d: quality of service is %s, Kubernetes says %s:\n%v", seed, got, want, pod.Spec)
		}
		want, got := core.AmountsOf(core.PodRequests(pod)), core.RequestAmounts(pod)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: amounts differ (-list +fast):\n%s\n%v", seed, diff, pod.Spec)
		}
	}
}

func randomPod(r *rand.Rand) *v1.Pod {
	pod := &v1.Pod{}
	for range r.IntN(3) {
		c := v1.Container{Resources: randomResources(r)}
		if r.IntN(2) == 0 {
			always := v1.ContainerRestartPolicyAlways
			c.RestartPolicy = &always
		}
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
	}
	for range 1 + r.IntN(3) {
		pod.Spec.Containers = append(pod.Spec.Containers, v1.Container{Resources: randomResources(r)})
	}
	if r.IntN(4) == 0 {
		whole := randomResources(r)
		pod.Spec.Resources = &whole
	}
	if r.IntN(4) == 0 {
		pod.Spec.Overhead = randomList(r)
	}
	return pod
}

func randomResources(r *rand.Rand) v1.ResourceRequirements {
	return v1.ResourceRequirements{Requests: randomList(r), Limits: randomList(r)}
}

func randomList(r *rand.Rand) v1.ResourceList {
	list := v1.ResourceList{}
	for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory, v1.ResourceEphemeralStorage, "example.com/gpu", "hugepages-2Mi"} {
		if r.IntN(3) == 0 {
			list[name] = *resource.NewQuantity(int64(r.IntN(3)), resource.DecimalSI)
		}
	}
	return list
}
