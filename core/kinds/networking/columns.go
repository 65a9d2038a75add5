package networking

import (
	"fmt"
	"slices"
	"strings"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"ingressclasses":  table.Of(ingressClassCells, "Name", "Controller", "Parameters", "Age"),
		"ingresses":       table.Of(ingressCells, "Name", "Class", "Hosts", "Address", "Ports", "Age"),
		"ipaddresses":     table.Of(ipAddressCells, "Name", "ParentRef"),
		"networkpolicies": table.Of(networkPolicyCells, "Name", "Pod-Selector", "Age"),
		"servicecidrs":    table.Of(serviceCIDRCells, "Name", "CIDRs", "Age"),
	}
}

func ingressClassCells(obj *networkingv1.IngressClass, now table.Time) []any {
	name := obj.Name
	if obj.Annotations[networkingv1.AnnotationIsDefaultIngressClass] == "true" {
		name += " (default)"
	}
	parameters := "<none>"
	if p := obj.Spec.Parameters; p != nil {
		parameters = p.Kind
		if p.APIGroup != nil {
			parameters += "." + *p.APIGroup
		}
		parameters += "/" + p.Name
	}
	return []any{name, obj.Spec.Controller, parameters, now.Age(obj)}
}

func ingressCells(obj *networkingv1.Ingress, now table.Time) []any {
	var at []string
	for _, in := range obj.Status.LoadBalancer.Ingress {
		if a := table.Or(in.IP, in.Hostname); a != "" {
			at = append(at, a)
		}
	}
	slices.Sort(at)
	ports := "80"
	if len(obj.Spec.TLS) > 0 {
		ports = "80, 443"
	}
	return []any{obj.Name, table.Deref(obj.Spec.IngressClassName, "<none>"), hosts(obj.Spec.Rules),
		strings.Join(slices.Compact(at), ","), ports, now.Age(obj)}
}

// hosts shows the first three hosts; how many rules there are beyond three is only said where there is a
// rule after them.
func hosts(rules []networkingv1.IngressRule) string {
	const most = 3
	var list []string
	for _, r := range rules {
		if len(list) == most {
			return fmt.Sprintf("%s + %d more...", strings.Join(list, ","), len(rules)-most)
		}
		if r.Host != "" {
			list = append(list, r.Host)
		}
	}
	return table.Or(strings.Join(list, ","), "*")
}

func ipAddressCells(obj *networkingv1.IPAddress, now table.Time) []any {
	parent := "<none>"
	if p := obj.Spec.ParentRef; p != nil {
		parent = strings.ToLower(schema.GroupResource{Group: p.Group, Resource: p.Resource}.String())
		if p.Namespace != "" {
			parent += "/" + p.Namespace
		}
		parent += "/" + p.Name
	}
	return []any{obj.Name, parent}
}

func networkPolicyCells(obj *networkingv1.NetworkPolicy, now table.Time) []any {
	return []any{obj.Name, metav1.FormatLabelSelector(&obj.Spec.PodSelector), now.Age(obj)}
}

func serviceCIDRCells(obj *networkingv1.ServiceCIDR, now table.Time) []any {
	return []any{obj.Name, strings.Join(obj.Spec.CIDRs, ","), now.Age(obj)}
}
