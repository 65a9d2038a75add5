// Package state is what the page knows, as plain values: frames of the cluster go in, and what has to be
// drawn again comes out. It draws nothing and knows no browser.
package state

import (
	"cmp"
	"slices"
	"strings"

	"terrarium/core/projection/wire"
)

// A Node is a node and the pods on it.
type Node struct {
	wire.Node
	Pods  []*Pod // by owner, then in the order they came
	dirty bool
	from  *Board
}

// A Pod is a pod's tile.
type Pod struct {
	wire.Pod
	Owner *wire.Owner // nil: nobody controls it
	Look  Look
	Fresh bool  // came to where it is and was not drawn there yet
	stale bool  // is not on the screen as it is
	at    *Node // where it is listed; nil: in the tray

	waits, listed bool // see tray: belongs in it; is in one of its lists
}

// A Board is the nodes and pods of a cluster, and which of them must be drawn again.
type Board struct {
	Nodes   []*Node // by name, numbers in names counted
	Pending []*Pod  // without a node, by owner, then in the order they came
	Counts  [Looks]int

	Selected wire.Ref      // what the inspector shows
	Filter   string        // pods that do not match are dimmed
	Refusal  *wire.Refusal // the pending pod that the nodes give their reasons for, or nil

	nodes  map[uint32]*Node
	pods   map[uint32]*Pod
	owners map[uint32]*wire.Owner
	used   map[uint32]int // pods by owner

	tray         tray
	queue        []*Node // each has dirty set
	listDirty    bool    // nodes came or went
	pendingDirty bool
	countsDirty  bool
}

// NewBoard returns an empty board, not drawn yet.
func NewBoard() *Board {
	b := &Board{}
	b.clear()
	return b
}

func (b *Board) clear() {
	b.nodes, b.pods = make(map[uint32]*Node), make(map[uint32]*Pod)
	b.owners, b.used = make(map[uint32]*wire.Owner), make(map[uint32]int)
	b.Nodes, b.Pending, b.queue = nil, nil, nil
	b.tray = tray{}
	b.Counts = [Looks]int{}
	b.listDirty, b.pendingDirty, b.countsDirty = true, true, true
}

// Apply takes in a frame.
func (b *Board) Apply(f *wire.Frame) {
	if f.Full {
		b.clear()
	}
	for i := range f.Owners {
		b.putOwner(&f.Owners[i])
	}
	for _, id := range f.PodsGone {
		b.removePod(id)
	}
	for _, id := range f.NodesGone {
		b.removeNode(id)
	}
	for i := range f.Nodes {
		b.putNode(&f.Nodes[i])
	}
	for _, u := range f.Uses {
		if n := b.nodes[u.Node]; n != nil {
			n.Requested = u.Requested
			b.touch(n)
		}
	}
	for i := range f.Pods {
		b.putPod(&f.Pods[i])
	}
	for _, m := range f.Moves {
		if p := b.pods[m.Pod]; p != nil {
			b.move(p, m)
		}
	}
	b.Pending = b.tray.settled()
}

func (b *Board) putOwner(w *wire.Owner) {
	if o := b.owners[w.ID]; o != nil { // its pods share it: they all change color
		*o = *w
		for _, p := range b.pods {
			if p.Pod.Owner == w.ID {
				b.touchPod(p)
			}
		}
		b.countsDirty = true
		return
	}
	b.owners[w.ID] = w
}

func (b *Board) putNode(w *wire.Node) {
	if n := b.nodes[w.ID]; n != nil {
		b.countsDirty = b.countsDirty || n.State != w.State
		n.Node = *w
		b.touch(n)
		return
	}
	n := &Node{Node: *w, from: b}
	b.nodes[w.ID] = n
	i, _ := slices.BinarySearchFunc(b.Nodes, n, compareNodes)
	b.Nodes = slices.Insert(b.Nodes, i, n)
	b.listDirty, b.countsDirty = true, true
	b.touch(n)
	for _, p := range slices.Clone(b.tray.settled()) {
		if p.Node == w.ID { // it came before its node
			b.lift(p)
			b.place(p)
		}
	}
}

func (b *Board) removeNode(id uint32) {
	n := b.nodes[id]
	if n == nil {
		return
	}
	delete(b.nodes, id)
	b.Nodes = slices.DeleteFunc(b.Nodes, func(x *Node) bool { return x == n })
	b.listDirty, b.countsDirty = true, true
	for _, p := range slices.Clone(n.Pods) {
		b.lift(p)
		b.place(p)
	}
}

func compareNodes(a, b *Node) int { return CompareNatural(a.Name, b.Name) }

func (b *Board) putPod(w *wire.Pod) {
	b.removePod(w.ID)
	p := &Pod{Pod: *w, Owner: b.owners[w.Owner]}
	b.pods[w.ID] = p
	if p.Pod.Owner != 0 {
		b.used[p.Pod.Owner]++
	}
	b.place(p)
}

func (b *Board) removePod(id uint32) {
	p := b.pods[id]
	if p == nil {
		return
	}
	b.lift(p)
	delete(b.pods, id)
	if b.used[p.Pod.Owner]--; b.used[p.Pod.Owner] <= 0 {
		delete(b.used, p.Pod.Owner)
	}
}

func (b *Board) move(p *Pod, m wire.Move) {
	if p.at != nil && p.at == b.nodes[m.Node] {
		b.count(p, -1)
		p.Move = m
		b.count(p, 1)
		b.touchPod(p)
		return
	}
	b.lift(p)
	p.Move = m
	b.place(p)
}

// place puts the pod where its Move says, or in the tray when it has no node or one that is not known.
func (b *Board) place(p *Pod) {
	p.Fresh, p.stale = true, true
	p.at = b.nodes[p.Node]
	b.count(p, 1)
	if p.at == nil {
		b.tray.put(p)
		b.pendingDirty = true
		return
	}
	i, _ := slices.BinarySearchFunc(p.at.Pods, p, comparePods)
	p.at.Pods = slices.Insert(p.at.Pods, i, p)
	b.touch(p.at)
}

// lift takes the pod from where it is.
func (b *Board) lift(p *Pod) {
	b.count(p, -1)
	if p.at == nil {
		b.tray.take(p)
		b.pendingDirty = true
		return
	}
	b.touch(p.at)
	if i, ok := slices.BinarySearchFunc(p.at.Pods, p, comparePods); ok {
		p.at.Pods = slices.Delete(p.at.Pods, i, i+1)
	}
}

func (b *Board) count(p *Pod, by int) {
	if by > 0 {
		p.Look = LookOf(p.Phase, p.Ready, p.Node != 0) // before it is counted: it is taken off as it was put on
	}
	b.Counts[p.Look] += by
	b.countsDirty = true
}

func comparePods(a, b *Pod) int {
	if c := cmp.Compare(a.Pod.Owner, b.Pod.Owner); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// Node returns the node of that name, or nil.
func (b *Board) Node(name string) *Node {
	i, ok := slices.BinarySearchFunc(b.Nodes, name, func(n *Node, name string) int { return CompareNatural(n.Name, name) })
	if !ok {
		return nil
	}
	return b.Nodes[i]
}

// PodCount returns the number of pods.
func (b *Board) PodCount() int { return len(b.pods) }

// Matches reports whether the pod is one that the filter looks for.
func (b *Board) Matches(p *Pod) bool {
	if b.Filter == "" {
		return true
	}
	if strings.Contains(p.Name, b.Filter) || strings.Contains(p.Namespace, b.Filter) {
		return true
	}
	return p.Owner != nil && strings.Contains(p.Owner.RootName, b.Filter)
}
