package rbac

import (
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"clusterrolebindings": table.Of(func(obj *rbacv1.ClusterRoleBinding, now table.Time) []any {
			return bindingCells(obj, &obj.RoleRef, obj.Subjects, now)
		}, "Name", "Role", "Age", "+Users", "+Groups", "+ServiceAccounts"),
		"rolebindings": table.Of(func(obj *rbacv1.RoleBinding, now table.Time) []any {
			return bindingCells(obj, &obj.RoleRef, obj.Subjects, now)
		}, "Name", "Role", "Age", "+Users", "+Groups", "+ServiceAccounts"),
		"clusterroles": table.NameAndCreation(),
		"roles":        table.NameAndCreation(),
	}
}

func bindingCells(obj kinds.Object, role *rbacv1.RoleRef, subjects []rbacv1.Subject, now table.Time) []any {
	var users, groups, accounts []string
	for _, s := range subjects {
		switch s.Kind {
		case rbacv1.UserKind:
			users = append(users, s.Name)
		case rbacv1.GroupKind:
			groups = append(groups, s.Name)
		case rbacv1.ServiceAccountKind:
			accounts = append(accounts, s.Namespace+"/"+s.Name)
		}
	}
	return []any{obj.GetName(), role.Kind + "/" + role.Name, now.Age(obj),
		strings.Join(users, ", "), strings.Join(groups, ", "), strings.Join(accounts, ", ")}
}
