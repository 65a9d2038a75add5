package core

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds/table"
)

func nodeCells(obj *corev1.Node, now table.Time) []any {
	info := &obj.Status.NodeInfo
	kernel := table.Or(info.KernelVersion, "<unknown>")
	if info.Architecture != "" {
		kernel += " (" + info.Architecture + ")"
	}
	return []any{obj.Name, nodeStatus(obj), table.OrNone(strings.Join(nodeRoles(obj), ",")), now.Age(obj),
		info.KubeletVersion, nodeAddress(obj, corev1.NodeInternalIP), nodeAddress(obj, corev1.NodeExternalIP),
		table.Or(info.OSImage, "<unknown>"), kernel, table.Or(info.ContainerRuntimeVersion, "<unknown>")}
}

// nodeStatus returns what kubectl get shows as the node's STATUS.
func nodeStatus(obj *corev1.Node) string {
	status := "Unknown"
	for _, c := range obj.Status.Conditions {
		if c.Type == corev1.NodeReady {
			status = "NotReady"
			if c.Status == corev1.ConditionTrue {
				status = "Ready"
			}
		}
	}
	if obj.Spec.Unschedulable {
		status += ",SchedulingDisabled"
	}
	return status
}

// nodeRoles returns the roles that the node's labels name, sorted.
func nodeRoles(obj *corev1.Node) []string {
	var roles []string
	for key, value := range obj.Labels {
		if role, ok := strings.CutPrefix(key, "node-role.kubernetes.io/"); ok && role != "" {
			roles = append(roles, role)
		} else if key == "kubernetes.io/role" && value != "" {
			roles = append(roles, value)
		}
	}
	slices.Sort(roles)
	return slices.Compact(roles)
}

func nodeAddress(obj *corev1.Node, of corev1.NodeAddressType) string {
	for _, a := range obj.Status.Addresses {
		if a.Type == of {
			return a.Address
		}
	}
	return "<none>"
}
