package apply

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/client"
	"terrarium/core/kinds"
	"terrarium/core/kinds/codec"
)

// An Exported cluster is a text of which Apply makes its objects again.
type Exported struct {
	Text    string `json:"text"`
	Objects int    `json:"objects"`
	Secrets int    `json:"secrets"` // how many of them are Secrets, readable as they are
}

// Export writes down what people made of a cluster, in an order that can be applied to a new one. It leaves
// out what the cluster makes by itself, and of each object what the server writes; what a person changed of an
// object that every cluster has (a label of the namespace default) is in it.
//
// Not in it: the history of rollouts and finished attempts (objects that a controller owns), who owns an object
// without controlling it (owners have other UIDs next time), objects that are being deleted, Endpoints and
// EndpointSlices, and which node a pod was scheduled to. An object that was made without apply and is too large
// for the annotation that apply writes (256 KiB) is in it, but apply refuses it, as kubectl's does.
func Export(api *client.Client, c *codec.Codec, now time.Time) (Exported, error) {
	e := exporter{codec: c, leaving: make(map[string]bool), made: make(map[string]bool), withPods: make(map[string]bool)}
	order := exportOrder(api.Kinds())
	lists := make([][]kinds.Object, len(order))
	for i, k := range order {
		list, _, err := client.Any(api, k).List("", nil)
		if err != nil {
			return Exported{}, fmt.Errorf("the %s cannot be exported: %w", k.Resource, err)
		}
		lists[i] = list
		e.survey(list)
	}
	for i, k := range order {
		for _, obj := range lists[i] {
			if err := e.add(k, obj); err != nil {
				return Exported{}, err
			}
		}
	}
	e.out.Text = e.header(now) + e.text.String()
	return e.out, nil
}

// exportOrder returns the kinds that are exported, each after what it needs to be admitted: namespaces, then
// nodes, then what belongs to no namespace, then the rest, with pods at the end.
func exportOrder(r *kinds.Registry) []*kinds.Kind {
	var order []*kinds.Kind
	for _, k := range r.List() {
		resource := k.StorageResource()
		if r.ByStorageResource(resource) == k && (k.Verbs == nil || slices.Contains(k.Verbs, "list") && slices.Contains(k.Verbs, "create")) && !unmade[resource] {
			order = append(order, k)
		}
	}
	rank := func(k *kinds.Kind) int {
		switch {
		case k.StorageResource() == "namespaces":
			return 0
		case k.StorageResource() == "nodes":
			return 1
		case !k.Namespaced:
			return 2
		case k.StorageResource() == "pods":
			return 4
		}
		return 3
	}
	slices.SortStableFunc(order, func(a, b *kinds.Kind) int { return rank(a) - rank(b) })
	return order
}

// unmade are the resources that nobody makes by hand.
var unmade = map[string]bool{
	"events": true, "events.events.k8s.io": true, "leases.coordination.k8s.io": true,
	"endpoints": true, "endpointslices.discovery.k8s.io": true, "controllerrevisions.apps": true,
}

// An exporter collects documents.
type exporter struct {
	codec    *codec.Codec
	leaving  map[string]bool // namespaces that are being deleted
	made     map[string]bool // namespaces that people made
	withPods map[string]bool // namespaces with a pod that people made
	text     strings.Builder
	out      Exported
}

// survey notes about the objects of a kind what decides about others.
func (e *exporter) survey(list []kinds.Object) {
	for _, obj := range list {
		switch o := obj.(type) {
		case *corev1.Namespace:
			e.leaving[o.Name] = o.DeletionTimestamp != nil || o.Status.Phase == corev1.NamespaceTerminating
			e.made[o.Name] = !given(o.Name)
		case *corev1.Pod:
			if e.byHand(o) {
				e.withPods[o.Namespace] = true
			}
		}
	}
}

// given reports whether every cluster has the namespace.
func given(namespace string) bool {
	switch namespace {
	case metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease:
		return true
	}
	return false
}

// byHand reports whether an object is here to stay and no controller's.
func (e *exporter) byHand(obj kinds.Object) bool {
	return obj.GetDeletionTimestamp() == nil && !e.leaving[obj.GetNamespace()] && metav1.GetControllerOfNoCopy(obj) == nil
}

// add writes an object's document unless the cluster made it by itself.
func (e *exporter) add(k *kinds.Kind, obj kinds.Object) error {
	if !e.byHand(obj) || e.leaving[obj.GetName()] && k.StorageResource() == "namespaces" {
		return nil
	}
	data, err := e.codec.JSON(obj)
	if err != nil {
		return err
	}
	doc, err := object(data)
	if err != nil {
		return err
	}
	clean(doc, obj)
	if e.systems(doc, obj) {
		return nil
	}
	e.text.WriteString("---\n")
	e.text.WriteString(text(doc))
	e.out.Objects++
	if _, ok := obj.(*corev1.Secret); ok {
		e.out.Secrets++
	}
	return nil
}

// systems reports whether the cluster makes the object, whose document is doc, by itself and as it is. The
// account "default" of a namespace that the text makes is only there a moment after it, too late for a pod.
func (e *exporter) systems(doc map[string]any, obj kinds.Object) bool {
	name, namespace := obj.GetName(), obj.GetNamespace()
	switch obj.(type) {
	case *corev1.Namespace:
		return given(name) && bare(doc)
	case *corev1.ServiceAccount:
		return name == "default" && bare(doc) && !(e.made[namespace] && e.withPods[namespace])
	case *corev1.ConfigMap:
		return name == "kube-root-ca.crt"
	case *corev1.Service:
		return name == "kubernetes" && namespace == metav1.NamespaceDefault
	}
	return false
}

// bare reports whether a document says no more than which object it is.
func bare(doc map[string]any) bool {
	m := meta(doc)
	_, namespaced := m["namespace"]
	return len(doc) == 3 && (len(m) == 1 || len(m) == 2 && namespaced)
}

func (e *exporter) header(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A Terrarium cluster as it was at %s of its own time.\n", now.UTC().Format(time.RFC3339))
	if e.out.Objects == 0 {
		b.WriteString("# There was nothing in it but what every cluster has.\n")
		return b.String()
	}
	b.WriteString("# Drop this file on the editor of a new cluster and apply it. What controllers made is not in it:\n")
	b.WriteString("# they make it again. A node that is already there keeps the capacity it has.\n")
	if e.out.Secrets > 0 {
		b.WriteString("# Secrets are in it, and anyone who has the file can read them.\n")
	}
	return b.String()
}
