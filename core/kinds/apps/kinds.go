// Package apps holds the kinds of the apps group.
package apps

import (
	appsv1 "k8s.io/api/apps/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := appsv1.SchemeGroupVersion
	return kinds.Assemble(strategies(), columns(), []*kinds.Kind{
		kinds.Of[appsv1.ControllerRevision, appsv1.ControllerRevisionList](v1, kinds.Kind{Resource: "controllerrevisions", Namespaced: true}),
		kinds.Of[appsv1.DaemonSet, appsv1.DaemonSetList](v1, kinds.Kind{Resource: "daemonsets", ShortNames: []string{"ds"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true}),
		kinds.Of[appsv1.Deployment, appsv1.DeploymentList](v1, kinds.Kind{Resource: "deployments", ShortNames: []string{"deploy"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true, Subresources: []string{"scale"}}),
		kinds.Of[appsv1.ReplicaSet, appsv1.ReplicaSetList](v1, kinds.Kind{Resource: "replicasets", ShortNames: []string{"rs"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true, Subresources: []string{"scale"}}),
		kinds.Of[appsv1.StatefulSet, appsv1.StatefulSetList](v1, kinds.Kind{Resource: "statefulsets", ShortNames: []string{"sts"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true, Subresources: []string{"scale"}}),
	})
}
