package scheduler

import (
	"fmt"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/scheduler/schedtest"
	"terrarium/core/trace"
)

// BenchmarkSchedule schedules pods of one Deployment, each with a request and an image, from the event that
// it was created to the event that it is bound, without an API server.
func BenchmarkSchedule(b *testing.B) {
	for _, nodes := range []int{10, 100, 1000} {
		b.Run(strconv.Itoa(nodes)+"nodes", func(b *testing.B) {
			w := newWorld(b, 1, loop.Range{})
			for i := range nodes {
				w.node(schedtest.Node(fmt.Sprintf("node-%d", i)).Can("cpu", "1000", "memory", "4000Gi", "pods", "10000000").
					Image("nginx:1.7.9", 90<<20).Obj())
			}
			w.onBind, w.s.outside.events = w.confirm, quiet{}
			pod := schedtest.Pod("p").Image("nginx:1.7.9").With(func(p *corev1.Pod) {
				p.Spec.Containers[0].Resources.Requests = schedtest.Resources("cpu", "10m", "memory", "10Mi")
			}).Obj()
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				next := *pod
				next.Name = "p" + strconv.Itoa(i)
				next.UID = types.UID(next.Name)
				i++
				w.s.addPod(&next, trace.Trigger{})
				if _, ok := w.loop.Step(w.loop.Now()); !ok {
					b.Fatal("no cycle")
				}
				if i%5000 == 0 { // keep the cluster at a size that is there in practice
					b.StopTimer()
					for uid := range w.s.decisions.last {
						w.s.cache.RemovePod(uid)
					}
					clear(w.s.decisions.last)
					b.StartTimer()
				}
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}

// confirm binds by telling the scheduler what its watch would.
func (w *world) confirm(pod, node string) (bool, error) {
	info, _, _ := w.s.cache.Pod(types.UID(pod))
	next := *info.Pod
	next.Spec.NodeName = node
	w.s.updatePod(info.Pod, &next, trace.Trigger{})
	return true, nil
}

type quiet struct{}

func (quiet) Normal(kinds.Object, string, string)  {}
func (quiet) Warning(kinds.Object, string, string) {}
