// Package serviceaccount is the service account controller: every active namespace has the ServiceAccount
// "default".
//
// Models pkg/controller/serviceaccount serviceaccounts_controller.go.
package serviceaccount

import (
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
const Name = "service-account-controller"

const defaultName = "default"

// A Controller makes default service accounts. Its keys are namespaces.
type Controller struct {
	*controller.Controller
	namespaces informer.Lister[*corev1.Namespace]
	accounts   informer.Lister[*corev1.ServiceAccount]
	api        client.Resource[*corev1.ServiceAccount]
}

// New returns the controller. It must be called before the informers start.
func New(deps controller.Deps) *Controller {
	namespaces := informer.Shared[*corev1.Namespace](deps.Informers, "namespaces")
	accounts := informer.Shared[*corev1.ServiceAccount](deps.Informers, "serviceaccounts")
	queue := workqueue.New(deps.Loop, workqueue.Config{Name: Name})
	c := &Controller{
		namespaces: namespaces.Lister(), accounts: accounts.Lister(),
		api: deps.Client.ServiceAccount(Name).ServiceAccounts(),
	}
	namespaces.AddHandler(func(ev informer.Event[*corev1.Namespace]) {
		if ev.Type != informer.Deleted {
			queue.Add(ev.Key, ev.Trigger())
		}
	})
	accounts.AddHandler(func(ev informer.Event[*corev1.ServiceAccount]) {
		if ev.Type == informer.Deleted {
			queue.Add(kinds.Key{Resource: "namespaces", Name: ev.Key.Namespace}, ev.Trigger())
		}
	})
	c.Controller = controller.New(controller.Config{
		Name: Name, Workers: 1, Loop: deps.Loop, Trace: deps.Trace, Queue: queue, Reconcile: c.reconcile,
		Ready: func() bool { return namespaces.HasSynced() && accounts.HasSynced() },
	})
	namespaces.OnSync(c.Kick)
	accounts.OnSync(c.Kick)
	return c
}

// reconcile makes the namespace's default account where it is missing. Models syncNamespace.
func (c *Controller) reconcile(key kinds.Key) error {
	ns, ok := c.namespaces.Get("", key.Name)
	if !ok || ns.Status.Phase != corev1.NamespaceActive {
		return nil
	}
	if _, ok := c.accounts.Get(ns.Name, defaultName); ok {
		return nil
	}
	_, err := c.api.Create(&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: defaultName}})
	if apierrors.IsAlreadyExists(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		return nil
	}
	return err
}
