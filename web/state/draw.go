package state

import (
	"cmp"
	"slices"

	"terrarium/core/projection/wire"
)

// touch notes that the node must be drawn again.
func (b *Board) touch(n *Node) {
	if !n.dirty {
		n.dirty = true
		b.queue = append(b.queue, n)
	}
}

// touchPod notes that the pod's tile must be drawn again.
func (b *Board) touchPod(p *Pod) {
	p.stale = true
	if p.at != nil {
		b.touch(p.at)
	} else {
		b.pendingDirty = true
	}
}

func (b *Board) touchNodes() {
	for _, n := range b.Nodes {
		b.touch(n)
	}
}

// ListChanged reports, once, whether nodes came or went. Then every node is to be drawn again.
func (b *Board) ListChanged() bool {
	was := b.listDirty
	b.listDirty = false
	return was
}

// PendingChanged reports, once, whether the tray must be drawn again.
func (b *Board) PendingChanged() bool {
	was := b.pendingDirty
	b.pendingDirty = false
	return was
}

// CountsChanged reports, once, whether the summary and the legend must be drawn again.
func (b *Board) CountsChanged() bool {
	was := b.countsDirty
	b.countsDirty = false
	return was
}

// NextChanged returns the next node that must be drawn again, nil when there is none. The caller draws it;
// what there was no time for it gives back with Again.
func (b *Board) NextChanged() *Node {
	for len(b.queue) > 0 {
		n := b.queue[0]
		b.queue = b.queue[1:]
		n.dirty = false
		if b.nodes[n.ID] == n {
			return n
		}
	}
	b.queue = nil
	return nil
}

// Unfinished reports whether anything waits to be drawn.
func (b *Board) Unfinished() bool {
	return b.listDirty || b.pendingDirty || b.countsDirty || len(b.queue) > 0
}

// Again notes that a node that NextChanged returned is not drawn to its end.
func (b *Board) Again(n *Node) { b.touch(n) }

// PendingAgain notes the same of the tray.
func (b *Board) PendingAgain() { b.pendingDirty = true }

// PendingUnfinished reports whether the tray waits to be drawn.
func (b *Board) PendingUnfinished() bool { return b.pendingDirty }

// Redraw asks for every node to be drawn again: the tiles changed their size.
func (b *Board) Redraw() { b.touchNodes() }

// Select says what the inspector shows; its tile stands out.
func (b *Board) Select(ref wire.Ref) {
	if ref == b.Selected {
		return
	}
	b.touchRef(b.Selected)
	b.Selected = ref
	b.touchRef(ref)
}

func (b *Board) touchRef(ref wire.Ref) {
	switch ref.Resource {
	case "nodes":
		if n := b.Node(ref.Name); n != nil {
			b.touch(n)
		}
	case "pods":
		for _, p := range b.pods {
			if p.Name == ref.Name && p.Namespace == ref.Namespace {
				b.touchPod(p)
			}
		}
	}
}

// SetFilter dims the pods that do not match.
func (b *Board) SetFilter(text string) {
	before := b.Filter
	for _, p := range b.pods {
		b.Filter = before
		was := b.Matches(p)
		b.Filter = text
		if b.Matches(p) != was {
			b.touchPod(p)
		}
	}
	b.Filter = text
}

// Refuse shows on every node why it did not take the pod; nil ends that.
func (b *Board) Refuse(r *wire.Refusal) {
	if r == nil && b.Refusal == nil {
		return
	}
	b.Refusal = r
	b.touchNodes()
}

// Reason returns why the node did not take the pod that Refusal is about. fits: it would do.
func (n *Node) Reason() (reason wire.NodeRefusal, fits, known bool) {
	r := n.from.Refusal
	if r == nil {
		return wire.NodeRefusal{}, false, false
	}
	for _, x := range r.Nodes {
		if x.Node == n.Name {
			return x, x.Plugin == "", true
		}
	}
	return wire.NodeRefusal{}, false, false
}

// An Application is what pods of one color have in common, for the legend.
type Application struct {
	Ref  wire.Ref
	Hue  uint32
	Pods int
}

// Applications returns the tops of the pods' owner chains, those with the most pods first.
func (b *Board) Applications() []Application {
	type key struct{ namespace, kind, name string }
	at := make(map[key]int)
	var all []Application
	for id, pods := range b.used {
		o := b.owners[id]
		if o == nil {
			continue
		}
		k := key{o.Namespace, o.RootKind, o.RootName}
		i, ok := at[k]
		if !ok {
			i = len(all)
			at[k] = i
			all = append(all, Application{Ref: wire.Ref{Kind: o.RootKind, Resource: o.RootResource, Namespace: o.Namespace, Name: o.RootName}, Hue: o.Hue})
		}
		all[i].Pods += pods
	}
	slices.SortFunc(all, func(a, b Application) int {
		return cmp.Or(cmp.Compare(b.Pods, a.Pods), cmp.Compare(a.Ref.ID(), b.Ref.ID()))
	})
	return all
}

// CompareNatural orders names so that node-2 comes before node-10.
func CompareNatural(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if !digit(a[i]) || !digit(b[j]) {
			if a[i] != b[j] {
				return cmp.Compare(a[i], b[j])
			}
			i, j = i+1, j+1
			continue
		}
		x, y := digits(a[i:]), digits(b[j:])
		i, j = i+len(x), j+len(y)
		x, y = trimZeros(x), trimZeros(y)
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), cmp.Compare(a, b))
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) string {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return s[:n]
}

func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}
