package kinds

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// An Object is one Kubernetes object with metadata: a pointer to one of the types of k8s.io/api.
//
// Once committed to the store an Object is immutable and shared by pointer with every reader; to change
// one, copy what changes (a shallow copy may share the parts that stay) and write the copy.
type Object interface {
	runtime.Object
	metav1.Object
}

// A Key names one object of the cluster. Resource is "pods" or, outside the core group,
// "deployments.apps" (schema.GroupResource.String); Namespace is empty for cluster-scoped kinds.
type Key struct{ Resource, Namespace, Name string }

// String returns "resource/namespace/name", or "resource/name" for a cluster-scoped object.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Resource + "/" + k.Name
	}
	return k.Resource + "/" + k.Namespace + "/" + k.Name
}

// ID returns "namespace/name", or "name" for a cluster-scoped object.
func (k Key) ID() string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "/" + k.Name
}

// A Revision numbers the commits of the whole cluster, from 1, without gaps that matter: a later commit
// has a greater revision. It is what metadata.resourceVersion holds as text.
type Revision int64

// RevisionOf returns the revision at which obj was written, 0 for one that is not of the store.
func RevisionOf(obj metav1.Object) Revision {
	n, _ := strconv.ParseInt(obj.GetResourceVersion(), 10, 64)
	return Revision(n)
}
