package cluster_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"terrarium/core/cluster"
	"terrarium/core/store/journal"
)

// BenchmarkRollout brings up one Deployment on large nodes, from the request to every pod Running.
func BenchmarkRollout(b *testing.B) {
	for _, size := range []struct{ replicas, nodes int }{{100, 10}, {300, 10}, {1000, 10}, {3000, 10}, {10_000, 1000}} {
		replicas := size.replicas
		b.Run(fmt.Sprintf("%d on %d", replicas, size.nodes), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				c := start(b, cluster.Config{Nodes: size.nodes, Capacity: large()})
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

// BenchmarkRestore brings a cluster of ten nodes and 1,000 pods back from what is kept, until its
// controllers have listed everything.
func BenchmarkRestore(b *testing.B) {
	backend := &journal.Memory{}
	keep := func(c *cluster.Cluster) {
		c.Keep(backend, func(_ bool, err error) {
			if err != nil {
				b.Fatal(err)
			}
		})
	}
	c := cluster.New(cluster.Config{Nodes: 10, Capacity: large()})
	keep(c)
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	post(b, c, "/apis/apps/v1/namespaces/default/deployments", fmt.Sprintf(nginx, 1000))
	for running(c) < 1000 {
		c.Loop.Run(c.Now().Add(time.Second))
	}
	c.Flush()
	for b.Loop() {
		back := cluster.New(cluster.Config{Nodes: 10, Capacity: large()})
		keep(back)
		if err := back.Start(); err != nil {
			b.Fatal(err)
		}
		back.Loop.Run(back.Now().Add(50 * time.Millisecond))
		if running(back) != 1000 {
			b.Fatalf("%d pods came back", running(back))
		}
	}
}

func large() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("32"), corev1.ResourceMemory: resource.MustParse("256Gi"), corev1.ResourcePods: resource.MustParse("1100"),
	}
}
