package journal

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/store"
)

// bigPod is about what a running pod of a Deployment is.
func bigPod(name string) *corev1.Pod {
	p := pod(podKey(name), "node-1")
	p.Labels = map[string]string{"app": "nginx", "pod-template-hash": "5d59d67564"}
	p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "nginx-deployment-5d59d67564", UID: "0d1c2e3f-0000-4000-8000-000000000000"}}
	p.Spec.Containers = []corev1.Container{{Name: "nginx", Image: "nginx:1.7.9", Ports: []corev1.ContainerPort{{ContainerPort: 80, Protocol: "TCP"}}}}
	for _, typ := range []corev1.PodConditionType{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: typ, Status: "True", ObservedGeneration: 1})
	}
	p.Status.Phase = corev1.PodRunning
	p.Status.PodIPs = []corev1.PodIP{{IP: "10.244.1.17"}}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "nginx", Ready: true, Image: "nginx:1.7.9", ImageID: "sha256:0123456789abcdef", ContainerID: "terrarium://0123456789abcdef"}}
	return p
}

func filled(b *testing.B, m *Memory, pods int) (*store.Store, *Journal) {
	var j *Journal
	s := store.New(store.Config{OnCommit: func(ev store.Event) { j.Commit(ev) }})
	j = New(s, m, podCodec{}, Config{})
	j.Restore(func(_ bool, err error) {
		if err != nil {
			b.Fatal(err)
		}
	})
	for i := range pods {
		name := "nginx-deployment-5d59d67564-" + strconv.Itoa(i)
		if _, err := s.Create(podKey(name), bigPod(name), 0); err != nil {
			b.Fatal(err)
		}
	}
	j.Flush()
	return s, j
}

// BenchmarkFlush updates 40 pods and keeps them, as one slice of a rollout does.
func BenchmarkFlush(b *testing.B) {
	m := &Memory{}
	s, j := filled(b, m, 1000)
	objects := 0
	for b.Loop() {
		for i := range 40 {
			name := "nginx-deployment-5d59d67564-" + strconv.Itoa((objects+i)%1000)
			s.Update(podKey(name), bigPod(name), 0, 0)
		}
		j.Flush()
		objects += 40
	}
	b.ReportMetric(float64(objects)/b.Elapsed().Seconds(), "objects/s")
}

// BenchmarkRestore brings 1,000 pods back.
func BenchmarkRestore(b *testing.B) {
	m := &Memory{}
	_, j := filled(b, m, 1000)
	j.failures, j.failed = 2, ErrClosed
	j.Retry() // a snapshot
	if len(m.Records) != 0 {
		b.Fatal("no snapshot")
	}
	for b.Loop() {
		s, _ := filled(b, m, 0)
		if s.Count("pods", "") != 1000 {
			b.Fatal("not restored")
		}
	}
	b.ReportMetric(float64(len(m.Snapshot))/1000, "bytes/pod")
}
