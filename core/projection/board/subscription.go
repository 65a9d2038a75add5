package board

import (
	"cmp"
	"maps"
	"slices"

	"terrarium/core/projection/wire"
)

// A change says what of a numbered thing is to be sent; several may come together.
type change uint8

const (
	nodeChange  change = 1 << iota // a node as a whole: it came, changed or went
	useChange                      // what is asked of a node
	podChange                      // a pod as a whole: it came or has another owner
	podMove                        // what changes in a pod's life
	podGone                        // a pod went
	ownerChange                    // an owner came or has another color
)

// changed notes a change for every subscriber.
func (b *Board) changed(c change, id uint32) {
	for _, s := range b.subs {
		s.note(c, id)
	}
}

// A Subscription is one page's stream of frames.
type Subscription struct {
	board   *Board
	wake    func()
	encoder *wire.Encoder
	full    bool // the next frame is the whole board

	changes map[uint32]change
	order   []uint32        // the keys of changes, as they changed first
	shown   map[uint32]bool // the nodes and pods that the page has
}

func newSubscription(b *Board, wake func()) *Subscription {
	return &Subscription{
		board: b, wake: wake, encoder: wire.NewEncoder(), full: true,
		changes: make(map[uint32]change), shown: make(map[uint32]bool),
	}
}

func (s *Subscription) note(c change, id uint32) {
	if s.full {
		return // it will be in the frame anyway
	}
	if s.changes[id] == 0 {
		s.order = append(s.order, id)
	}
	s.changes[id] |= c
}

// maxChanges bounds what one frame says: a page takes about 5 ms to take it in.
const maxChanges = 1000

// Next returns the next frame; ok is false when the page has everything. Of many changes a frame holds the
// first, and wake is called for the rest.
func (s *Subscription) Next() (frame []byte, ok bool) {
	s.board.sync()
	var f *wire.Frame
	if s.full {
		f = s.everything()
	} else {
		f = s.difference()
	}
	if len(s.order) > 0 {
		s.wake()
	}
	if f.Empty() {
		return nil, false
	}
	return s.encoder.Board(f), true
}

// Close ends the stream.
func (s *Subscription) Close() { s.board.unsubscribe(s) }

// everything returns the whole board but for the pods, which are left for the frames that follow, in the
// order in which they came.
func (s *Subscription) everything() *wire.Frame {
	b := s.board
	f := &wire.Frame{Full: true}
	for _, o := range sorted(maps.Values(b.owners), func(o *owner) uint32 { return o.id }) {
		f.Owners = append(f.Owners, o.wire)
	}
	for _, n := range sorted(maps.Values(b.nodes), func(n *node) uint32 { return n.id }) {
		if n.exists {
			f.Nodes = append(f.Nodes, n.wire)
			s.shown[n.id] = true
		}
	}
	s.full = false
	for _, p := range sorted(maps.Values(b.pods), func(p *pod) uint32 { return p.id }) {
		s.note(podChange, p.id)
	}
	s.fill(f)
	return f
}

// sorted collects values in the order of their numbers.
func sorted[T any](values func(func(T) bool), id func(T) uint32) []T {
	return slices.SortedFunc(values, func(a, b T) int { return cmp.Compare(id(a), id(b)) })
}

// difference returns what changed first.
func (s *Subscription) difference() *wire.Frame {
	f := &wire.Frame{}
	s.fill(f)
	return f
}

// fill moves changes into the frame.
func (s *Subscription) fill(f *wire.Frame) {
	n := min(len(s.order), maxChanges)
	for _, id := range s.order[:n] {
		c := s.changes[id]
		delete(s.changes, id)
		thing := s.board.things[id]
		switch {
		case c&ownerChange != 0:
			if o, ok := thing.(*owner); ok {
				f.Owners = append(f.Owners, o.wire)
			}
		case c&(nodeChange|useChange) != 0:
			n, _ := thing.(*node)
			s.addNode(f, id, c, n)
		default:
			p, _ := thing.(*pod)
			s.addPod(f, id, c, p)
		}
	}
	s.order = append(s.order[:0], s.order[n:]...)
}

func (s *Subscription) addNode(f *wire.Frame, id uint32, c change, n *node) {
	switch {
	case n == nil || !n.exists:
		if s.shown[id] {
			delete(s.shown, id)
			f.NodesGone = append(f.NodesGone, id)
		}
	case c&nodeChange != 0 || !s.shown[id]:
		s.shown[id] = true
		f.Nodes = append(f.Nodes, n.wire)
	default:
		f.Uses = append(f.Uses, wire.Use{Node: id, Requested: n.wire.Requested})
	}
}

func (s *Subscription) addPod(f *wire.Frame, id uint32, c change, p *pod) {
	known := s.shown[id]
	switch {
	case p == nil:
		if known { // one that came and went in between was never shown
			delete(s.shown, id)
			f.PodsGone = append(f.PodsGone, id)
		}
	case c&podChange != 0 || !known:
		s.shown[id] = true
		f.Pods = append(f.Pods, p.wire)
	default:
		f.Moves = append(f.Moves, p.wire.Move)
	}
}
