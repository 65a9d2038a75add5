package cluster_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"terrarium/core/cluster"
)

// BenchmarkRollout brings up one Deployment on large nodes, from the request to every pod Running.
func BenchmarkRollout(b *testing.B) {
	for _, size := range []struct{ replicas, nodes int }{{100, 10}, {300, 10}, {1000, 10}, {3000, 10}, {10_000, 1000}} {
		replicas := size.replicas
		b.Run(fmt.Sprintf("%d on %d", replicas, size.nodes), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				c := start(b, cluster.Config{Nodes: size.nodes, Capacity: corev1.ResourceList{
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
