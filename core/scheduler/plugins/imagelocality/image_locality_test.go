package imagelocality

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/cache"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

// The cases and figures of upstream's image_locality_test.go. An image of n MB is gcr.io/<n>.
func TestImageLocality(t *testing.T) {
	pod := func(images ...int) schedtest.PodBuilder {
		b := schedtest.Pod("p")
		for _, i := range images {
			b = b.Image("gcr.io/" + strconv.Itoa(i))
		}
		return b
	}
	node := func(images ...int) schedtest.NodeBuilder {
		b := schedtest.Node("")
		for _, i := range images {
			b = b.Image("gcr.io/"+strconv.Itoa(i)+":latest", int64(i)*mb)
		}
		return b
	}
	volume := func(p *corev1.Pod) {
		p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: "gcr.io/300"}}}}
	}
	initContainer := func(p *corev1.Pod) { p.Spec.InitContainers = []corev1.Container{{Image: "gcr.io/300"}} }
	tests := []struct {
		name  string
		pod   schedtest.PodBuilder
		nodes []schedtest.NodeBuilder
		want  []int64
	}{
		{"two images spread on two nodes, prefer the larger image one", pod(40, 250), []schedtest.NodeBuilder{node(40, 300, 2000), node(250, 10)}, []int64{0, 5}},
		{"two images on one node, prefer this node", pod(40, 300), []schedtest.NodeBuilder{node(40, 300, 2000), node(250, 10)}, []int64{7, 0}},
		{"if exceed limit, use limit", pod(10, 4000), []schedtest.NodeBuilder{node(4000, 30), node(250, 10)}, []int64{100, 0}},
		{"a node without images", pod(10, 4000), []schedtest.NodeBuilder{node(4000, 30), node(250, 10), node()}, []int64{66, 0, 0}},
		{"multiple large images", pod(300, 600, 900), []schedtest.NodeBuilder{node(600, 40, 900), node(300, 600, 900), node()}, []int64{32, 36, 0}},
		{"multiple small images", pod(30, 40), []schedtest.NodeBuilder{node(20, 30, 40), node(4000, 30)}, []int64{1, 0}},
		{"image volume", pod(30).With(volume), []schedtest.NodeBuilder{node(300, 600, 900), node(4000, 30)}, []int64{6, 0}},
		{"init container", pod(30).With(initContainer), []schedtest.NodeBuilder{node(40, 300, 2000), node(20, 30, 40)}, []int64{6, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := cache.New()
			for i, n := range tt.nodes {
				c.SetNode(n.With(func(n *corev1.Node) { n.Name = "node" + strconv.Itoa(i) }).Obj())
			}
			p, state, info := New(&framework.Slots{}, c), framework.NewCycleState(), framework.NewPodInfo(tt.pod.Obj())
			p.PreScore(state, info, c.Nodes())
			var got []int64
			for _, n := range c.Nodes() {
				s, _ := p.Score(state, info, n)
				got = append(got, s)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNormalized(t *testing.T) {
	for in, want := range map[string]string{
		"root":                      "root:latest",
		"root:tag":                  "root:tag",
		"gcr.io:5000/root":          "gcr.io:5000/root:latest",
		"root@sha256:0123456789abc": "root@sha256:0123456789abc",
	} {
		if got := normalized(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
