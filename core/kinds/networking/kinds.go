// Package networking holds the kinds of the networking.k8s.io group.
package networking

import (
	networkingv1 "k8s.io/api/networking/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := networkingv1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[networkingv1.IngressClass, networkingv1.IngressClassList](v1, kinds.Kind{Resource: "ingressclasses"}),
		kinds.Of[networkingv1.Ingress, networkingv1.IngressList](v1, kinds.Kind{Resource: "ingresses", ShortNames: []string{"ing"}, Namespaced: true, HasStatus: true}),
		kinds.Of[networkingv1.IPAddress, networkingv1.IPAddressList](v1, kinds.Kind{Resource: "ipaddresses", ShortNames: []string{"ip"}}),
		kinds.Of[networkingv1.NetworkPolicy, networkingv1.NetworkPolicyList](v1, kinds.Kind{Resource: "networkpolicies", ShortNames: []string{"netpol"}, Namespaced: true}),
		kinds.Of[networkingv1.ServiceCIDR, networkingv1.ServiceCIDRList](v1, kinds.Kind{Resource: "servicecidrs", HasStatus: true}),
	})
}
