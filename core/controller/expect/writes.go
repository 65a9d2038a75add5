package expect

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
)

// Writes tell whether the informers of a controller have seen what it wrote for a key. Until they have, a
// reconcile would decide on a past that the controller itself made, and its writes would conflict.
//
// A controller that finds itself Behind returns and does nothing: each write it waits for comes back as an
// event that queues the key again.
//
// Models pkg/controller/util/consistency; there a reconcile that is behind fails and is retried.
type Writes struct {
	seen  func(resource string) kinds.Revision
	wrote map[kinds.Key][]written // one entry a resource: the newest revision written
}

// NewWrites returns an empty record; seen says up to which revision the informer of a resource has read.
func NewWrites(seen func(resource string) kinds.Revision) *Writes {
	return &Writes{seen: seen, wrote: make(map[kinds.Key][]written)}
}

type written struct {
	resource string
	revision kinds.Revision
}

// Wrote notes that obj, of the resource, was written for key.
func (w *Writes) Wrote(key kinds.Key, resource string, obj metav1.Object) {
	rev := kinds.RevisionOf(obj)
	if rev == 0 {
		return
	}
	list := w.wrote[key]
	for i := range list {
		if list[i].resource == resource {
			list[i].revision = max(list[i].revision, rev)
			return
		}
	}
	w.wrote[key] = append(list, written{resource, rev})
}

// Behind reports whether something written for key was not seen yet.
func (w *Writes) Behind(key kinds.Key) bool {
	for _, x := range w.wrote[key] {
		if w.seen(x.resource) < x.revision {
			return true
		}
	}
	delete(w.wrote, key)
	return false
}

// Forget drops what was written for key.
func (w *Writes) Forget(key kinds.Key) { delete(w.wrote, key) }
