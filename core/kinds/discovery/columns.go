package discovery

import (
	"strconv"

	discoveryv1 "k8s.io/api/discovery/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"endpointslices": table.Of(sliceCells, "Name", "AddressType", "Ports", "Endpoints", "Age"),
	}
}

func sliceCells(obj *discoveryv1.EndpointSlice, now table.Time) []any {
	var ports, addresses []string
	for _, p := range obj.Ports {
		port := table.Deref(p.Name, "*")
		if p.Port != nil {
			port = strconv.Itoa(int(*p.Port))
		}
		ports = append(ports, port)
	}
	for _, e := range obj.Endpoints {
		addresses = append(addresses, e.Addresses...)
	}
	return []any{obj.Name, string(obj.AddressType), table.Or(table.More(ports, 3), "<unset>"),
		table.Or(table.More(addresses, 3), "<unset>"), now.Age(obj)}
}
