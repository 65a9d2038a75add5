// Package imagelocality prefers nodes that already have the pod's images.
package imagelocality

import (
	"strings"

	"terrarium/core/scheduler/framework"
)

// Name is the plugin's name in profiles.
const Name = "ImageLocality"

// The scores run from an image just worth counting to a big one, per container.
const (
	mb                    int64 = 1024 * 1024
	minThreshold                = 23 * mb
	maxContainerThreshold       = 1000 * mb
)

// Images knows which images the cluster's nodes have.
type Images interface {
	// Image returns the image of that name, or nil when no node has it.
	Image(name string) *framework.ImageState
	// NodeCount returns how many nodes there are.
	NodeCount() int
}

// ImageLocality is the plugin.
type ImageLocality struct {
	images Images
	slot   framework.Slot[*wanted]
}

// wanted are the pod's images that some node has.
type wanted struct {
	images []image
	count  int64 // of all the pod's images, there or not
}

type image struct {
	state *framework.ImageState
	score int64 // its size, scaled by how many nodes have it
}

// Clone returns w itself: pods on nodes do not change it.
func (w *wanted) Clone() framework.StateData { return w }

var (
	_ framework.PreScorePlugin = (*ImageLocality)(nil)
	_ framework.ScorePlugin    = (*ImageLocality)(nil)
)

// New returns the plugin.
func New(slots *framework.Slots, images Images) *ImageLocality {
	return &ImageLocality{images, framework.NewSlot[*wanted](slots)}
}

// Name returns the plugin's name.
func (*ImageLocality) Name() string { return Name }

// PreScore looks the pod's images up once.
// Differs: upstream looks each image up by name for every node.
func (p *ImageLocality) PreScore(state *framework.CycleState, pod *framework.PodInfo, _ []*framework.NodeInfo) framework.Status {
	spec, w := &pod.Pod.Spec, &wanted{}
	for i := range spec.InitContainers {
		p.want(w, spec.InitContainers[i].Image)
	}
	for i := range spec.Containers {
		p.want(w, spec.Containers[i].Image)
	}
	for i := range spec.Volumes {
		if v := spec.Volumes[i].Image; v != nil {
			p.want(w, v.Reference)
		}
	}
	p.slot.Set(state, w)
	return framework.Status{}
}

func (p *ImageLocality) want(w *wanted, name string) {
	w.count++
	if s := p.images.Image(normalized(name)); s != nil {
		w.images = append(w.images, image{s, scaled(s.Size, s.Nodes, p.images.NodeCount())})
	}
}

// scaled makes an image that few nodes have count less, or all pods would go to those few.
func scaled(size int64, on, nodes int) int64 {
	return int64(float64(size) * (float64(on) / float64(nodes)))
}

// normalized adds the tag that a name without one means.
func normalized(name string) string {
	if strings.LastIndex(name, ":") <= strings.LastIndex(name, "/") {
		return name + ":latest"
	}
	return name
}

// Score rates the node by the images it has.
func (p *ImageLocality) Score(state *framework.CycleState, _ *framework.PodInfo, node *framework.NodeInfo) (int64, framework.Status) {
	w, ok := p.slot.Get(state)
	if !ok {
		return 0, framework.Status{}
	}
	var sum int64
	for i := range w.images {
		if w.images[i].state.On(node) {
			sum += w.images[i].score
		}
	}
	return priority(sum, w.count), framework.Status{}
}

// priority maps a sum of image scores to 0..100.
func priority(sum, images int64) int64 {
	most := maxContainerThreshold * images
	sum = min(max(sum, minThreshold), most)
	return framework.MaxScore * (sum - minThreshold) / (most - minThreshold)
}
