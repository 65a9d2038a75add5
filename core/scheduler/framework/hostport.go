package framework

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

const anyHostIP = "0.0.0.0"

// A HostPort is a port of the node that a container takes.
type HostPort struct {
	IP       string
	Protocol corev1.Protocol
	Port     int32
}

// conflicts reports whether both cannot be taken at once.
func (p HostPort) conflicts(o HostPort) bool {
	return p.Port == o.Port && p.Protocol == o.Protocol &&
		(p.IP == o.IP || p.IP == anyHostIP || o.IP == anyHostIP)
}

// HostPorts are the ports taken on a node, each once.
type HostPorts []HostPort

// Conflict reports whether any of want is taken.
func (h HostPorts) Conflict(want []HostPort) bool {
	for _, w := range want {
		for _, p := range h {
			if p.conflicts(w) {
				return true
			}
		}
	}
	return false
}

func (h *HostPorts) add(ports []HostPort) {
	for _, p := range ports {
		if !slices.Contains(*h, p) {
			*h = append(*h, p)
		}
	}
}

func (h *HostPorts) remove(ports []HostPort) {
	for _, p := range ports {
		if i := slices.Index(*h, p); i >= 0 {
			*h = slices.Delete(*h, i, i+1)
		}
	}
}

// PodHostPorts returns the host ports of the pod's containers and sidecars.
// Models pkg/scheduler/util GetHostPorts.
func PodHostPorts(pod *corev1.Pod) []HostPort {
	var ports []HostPort
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			ports = appendHostPorts(ports, c)
		}
	}
	for i := range pod.Spec.Containers {
		ports = appendHostPorts(ports, &pod.Spec.Containers[i])
	}
	return ports
}

func appendHostPorts(ports []HostPort, c *corev1.Container) []HostPort {
	for i := range c.Ports {
		p := HostPort{c.Ports[i].HostIP, c.Ports[i].Protocol, c.Ports[i].HostPort}
		if p.Port <= 0 {
			continue
		}
		if p.IP == "" {
			p.IP = anyHostIP
		}
		if p.Protocol == "" {
			p.Protocol = corev1.ProtocolTCP
		}
		ports = append(ports, p)
	}
	return ports
}
