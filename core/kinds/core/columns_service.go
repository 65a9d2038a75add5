package core

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"terrarium/core/kinds/table"
)

func serviceCells(obj *corev1.Service, now table.Time) []any {
	ip := ""
	if len(obj.Spec.ClusterIPs) > 0 {
		ip = obj.Spec.ClusterIPs[0]
	}
	ports := make([]string, len(obj.Spec.Ports))
	for i, p := range obj.Spec.Ports {
		ports[i] = fmt.Sprintf("%d/%s", p.Port, p.Protocol)
		if p.NodePort > 0 {
			ports[i] = fmt.Sprintf("%d:%d/%s", p.Port, p.NodePort, p.Protocol)
		}
	}
	return []any{obj.Name, string(obj.Spec.Type), table.OrNone(ip), externalIP(obj),
		table.OrNone(strings.Join(ports, ",")), now.Age(obj), labels.FormatLabels(obj.Spec.Selector)}
}

func externalIP(obj *corev1.Service) string {
	ips := strings.Join(obj.Spec.ExternalIPs, ",")
	switch obj.Spec.Type {
	case corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort:
		return table.OrNone(ips)
	case corev1.ServiceTypeLoadBalancer:
		var given []string
		for _, in := range obj.Status.LoadBalancer.Ingress {
			if at := table.Or(in.IP, in.Hostname); at != "" {
				given = append(given, at)
			}
		}
		slices.Sort(given)
		return table.Or(strings.Join(append(slices.Compact(given), obj.Spec.ExternalIPs...), ","), "<pending>")
	case corev1.ServiceTypeExternalName:
		return obj.Spec.ExternalName
	}
	return "<unknown>"
}

func endpointsCells(obj *corev1.Endpoints, now table.Time) []any {
	return []any{obj.Name, formatEndpoints(obj), now.Age(obj)}
}

func formatEndpoints(obj *corev1.Endpoints) string {
	if len(obj.Subsets) == 0 {
		return "<none>"
	}
	var all []string
	for _, s := range obj.Subsets {
		if len(s.Ports) == 0 {
			for _, a := range s.Addresses {
				all = append(all, a.IP)
			}
		}
		for _, p := range s.Ports {
			for _, a := range s.Addresses {
				all = append(all, net.JoinHostPort(a.IP, strconv.Itoa(int(p.Port))))
			}
		}
	}
	return table.More(all, 3)
}
