package cluster_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"terrarium/core/cluster"
)

// BenchmarkRollout brings up one Deployment on ten large nodes, from the request to every pod Running.
func BenchmarkRollout(b *testing.B) {
	for _, replicas := range []int{100, 300, 1000, 3000} {
		b.Run(fmt.Sprint(replicas), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				c := start(b, cluster.Config{Nodes: 10, Capacity: corev1.ResourceList{
					corev1.ResourceCPU: resource.MustParse("32"), corev1.ResourceMemory: resource.MustParse("256Gi"), corev1.ResourcePods: resource.MustParse("1100"),
				}})
				b.StartTimer()
				post(b, c, "/apis/apps/v1/namespaces/default/deployments", fmt.Sprintf(nginx, replicas))
				for running(c) < replicas {
					c.Loop.Run(c.Now().Add(500 * time.Millisecond))
				}
			}
			b.ReportMetric(float64(replicas)*float64(b.N)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}
