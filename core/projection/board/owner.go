package board

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
	"terrarium/core/projection/wire"
)

// hues is how many colors there are for the tops of owner chains.
const hues = 12

// shades tell the controllers of one top apart.
const shades = 3

// An owner is a controller of pods.
type owner struct {
	id   uint32
	uid  types.UID
	root *root
	pods int
	wire wire.Owner
}

type rootKey struct{ resource, namespace, name string }

// A root is the top of owner chains: it has a hue, its controllers have shades of that.
type root struct {
	key    rootKey
	hue    int
	shades [shades]int // controllers by shade
	owners int
}

// ownerOf returns the controller of a pod, nil when there is none.
func (b *Board) ownerOf(api *corev1.Pod) *owner {
	ref := controllerOf(api)
	if ref == nil {
		return nil
	}
	if o := b.owners[ref.UID]; o != nil {
		return o
	}
	o := &owner{uid: ref.UID}
	o.id = b.number(o)
	o.wire = wire.Owner{ID: o.id, Namespace: api.Namespace, Kind: ref.Kind, Resource: resourceOf(ref), Name: ref.Name}
	b.owners[ref.UID] = o
	b.setRoot(o)
	return o
}

// setOwner notes who controls the pod. A controller without pods is forgotten.
func (b *Board) setOwner(p *pod, o *owner) {
	if o != nil {
		o.pods++
		p.wire.Owner = o.id
	} else {
		p.wire.Owner = 0
	}
	old := p.owner
	p.owner = o
	if old == nil {
		return
	}
	if old.pods--; old.pods == 0 {
		b.leaveRoot(old)
		delete(b.owners, old.uid)
		delete(b.things, old.id)
	}
}

// syncOwner follows a controller to another top: it was adopted or released.
func (b *Board) syncOwner(uid types.UID) {
	o := b.owners[uid]
	if o == nil {
		return
	}
	if b.topOf(o) != o.root.key {
		b.leaveRoot(o)
		b.setRoot(o)
	}
}

// setRoot finds the top of the owner's chain and takes a color there.
func (b *Board) setRoot(o *owner) {
	key := b.topOf(o)
	r := b.roots[key]
	if r == nil {
		r = &root{key: key, hue: least(b.palette[:])}
		b.palette[r.hue]++
		b.roots[key] = r
	}
	shade := least(r.shades[:])
	r.shades[shade]++
	r.owners++
	o.root = r
	o.wire.Hue, o.wire.Shade = uint32(r.hue), uint32(shade)
	b.changed(ownerChange, o.id)
}

func (b *Board) leaveRoot(o *owner) {
	r := o.root
	r.shades[o.wire.Shade]--
	if r.owners--; r.owners == 0 {
		b.palette[r.hue]--
		delete(b.roots, r.key)
	}
}

// topOf follows the owner's controllers and sets its Root fields.
func (b *Board) topOf(o *owner) rootKey {
	const longest = 8 // chains are two long; a loop must end
	key := rootKey{o.wire.Resource, o.wire.Namespace, o.wire.Name}
	kind := o.wire.Kind
	for range longest {
		obj, ok := b.objects.Get(kinds.Key{Resource: key.resource, Namespace: key.namespace, Name: key.name})
		if !ok {
			break
		}
		ref := controllerOf(obj)
		if ref == nil {
			break
		}
		key, kind = rootKey{resourceOf(ref), key.namespace, ref.Name}, ref.Kind
	}
	o.wire.RootKind, o.wire.RootResource, o.wire.RootName = kind, key.resource, key.name
	return key
}

// resourceOf returns the resource of a controller that a reference names, as in kinds.Key. Kubernetes'
// own controllers all have the regular plural.
func resourceOf(ref *metav1.OwnerReference) string {
	plural := strings.ToLower(ref.Kind) + "s"
	if group, _, ok := strings.Cut(ref.APIVersion, "/"); ok {
		return plural + "." + group
	}
	return plural
}

// least returns the first index with the smallest number.
func least(counts []int) int {
	at := 0
	for i, n := range counts {
		if n < counts[at] {
			at = i
		}
	}
	return at
}
