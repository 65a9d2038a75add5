package client

import (
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
)

// Pods returns the requests about pods.
func (c *Client) Pods() Resource[*corev1.Pod] { return Of[*corev1.Pod](c, "pods") }

// Nodes returns the requests about nodes.
func (c *Client) Nodes() Resource[*corev1.Node] { return Of[*corev1.Node](c, "nodes") }

// Namespaces returns the requests about namespaces.
func (c *Client) Namespaces() Resource[*corev1.Namespace] {
	return Of[*corev1.Namespace](c, "namespaces")
}

// ServiceAccounts returns the requests about service accounts.
func (c *Client) ServiceAccounts() Resource[*corev1.ServiceAccount] {
	return Of[*corev1.ServiceAccount](c, "serviceaccounts")
}

// ConfigMaps returns the requests about config maps.
func (c *Client) ConfigMaps() Resource[*corev1.ConfigMap] {
	return Of[*corev1.ConfigMap](c, "configmaps")
}

// Events returns the requests about events.
func (c *Client) Events() Resource[*corev1.Event] { return Of[*corev1.Event](c, "events") }

// Leases returns the requests about leases.
func (c *Client) Leases() Resource[*coordinationv1.Lease] {
	return Of[*coordinationv1.Lease](c, "leases.coordination.k8s.io")
}

// Deployments returns the requests about deployments.
func (c *Client) Deployments() Resource[*appsv1.Deployment] {
	return Of[*appsv1.Deployment](c, "deployments.apps")
}

// ReplicaSets returns the requests about replica sets.
func (c *Client) ReplicaSets() Resource[*appsv1.ReplicaSet] {
	return Of[*appsv1.ReplicaSet](c, "replicasets.apps")
}
