package apiserver

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
)

// A Verb is what a request asks for, in the words of authorization.
type Verb string

const (
	Get              Verb = "get"
	List             Verb = "list"
	Watch            Verb = "watch"
	Create           Verb = "create"
	Update           Verb = "update"
	PatchVerb        Verb = "patch"
	Delete           Verb = "delete"
	DeleteCollection Verb = "deletecollection"
)

// A Request is one call of the Kubernetes API, already decoded.
type Request struct {
	User      string // who asks; authenticated by whoever made the Request
	Verb      Verb
	Kind      *kinds.Kind
	Namespace string // empty: cluster-scoped, or all namespaces for list and watch
	Name      string
	// Subresource is "", "status", "scale", "binding", "eviction", "finalize" or another of the kind's.
	Subresource string

	// Object is the body of create and update. It belongs to the server once the request is made.
	Object kinds.Object
	// FromClient says that Object was decoded from bytes that someone wrote, so that it must be
	// defaulted and a write that changes nothing must be recognized.
	FromClient bool
	Patch      *Patch
	Delete     metav1.DeleteOptions

	Labels   labels.Selector // list, watch, deletecollection; nil selects everything
	Fields   fields.Selector
	Revision kinds.Revision // get and list: read at this revision (0: the newest); watch: from here
	Limit    int            // list: at most so many, 0 for all
	Continue kinds.Key      // list: those after this key

	DryRun bool
}

// A Patch is the body of a patch request.
type Patch struct {
	Type types.PatchType
	Data []byte
	// Strict refuses unknown fields; otherwise they become warnings (Warn) or nothing.
	FieldValidation string // "Strict", "Warn" or "Ignore"
}

// A Response answers a Request.
type Response struct {
	// Object is the object read or written, the last state of one that was deleted, or nil where the
	// answer is only that it was done (binding, eviction).
	Object   kinds.Object
	Created  bool           // the write created the object
	List     []kinds.Object // in order of namespace and name
	Revision kinds.Revision // of the write, or of the state a list shows
	// Remaining is how many objects a limited list left out; the last of List is where to go on.
	Remaining int
	Warnings  []string
	Watch     *WatchStream
}
