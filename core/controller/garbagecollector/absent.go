package garbagecollector

import (
	"cmp"
	"slices"
	"strings"
)

// mayRemove reports whether the node goes when nothing of the identity exists. It does not when the node
// may be something else: dependents name it in different ways, or it was seen under another identity. Then
// only the dependents that name the absent one are looked at, and a virtual node is tried under the next
// name that it goes by.
func (g *graph) mayRemove(n *node, absent identity) bool {
	matching, others := partition(n.dependents.list, absent)
	if n.virtual && len(others) == 0 || !n.virtual && n.id == absent {
		return true
	}
	if len(matching) > 0 {
		g.absent.Add(absent, nil)
		for _, d := range matching {
			g.look(d)
		}
	}
	if n.virtual && n.id == absent {
		if next, ok := alternate(others, absent); ok {
			replacement := n.clone(next)
			g.nodes[next.UID] = replacement
			g.look(replacement)
		}
	}
	return false
}

// partition divides dependents into those with a reference that names id and those with one to the same UID
// that does not; one may be in both. Models partitionDependents.
func partition(dependents []*node, id identity) (matching, others []*node) {
	for _, d := range dependents {
		match, mismatch := false, false
		if id.Namespace != "" && id.Namespace != d.id.Namespace {
			mismatch = true
		} else {
			for _, ref := range d.owners {
				if ref.UID == id.UID {
					match = match || names(ref, id)
					mismatch = mismatch || !names(ref, id)
				}
			}
		}
		if match {
			matching = append(matching, d)
		}
		if mismatch {
			others = append(others, d)
		}
	}
	return matching, others
}

// alternate returns another identity by which the dependents refer to the absent one's UID: the one that
// follows it in order, or the first. Models getAlternateOwnerIdentity.
func alternate(dependents []*node, absent identity) (next identity, ok bool) {
	var all []identity
	for _, d := range dependents {
		for _, ref := range d.owners {
			if ref.UID != absent.UID || names(ref, absent) && (absent.Namespace == "" || absent.Namespace == d.id.Namespace) {
				continue
			}
			id := identityOf(ref, d.id.Namespace)
			if absent.Namespace == "" && id.APIVersion == absent.APIVersion && id.Kind == absent.Kind {
				id.Namespace = "" // the kind is known to be cluster-scoped
			}
			if id != absent {
				all = append(all, id)
			}
		}
	}
	if len(all) == 0 {
		return identity{}, false
	}
	slices.SortFunc(all, compareIdentities)
	i := slices.IndexFunc(all, func(id identity) bool { return compareIdentities(absent, id) < 0 })
	return all[max(i, 0)], true
}

func compareIdentities(a, b identity) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.APIVersion, b.APIVersion),
		strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name), strings.Compare(string(a.UID), string(b.UID)))
}
