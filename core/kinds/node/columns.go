package node

import (
	nodev1 "k8s.io/api/node/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"runtimeclasses": table.Of(func(obj *nodev1.RuntimeClass, now table.Time) []any {
			return []any{obj.Name, obj.Handler, now.Age(obj)}
		}, "Name", "Handler", "Age"),
	}
}
