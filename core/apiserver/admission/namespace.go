package admission

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
)

// namespaceLifecycle refuses to create in a namespace that is missing or going away.
//
// Models k8s.io/apiserver pkg/admission/plugin/namespace/lifecycle admission.go.
func namespaceLifecycle(cluster Cluster, a *Attributes) error {
	if a.Verb != "create" || !a.Kind.Namespaced || a.Kind.NewList == nil {
		return nil
	}
	name := a.Object.GetNamespace()
	obj, ok := cluster.Lookup(kinds.Key{Resource: "namespaces", Name: name})
	if !ok {
		return apierrors.NewNotFound(corev1.Resource("namespaces"), name)
	}
	ns := obj.(*corev1.Namespace)
	if ns.Status.Phase != corev1.NamespaceTerminating {
		return nil
	}
	err := a.forbid(fmt.Errorf("unable to create new content in namespace %s because it is being terminated", name))
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type: corev1.NamespaceTerminatingCause, Message: fmt.Sprintf("namespace %s is being terminated", name), Field: "metadata.namespace",
	})
	return err
}

// immortalNamespace refuses to delete the namespaces a cluster cannot be without.
func immortalNamespace(a *Attributes) error {
	if a.Kind.StorageResource() != "namespaces" {
		return nil
	}
	switch name := a.Old.GetName(); name {
	case metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic:
		return apierrors.NewForbidden(a.Kind.GVR().GroupResource(), name, errors.New("this namespace may not be deleted"))
	}
	return nil
}
