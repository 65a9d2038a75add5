// Package client is how everything inside the cluster talks to the API: typed verbs over a Transport.
//
// It promises: requests run at once and return what the server decided; errors are the server's. Objects
// returned are shared and immutable; objects handed in belong to the server afterwards, so hand in a
// copy of what you read (a shallow one may share what it does not change).
package client

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/apiserver"
	"terrarium/core/kinds"
)

// A Transport answers requests. *apiserver.Server is one.
type Transport interface {
	Do(*apiserver.Request) (*apiserver.Response, error)
	Kinds() *kinds.Registry
}

// A Client makes requests as one user.
type Client struct {
	transport Transport
	user      string
}

// New returns a client of the API that speaks as user.
func New(t Transport, user string) *Client { return &Client{t, user} }

// As returns a client that speaks as another user.
func (c *Client) As(user string) *Client { return &Client{c.transport, user} }

// ServiceAccount returns a client that speaks as a service account of kube-system.
func (c *Client) ServiceAccount(name string) *Client {
	return c.As("system:serviceaccount:kube-system:" + name)
}

// User returns who the client speaks as.
func (c *Client) User() string { return c.user }

// Kinds returns the kinds that the API serves.
func (c *Client) Kinds() *kinds.Registry { return c.transport.Kinds() }

// Bind assigns a pod to a node; it fails when the name has gone to another pod.
func (c *Client) Bind(pod *corev1.Pod, node string) error {
	_, err := c.transport.Do(&apiserver.Request{
		User: c.user, Verb: apiserver.Create, Kind: c.podKind(), Namespace: pod.Namespace, Name: pod.Name, Subresource: "binding",
		Object: &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
			Target:     corev1.ObjectReference{Kind: "Node", Name: node},
		},
	})
	return err
}

// Evict deletes a pod unless its disruption budget forbids that.
func (c *Client) Evict(namespace, pod string, opts *metav1.DeleteOptions) error {
	_, err := c.transport.Do(&apiserver.Request{
		User: c.user, Verb: apiserver.Create, Kind: c.podKind(), Namespace: namespace, Name: pod, Subresource: "eviction",
		Object: &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: pod}, DeleteOptions: opts},
	})
	return err
}

func (c *Client) podKind() *kinds.Kind { return c.Kinds().ByStorageResource("pods") }

// A Resource makes requests about one kind whose Go type is T.
type Resource[T kinds.Object] struct {
	client *Client
	kind   *kinds.Kind
}

// Of returns the requests about the kind kept under resource ("pods", "deployments.apps"), whose type must
// be T. It panics on a resource that is not served.
func Of[T kinds.Object](c *Client, resource string) Resource[T] {
	kind := c.Kinds().ByStorageResource(resource)
	if kind == nil {
		panic("BUG: client: no kind is stored as " + resource)
	}
	return Resource[T]{c, kind}
}

// Any returns the requests about a kind whose Go type need not be known.
func Any(c *Client, kind *kinds.Kind) Resource[kinds.Object] { return Resource[kinds.Object]{c, kind} }

// Kind returns the kind that the requests are about.
func (r Resource[T]) Kind() *kinds.Kind { return r.kind }

func (r Resource[T]) request(verb apiserver.Verb, namespace, name string) *apiserver.Request {
	return &apiserver.Request{User: r.client.user, Verb: verb, Kind: r.kind, Namespace: namespace, Name: name}
}

func (r Resource[T]) do(req *apiserver.Request) (T, error) {
	resp, err := r.client.transport.Do(req)
	if err != nil {
		var none T
		return none, err
	}
	obj, _ := resp.Object.(T)
	return obj, nil
}

// Get reads one object.
func (r Resource[T]) Get(namespace, name string) (T, error) {
	return r.do(r.request(apiserver.Get, namespace, name))
}

// List reads the objects of a namespace (all when empty) that sel selects (all when nil), in order of
// namespace and name, and the revision they were read at.
func (r Resource[T]) List(namespace string, sel labels.Selector) ([]T, kinds.Revision, error) {
	req := r.request(apiserver.List, namespace, "")
	req.Labels = sel
	resp, err := r.client.transport.Do(req)
	if err != nil {
		return nil, 0, err
	}
	out := make([]T, len(resp.List))
	for i, o := range resp.List {
		out[i] = o.(T)
	}
	return out, resp.Revision, nil
}

// Create makes a new object.
func (r Resource[T]) Create(obj T) (T, error) {
	req := r.request(apiserver.Create, obj.GetNamespace(), "")
	req.Object = obj
	return r.do(req)
}

// Update replaces an object; a stale resourceVersion is a Conflict.
func (r Resource[T]) Update(obj T) (T, error) { return r.update(obj, "") }

// UpdateStatus replaces an object's status.
func (r Resource[T]) UpdateStatus(obj T) (T, error) { return r.update(obj, "status") }

// UpdateSubresource writes another subresource whose body is the object itself, such as "finalize".
func (r Resource[T]) UpdateSubresource(obj T, subresource string) (T, error) {
	return r.update(obj, subresource)
}

func (r Resource[T]) update(obj T, subresource string) (T, error) {
	req := r.request(apiserver.Update, obj.GetNamespace(), obj.GetName())
	req.Object, req.Subresource = obj, subresource
	return r.do(req)
}

// Patch applies a patch of the given type to an object or its subresource.
func (r Resource[T]) Patch(namespace, name string, pt types.PatchType, data []byte, subresource string) (T, error) {
	req := r.request(apiserver.PatchVerb, namespace, name)
	req.Subresource = subresource
	req.Patch = &apiserver.Patch{Type: pt, Data: data}
	return r.do(req)
}

// Delete deletes an object, gracefully where its kind has that.
func (r Resource[T]) Delete(namespace, name string, opts metav1.DeleteOptions) error {
	req := r.request(apiserver.Delete, namespace, name)
	req.Delete = opts
	_, err := r.client.transport.Do(req)
	return err
}

// DeleteCollection deletes every object of a namespace that sel selects.
func (r Resource[T]) DeleteCollection(namespace string, sel labels.Selector, opts metav1.DeleteOptions) error {
	req := r.request(apiserver.DeleteCollection, namespace, "")
	req.Labels, req.Delete = sel, opts
	_, err := r.client.transport.Do(req)
	return err
}

// Watch follows the changes after a revision of the objects that the selectors choose (nil: all).
func (r Resource[T]) Watch(namespace string, from kinds.Revision, sel labels.Selector, f fields.Selector) (*apiserver.WatchStream, error) {
	req := r.request(apiserver.Watch, namespace, "")
	req.Revision, req.Labels, req.Fields = from, sel, f
	resp, err := r.client.transport.Do(req)
	if err != nil {
		return nil, err
	}
	return resp.Watch, nil
}
