package cluster

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"terrarium/core/client"
	"terrarium/core/kinds"
)

// bootstrap makes what every cluster has, and the nodes of a new one; what is there already stays.
func (c *Cluster) bootstrap() (err error) {
	fresh := c.Store.Revision() == 0
	c.As("kube-apiserver", kinds.Key{}, func() {
		for _, name := range []string{metav1.NamespaceDefault, corev1.NamespaceNodeLease, metav1.NamespacePublic, metav1.NamespaceSystem} {
			err = errors.Join(err, ensure(c.Client.Namespaces(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}))
		}
		err = errors.Join(err, ensure(client.Of[*corev1.Service](c.Client, "services"), kubernetesService()))
	})
	if err != nil || !fresh || c.cfg.Nodes == 0 {
		return err
	}
	c.As(Admin, kinds.Key{Resource: "nodes"}, func() { _, err = c.Park.Join(c.cfg.Nodes, c.cfg.Capacity) })
	return err
}

// ensure makes obj unless it is there.
func ensure[T kinds.Object](resource client.Resource[T], obj T) error {
	_, err := resource.Get(obj.GetNamespace(), obj.GetName())
	if apierrors.IsNotFound(err) {
		_, err = resource.Create(obj)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be made: %w", obj.GetName(), err)
	}
	return nil
}

// kubernetesService is the API server's own Service, by which pods find it.
//
// Models pkg/controlplane/controller/kubernetesservice CreateOrUpdateMasterServiceIfNeeded. Differs: it has no
// endpoints yet.
func kubernetesService() *corev1.Service {
	const first = "10.96.0.1" // of the Services' addresses
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Name: "kubernetes", Namespace: metav1.NamespaceDefault,
			Labels: map[string]string{"provider": "kubernetes", "component": "apiserver"},
		},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, ClusterIP: first, ClusterIPs: []string{first},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, IPFamilyPolicy: ptr.To(corev1.IPFamilyPolicySingleStack),
			Ports:           []corev1.ServicePort{{Name: "https", Protocol: corev1.ProtocolTCP, Port: 443, TargetPort: intstr.FromInt32(6443)}},
			SessionAffinity: corev1.ServiceAffinityNone, InternalTrafficPolicy: ptr.To(corev1.ServiceInternalTrafficPolicyCluster),
		},
	}
}
