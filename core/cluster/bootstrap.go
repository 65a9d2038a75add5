package cluster

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
)

// bootstrap makes what every cluster has, and the nodes of a new one; what is there already stays.
func (c *Cluster) bootstrap() (err error) {
	fresh := c.Store.Revision() == 0
	c.As("kube-apiserver", kinds.Key{}, func() {
		for _, name := range []string{metav1.NamespaceDefault, "kube-node-lease", metav1.NamespacePublic, metav1.NamespaceSystem} {
			_, made := c.Client.Namespaces().Create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
			if made != nil && !apierrors.IsAlreadyExists(made) {
				err = fmt.Errorf("the namespace %s cannot be made: %w", name, made)
			}
		}
	})
	if err != nil || !fresh || c.cfg.Nodes == 0 {
		return err
	}
	c.As(Admin, kinds.Key{Resource: "nodes"}, func() { _, err = c.Park.Join(c.cfg.Nodes, c.cfg.Capacity) })
	return err
}
