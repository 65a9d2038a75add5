package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds/check"
)

// maxClientIPSeconds is how long a client may stick to an endpoint at most: a day.
const maxClientIPSeconds = 86400

// A serviceValidator checks one service; old is nil for a new one.
type serviceValidator struct {
	check.Errors
	service, old *corev1.Service
}

// validateService checks a service.
//
// Differs: healthCheckNodePort may be missing; upstream allocates it before it validates.
//
// Models pkg/apis/core/validation validateService.
func validateService(s, old *corev1.Service) field.ErrorList {
	v := serviceValidator{service: s, old: old}
	v.all()
	return v.List()
}

func (v *serviceValidator) all() {
	s, spec := v.service, &v.service.Spec
	at := check.Root("spec")
	hints, hasHints := s.Annotations[corev1.DeprecatedAnnotationTopologyAwareHints]
	mode, hasMode := s.Annotations[corev1.AnnotationTopologyMode]
	if hasHints && hasMode && hints != mode {
		metadata := check.Root("metadata")
		annotations := metadata.Child("annotations")
		key := annotations.Key(corev1.AnnotationTopologyMode)
		v.Invalid(&key, "", mode, "must match annotations["+corev1.DeprecatedAnnotationTopologyAwareHints+"] when both are specified")
	}
	if len(spec.Ports) == 0 && !isHeadless(spec) && spec.Type != corev1.ServiceTypeExternalName {
		v.Required(&at, "ports", "")
	}
	v.ofType(&at)
	v.ports(&at)
	v.Labels(&at, "selector", spec.Selector)
	v.affinity(&at)
	v.clusterIPs(&at)
	v.externalIPs(&at)
	switch spec.Type {
	case corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeExternalName:
	case "":
		v.Required(&at, "type", "")
	default:
		v.NotSupported(&at, "type", spec.Type, "ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
	}
	v.uniquePorts(&at)
	v.sourceRanges(&at)
	balanced := spec.Type == corev1.ServiceTypeLoadBalancer
	if spec.AllocateLoadBalancerNodePorts != nil && !balanced {
		v.Forbidden(&at, "allocateLoadBalancerNodePorts", "may only be used when `type` is 'LoadBalancer'")
	}
	if spec.AllocateLoadBalancerNodePorts == nil && balanced {
		v.Required(nil, "allocateLoadBalancerNodePorts", "")
	}
	v.balancerClass(&at)
	v.traffic(&at)
}

func (v *serviceValidator) balancerClass(at *check.Path) {
	balanced := v.service.Spec.Type == corev1.ServiceTypeLoadBalancer
	if c := v.service.Spec.LoadBalancerClass; c != nil && balanced {
		v.QualifiedName(at, "loadBalancerClass", *c)
	} else if c != nil {
		v.Forbidden(at, "loadBalancerClass", "may only be used when `type` is 'LoadBalancer'")
	}
}

func (v *serviceValidator) ofType(at *check.Path) {
	spec := &v.service.Spec
	switch spec.Type {
	case corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeNodePort:
		if isHeadless(spec) {
			v.Invalid(at, "clusterIPs[0]", spec.ClusterIPs[0], "may not be set to 'None' for "+string(spec.Type)+" services")
		}
	case corev1.ServiceTypeExternalName:
		const detail = "may not be set for ExternalName services"
		if len(spec.ClusterIPs) > 0 {
			v.Forbidden(at, "clusterIPs", detail)
		}
		if len(spec.IPFamilies) > 0 {
			v.Forbidden(at, "ipFamilies", detail)
		}
		if spec.IPFamilyPolicy != nil {
			v.Forbidden(at, "ipFamilyPolicy", detail)
		}
		if name := strings.TrimSuffix(spec.ExternalName, "."); name != "" {
			v.DNSSubdomain(at, "externalName", name)
		} else {
			v.Required(at, "externalName", "")
		}
	}
}

func (v *serviceValidator) ports(at *check.Path) {
	spec := &v.service.Spec
	var names check.Set
	ports := at.Child("ports")
	for i := range spec.Ports {
		p, port := &spec.Ports[i], ports.Index(i)
		if p.Name == "" && len(spec.Ports) > 1 {
			v.Required(&port, "name", "")
		} else if p.Name != "" {
			v.DNSLabel(&port, "name", p.Name)
			if !names.Add(p.Name) {
				v.Duplicate(&port, "name", p.Name)
			}
		}
		v.Port(&port, "port", p.Port)
		protocol(&v.Errors, &port, p.Protocol)
		if p.TargetPort.Type == intstr.Int {
			v.Port(&port, "targetPort", p.TargetPort.IntVal)
		} else {
			v.PortName(&port, "targetPort", p.TargetPort.StrVal)
		}
		if p.AppProtocol != nil {
			v.QualifiedName(&port, "appProtocol", *p.AppProtocol)
		}
	}
}

func protocol(e *check.Errors, at *check.Path, p corev1.Protocol) {
	switch p {
	case corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP:
	case "":
		e.Required(at, "protocol", "")
	default:
		e.NotSupported(at, "protocol", p, "SCTP", "TCP", "UDP")
	}
}

func (v *serviceValidator) affinity(at *check.Path) {
	spec := &v.service.Spec
	c := spec.SessionAffinityConfig
	const when = "when session affinity type is ClientIP"
	switch spec.SessionAffinity {
	case "":
		v.Required(at, "sessionAffinity", "")
	case corev1.ServiceAffinityNone:
		if c != nil {
			v.Forbidden(at, "sessionAffinityConfig", "must not be set when session affinity is None")
		}
	case corev1.ServiceAffinityClientIP:
		switch {
		case c == nil:
			v.Required(at, "sessionAffinityConfig", when)
		case c.ClientIP == nil:
			v.Required(at, "sessionAffinityConfig.clientIP", when)
		case c.ClientIP.TimeoutSeconds == nil:
			v.Required(at, "sessionAffinityConfig.clientIP.timeoutSeconds", when)
		case *c.ClientIP.TimeoutSeconds <= 0 || *c.ClientIP.TimeoutSeconds > maxClientIPSeconds:
			v.Invalid(at, "sessionAffinityConfig.clientIP.timeoutSeconds", *c.ClientIP.TimeoutSeconds,
				"must be greater than 0 and less than "+decimal(int64(maxClientIPSeconds)))
		}
	default:
		v.NotSupported(at, "sessionAffinity", spec.SessionAffinity, "ClientIP", "None")
	}
}

func (v *serviceValidator) externalIPs(at *check.Path) {
	var known []string
	if v.old != nil {
		known = v.old.Spec.ExternalIPs
	}
	list := at.Child("externalIPs")
	for i, ip := range v.service.Spec.ExternalIPs {
		place := list.Index(i)
		if errs := validation.IsValidIPForLegacyField(place.Field(), ip, true, known); len(errs) > 0 {
			v.Add(errs...)
		} else {
			EndpointIP(&v.Errors, &place, "", ip)
		}
	}
}

// uniquePorts checks that no port is there twice, and no node port where there can be none.
func (v *serviceValidator) uniquePorts(at *check.Path) {
	spec := &v.service.Spec
	ports := at.Child("ports")
	var onNode, onIP check.Set
	for i := range spec.Ports {
		port := ports.Index(i)
		if spec.Type == corev1.ServiceTypeClusterIP && spec.Ports[i].NodePort != 0 {
			v.Forbidden(&port, "nodePort", "may not be used when `type` is 'ClusterIP'")
		}
	}
	for i := range spec.Ports {
		p, port := &spec.Ports[i], ports.Index(i)
		if p.NodePort != 0 && !onNode.Add(string(p.Protocol)+"/"+decimal(int64(p.NodePort))) {
			v.Duplicate(&port, "nodePort", p.NodePort)
		}
	}
	for i := range spec.Ports {
		p, port := &spec.Ports[i], ports.Index(i)
		if !onIP.Add(string(p.Protocol) + "/" + decimal(int64(p.Port))) {
			v.Duplicate(&port, "", check.Internal(corev1.ServicePort{Protocol: p.Protocol, Port: p.Port}))
		}
	}
}

func (v *serviceValidator) sourceRanges(at *check.Path) {
	spec := &v.service.Spec
	const only = "may only be used when `type` is 'LoadBalancer'"
	if len(spec.LoadBalancerSourceRanges) > 0 {
		ranges := at.Child("LoadBalancerSourceRanges") // upstream's spelling
		if spec.Type != corev1.ServiceTypeLoadBalancer {
			v.Forbidden(&ranges, "", only)
		}
		var known []string
		if v.old != nil {
			for _, cidr := range v.old.Spec.LoadBalancerSourceRanges {
				known = append(known, strings.TrimSpace(cidr))
			}
		}
		for i, cidr := range spec.LoadBalancerSourceRanges {
			place := ranges.Index(i)
			v.Add(validation.IsValidCIDRForLegacyField(place.Field(), strings.TrimSpace(cidr), true, known)...)
		}
		return
	}
	text, ok := v.service.Annotations[corev1.AnnotationLoadBalancerSourceRangesKey]
	if !ok {
		return
	}
	metadata := check.Root("metadata")
	annotations := metadata.Child("annotations")
	key := annotations.Key(corev1.AnnotationLoadBalancerSourceRangesKey)
	if spec.Type != corev1.ServiceTypeLoadBalancer {
		v.Forbidden(&key, "", only)
	}
	if v.old != nil && v.old.Annotations[corev1.AnnotationLoadBalancerSourceRangesKey] == text || strings.TrimSpace(text) == "" {
		return
	}
	for cidr := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		v.Add(validation.IsValidCIDRForLegacyField(key.Field(), strings.TrimSpace(cidr), true, nil)...)
	}
}

