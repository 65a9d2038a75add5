// Package cache knows the nodes and the pods on them, assumed ones included: what a scheduling cycle
// decides by.
//
// A pod is assumed from the moment a cycle picks its node until the watch shows it there (or binding
// failed and it is forgotten), so that the next cycle counts it in.
//
// It promises: the sums in each NodeInfo are those of the pods in it; pods that name a node that is not
// there are kept with it in case it comes, and are never offered for scheduling.
//
// Models pkg/scheduler/backend/cache.
// Differs: there is no snapshot; a cycle reads the cache itself, because nothing changes it meanwhile.
package cache

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/scheduler/framework"
)

// A Cache knows the nodes and the pods on them.
type Cache struct {
	nodes  map[string]*framework.NodeInfo // by name, also those of which only pods are known
	pods   map[types.UID]*podState
	images map[string]*framework.ImageState
	slots  []bool // NodeInfo.Slot numbers in use

	tree  nodeTree
	list  []*framework.NodeInfo // in the tree's order
	names []string              // of list
	stale bool                  // list must be made anew
}

type podState struct {
	info    *framework.PodInfo
	node    string
	assumed bool
}

// New returns an empty cache.
func New() *Cache {
	return &Cache{
		nodes:  make(map[string]*framework.NodeInfo),
		pods:   make(map[types.UID]*podState),
		images: make(map[string]*framework.ImageState),
		tree:   nodeTree{zones: make(map[string][]string)},
	}
}

// Nodes returns the nodes in the order in which cycles look at them: taken from the zones in turn. The
// slice must not be changed; it is valid until the next change of the cache.
func (c *Cache) Nodes() []*framework.NodeInfo {
	if c.stale {
		c.stale = false
		c.names = c.tree.names()
		c.list = make([]*framework.NodeInfo, len(c.names))
		for i, name := range c.names {
			c.list[i] = c.nodes[name]
			c.list[i].Index = i
		}
	}
	return c.list
}

// Names returns the names of Nodes, in the same order. The slice never changes: a new list of nodes has a
// new one.
func (c *Cache) Names() []string {
	c.Nodes()
	return c.names
}

// Node returns the node of that name, or nil.
func (c *Cache) Node(name string) *framework.NodeInfo {
	if n := c.nodes[name]; n != nil && n.Node() != nil {
		return n
	}
	return nil
}

// NodeCount returns how many nodes there are.
func (c *Cache) NodeCount() int { return c.tree.count }

// Image returns the image of that name, or nil when no node has it.
func (c *Cache) Image(name string) *framework.ImageState { return c.images[name] }

// SetNode adds a node or takes in a newer state of it.
func (c *Cache) SetNode(node *corev1.Node) {
	n := c.node(node.Name)
	old := n.Node()
	switch {
	case old == nil:
		n.Slot = c.takeSlot()
		c.tree.add(node)
		c.stale = true
	case zoneOf(old) != zoneOf(node):
		c.tree.remove(old)
		c.tree.add(node)
		c.stale = true
	}
	if old == nil || !shareImages(old.Status.Images, node.Status.Images) {
		c.removeImages(n)
		c.addImages(n, node)
	}
	n.SetNode(node)
}

// RemoveNode takes a node away. Its pods stay known until they are removed themselves.
func (c *Cache) RemoveNode(name string) {
	n := c.nodes[name]
	if n == nil || n.Node() == nil {
		return
	}
	c.tree.remove(n.Node())
	c.stale = true
	c.removeImages(n)
	c.slots[n.Slot] = false
	n.RemoveNode()
	c.dropIfEmpty(n)
}

func (c *Cache) node(name string) *framework.NodeInfo {
	n := c.nodes[name]
	if n == nil {
		n = &framework.NodeInfo{Name: name}
		c.nodes[name] = n
	}
	return n
}

func (c *Cache) dropIfEmpty(n *framework.NodeInfo) {
	if n.Node() == nil && len(n.Pods) == 0 {
		delete(c.nodes, n.Name)
	}
}

func (c *Cache) takeSlot() int {
	i := slices.Index(c.slots, false)
	if i < 0 {
		i = len(c.slots)
		c.slots = append(c.slots, false)
	}
	c.slots[i] = true
	return i
}

func shareImages(a, b []corev1.ContainerImage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (c *Cache) addImages(n *framework.NodeInfo, node *corev1.Node) {
	for i := range node.Status.Images {
		image := &node.Status.Images[i]
		for _, name := range image.Names {
			s := c.images[name]
			if s == nil {
				s = &framework.ImageState{Size: image.SizeBytes}
				c.images[name] = s
			}
			s.Add(n)
		}
	}
}

// removeImages takes the images of the node's last state away.
func (c *Cache) removeImages(n *framework.NodeInfo) {
	if n.Node() == nil {
		return
	}
	for i := range n.Node().Status.Images {
		for _, name := range n.Node().Status.Images[i].Names {
			s := c.images[name]
			if s == nil {
				continue
			}
			if s.Remove(n); s.Nodes == 0 {
				delete(c.images, name)
			}
		}
	}
}

// Assume counts a pod in on the node that a cycle picked.
func (c *Cache) Assume(pod *framework.PodInfo, node string) error {
	if c.pods[pod.UID] != nil {
		return fmt.Errorf("pod %v(%v/%v) is in the cache, so can't be assumed", pod.UID, pod.Pod.Namespace, pod.Pod.Name)
	}
	c.put(pod, node, true)
	return nil
}

// Forget undoes Assume. It does nothing for a pod that is not assumed (any more).
func (c *Cache) Forget(uid types.UID) {
	if s := c.pods[uid]; s != nil && s.assumed {
		c.drop(uid, s)
	}
}

// IsAssumed reports whether the pod is assumed and not yet seen on its node.
func (c *Cache) IsAssumed(uid types.UID) bool {
	s := c.pods[uid]
	return s != nil && s.assumed
}

// Pod returns the pod and the node it counts on, as far as it is known here.
func (c *Cache) Pod(uid types.UID) (pod *framework.PodInfo, node string, ok bool) {
	s := c.pods[uid]
	if s == nil {
		return nil, "", false
	}
	return s.info, s.node, true
}

// SetPod takes in a pod that was seen on a node: a new one, an assumed one, or a newer state.
func (c *Cache) SetPod(pod *corev1.Pod) {
	s := c.pods[pod.UID]
	if s == nil {
		c.put(framework.NewPodInfo(pod), pod.Spec.NodeName, false)
		return
	}
	if s.node == pod.Spec.NodeName && s.info.Refresh(pod) {
		s.assumed = false // the node's sums stay: only the state is newer
		return
	}
	c.drop(pod.UID, s)
	c.put(framework.NewPodInfo(pod), pod.Spec.NodeName, false)
}

// RemovePod takes a pod away.
func (c *Cache) RemovePod(uid types.UID) {
	if s := c.pods[uid]; s != nil {
		c.drop(uid, s)
	}
}

func (c *Cache) put(pod *framework.PodInfo, node string, assumed bool) {
	c.pods[pod.UID] = &podState{pod, node, assumed}
	c.node(node).AddPod(pod)
}

func (c *Cache) drop(uid types.UID, s *podState) {
	n := c.nodes[s.node]
	n.RemovePod(s.info)
	c.dropIfEmpty(n)
	delete(c.pods, uid)
}
