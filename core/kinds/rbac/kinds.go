// Package rbac holds the kinds of the rbac.authorization.k8s.io group.
package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := rbacv1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[rbacv1.ClusterRoleBinding, rbacv1.ClusterRoleBindingList](v1, kinds.Kind{Resource: "clusterrolebindings"}),
		kinds.Of[rbacv1.ClusterRole, rbacv1.ClusterRoleList](v1, kinds.Kind{Resource: "clusterroles"}),
		kinds.Of[rbacv1.RoleBinding, rbacv1.RoleBindingList](v1, kinds.Kind{Resource: "rolebindings", Namespaced: true}),
		kinds.Of[rbacv1.Role, rbacv1.RoleList](v1, kinds.Kind{Resource: "roles", Namespaced: true}),
	})
}