func (v *serviceValidator) traffic(at *check.Path) {
	spec := &v.service.Spec
	policy := spec.ExternalTrafficPolicy
	switch {
	case !externallyAccessible(spec):
		if policy != "" {
			v.Invalid(at, "externalTrafficPolicy", policy, "may only be set for externally-accessible services")
		}
	case policy == "":
		v.Required(at, "externalTrafficPolicy", "")
	case policy != corev1.ServiceExternalTrafficPolicyCluster && policy != corev1.ServiceExternalTrafficPolicyLocal:
		v.NotSupported(at, "externalTrafficPolicy", policy, "Cluster", "Local")
	}
	if n := spec.HealthCheckNodePort; n != 0 && !healthChecked(spec) {
		v.Invalid(at, "healthCheckNodePort", n, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")
	} else if n != 0 {
		v.Port(at, "healthCheckNodePort", n)
	}
	switch p := ptr.Deref(spec.InternalTrafficPolicy, ""); p {
	case corev1.ServiceInternalTrafficPolicyCluster, corev1.ServiceInternalTrafficPolicyLocal:
	default:
		if spec.InternalTrafficPolicy != nil {
			v.NotSupported(at, "internalTrafficPolicy", p, "Cluster", "Local")
		} else if spec.Type == corev1.ServiceTypeNodePort || spec.Type == corev1.ServiceTypeLoadBalancer || spec.Type == corev1.ServiceTypeClusterIP {
			v.Required(at, "internalTrafficPolicy", "")
		}
	}
	if d := spec.TrafficDistribution; d != nil {
		switch *d {
		case corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone, corev1.ServiceTrafficDistributionPreferSameNode:
		default:
			v.NotSupported(at, "trafficDistribution", *d, "PreferClose", "PreferSameZone", "PreferSameNode")
		}
	}
}
