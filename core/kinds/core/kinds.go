// Package core holds the kinds of the core (unnamed) group.
package core

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := corev1.SchemeGroupVersion
	return kinds.Assemble(strategies(), columns(), []*kinds.Kind{
		kinds.Virtual[corev1.Binding](v1, kinds.Kind{Resource: "bindings", Namespaced: true}),
		kinds.Of[corev1.ComponentStatus, corev1.ComponentStatusList](v1, kinds.Kind{Resource: "componentstatuses", ShortNames: []string{"cs"}, Verbs: []string{"get", "list"}}),
		kinds.Of[corev1.ConfigMap, corev1.ConfigMapList](v1, kinds.Kind{Resource: "configmaps", ShortNames: []string{"cm"}, Namespaced: true}),
		kinds.Of[corev1.Endpoints, corev1.EndpointsList](v1, kinds.Kind{Resource: "endpoints", ShortNames: []string{"ep"}, Namespaced: true}),
		kinds.Of[corev1.Event, corev1.EventList](v1, kinds.Kind{Resource: "events", ShortNames: []string{"ev"}, Namespaced: true}),
		kinds.Of[corev1.LimitRange, corev1.LimitRangeList](v1, kinds.Kind{Resource: "limitranges", ShortNames: []string{"limits"}, Namespaced: true}),
		kinds.Of[corev1.Namespace, corev1.NamespaceList](v1, kinds.Kind{Resource: "namespaces", ShortNames: []string{"ns"}, Verbs: []string{"create", "delete", "get", "list", "patch", "update", "watch"}, HasStatus: true, Subresources: []string{"finalize"}}),
		kinds.Of[corev1.Node, corev1.NodeList](v1, kinds.Kind{Resource: "nodes", ShortNames: []string{"no"}, HasStatus: true, Subresources: []string{"proxy"}}),
		kinds.Of[corev1.PersistentVolumeClaim, corev1.PersistentVolumeClaimList](v1, kinds.Kind{Resource: "persistentvolumeclaims", ShortNames: []string{"pvc"}, Namespaced: true, HasStatus: true}),
		kinds.Of[corev1.PersistentVolume, corev1.PersistentVolumeList](v1, kinds.Kind{Resource: "persistentvolumes", ShortNames: []string{"pv"}, HasStatus: true}),
		kinds.Of[corev1.Pod, corev1.PodList](v1, kinds.Kind{Resource: "pods", ShortNames: []string{"po"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true, Subresources: []string{"attach", "binding", "ephemeralcontainers", "eviction", "exec", "log", "portforward", "proxy", "resize"}}),
		kinds.Of[corev1.PodTemplate, corev1.PodTemplateList](v1, kinds.Kind{Resource: "podtemplates", Namespaced: true}),
		kinds.Of[corev1.ReplicationController, corev1.ReplicationControllerList](v1, kinds.Kind{Resource: "replicationcontrollers", ShortNames: []string{"rc"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true, Subresources: []string{"scale"}}),
		kinds.Of[corev1.ResourceQuota, corev1.ResourceQuotaList](v1, kinds.Kind{Resource: "resourcequotas", ShortNames: []string{"quota"}, Namespaced: true, HasStatus: true}),
		kinds.Of[corev1.Secret, corev1.SecretList](v1, kinds.Kind{Resource: "secrets", Namespaced: true}),
		kinds.Of[corev1.ServiceAccount, corev1.ServiceAccountList](v1, kinds.Kind{Resource: "serviceaccounts", ShortNames: []string{"sa"}, Namespaced: true, Subresources: []string{"token"}}),
		kinds.Of[corev1.Service, corev1.ServiceList](v1, kinds.Kind{Resource: "services", ShortNames: []string{"svc"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true, Subresources: []string{"proxy"}}),
	})
}
