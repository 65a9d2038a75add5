// Package rootcacertpublisher is the root CA certificate publisher: every namespace has the ConfigMap
// "kube-root-ca.crt" with the certificate that the API server is verified with.
//
// Models pkg/controller/certificates/rootcacertpublisher.
package rootcacertpublisher

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/client"
	"terrarium/core/controller"
	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/workqueue"
)

// Name is what the controller calls itself in spans and requests.
const Name = "root-ca-cert-publisher"

const (
	mapName       = "kube-root-ca.crt"
	dataKey       = "ca.crt"
	descriptionAt = "kubernetes.io/description"
	description   = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. " +
		"No other usage is guaranteed across distributions of Kubernetes clusters."
)

// A Controller publishes the certificate. Its keys are namespaces.
type Controller struct {
	*controller.Controller
	maps informer.Lister[*corev1.ConfigMap]
	api  client.Resource[*corev1.ConfigMap]
	data map[string]string
}

// New returns the controller. It must be called before the informers start.
func New(deps controller.Deps, rootCA string) *Controller {
	namespaces := informer.Shared[*corev1.Namespace](deps.Informers, "namespaces")
	configMaps := informer.Shared[*corev1.ConfigMap](deps.Informers, "configmaps")
	queue := workqueue.New(deps.Loop, workqueue.Config{Name: Name})
	c := &Controller{
		maps: configMaps.Lister(), api: deps.Client.ServiceAccount(Name).ConfigMaps(),
		data: map[string]string{dataKey: rootCA},
	}
	namespaces.AddHandler(func(ev informer.Event[*corev1.Namespace]) {
		if ev.Type != informer.Deleted && ev.New.Status.Phase == corev1.NamespaceActive {
			queue.Add(ev.Key, ev.Trigger())
		}
	})
	configMaps.AddHandler(func(ev informer.Event[*corev1.ConfigMap]) {
		if ev.Key.Name == mapName && ev.Type != informer.Added {
			queue.Add(kinds.Key{Resource: "namespaces", Name: ev.Key.Namespace}, ev.Trigger())
		}
	})
	c.Controller = controller.New(controller.Config{
		Name: Name, Workers: 1, Loop: deps.Loop, Trace: deps.Trace, Queue: queue, Reconcile: c.reconcile,
		Ready: configMaps.HasSynced,
	})
	configMaps.OnSync(c.Kick)
	return c
}

// reconcile makes or repairs the namespace's map. Models syncNamespace.
func (c *Controller) reconcile(key kinds.Key) error {
	cm, ok := c.maps.Get(key.Name, mapName)
	if !ok {
		_, err := c.api.Create(&corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: key.Name, Name: mapName, Annotations: map[string]string{descriptionAt: description},
			},
			Data: maps.Clone(c.data),
		})
		if apierrors.IsNotFound(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
			return nil
		}
		return err
	}
	if maps.Equal(cm.Data, c.data) && cm.Annotations[descriptionAt] != "" {
		return nil
	}
	next := *cm
	next.Data = maps.Clone(c.data)
	next.Annotations = make(map[string]string, len(cm.Annotations)+1)
	maps.Copy(next.Annotations, cm.Annotations)
	next.Annotations[descriptionAt] = description
	_, err := c.api.Update(&next)
	return err
}
