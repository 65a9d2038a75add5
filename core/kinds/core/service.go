package core

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func services() kinds.Strategy {
	return kinds.Strategy{
		Default:          defaultService,
		ValidateName:     check.LabelName,
		PrepareForCreate: prepareService,
		Validate:         func(obj kinds.Object) field.ErrorList { return validateService(obj.(*corev1.Service), nil) },
		PrepareForUpdate: prepareServiceUpdate,
		ValidateUpdate:   validateServiceUpdate,
		PrepareForStatusUpdate: func(obj, old kinds.Object) {
			obj.(*corev1.Service).Spec = old.(*corev1.Service).Spec
		},
		ValidateStatusUpdate: validateServiceStatus,
		CreateOnUpdate:       true,
		Warnings:             serviceWarnings,
		FieldNames:           []string{"spec.clusterIP", "spec.type"},
		Fields: func(obj kinds.Object) fields.Set {
			s := obj.(*corev1.Service)
			return fields.Set{"spec.clusterIP": s.Spec.ClusterIP, "spec.type": string(s.Spec.Type)}
		},
	}
}

// defaultService fills in the type, ports' protocols and targets, and policies.
//
// Models pkg/apis/core/v1 SetDefaults_Service.
func defaultService(obj kinds.Object) {
	spec := &obj.(*corev1.Service).Spec
	switch spec.SessionAffinity {
	case "":
		spec.SessionAffinity = corev1.ServiceAffinityNone
		spec.SessionAffinityConfig = nil
	case corev1.ServiceAffinityNone:
		spec.SessionAffinityConfig = nil
	case corev1.ServiceAffinityClientIP:
		if c := spec.SessionAffinityConfig; c == nil || c.ClientIP == nil || c.ClientIP.TimeoutSeconds == nil {
			timeout := corev1.DefaultClientIPServiceAffinitySeconds
			spec.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &timeout}}
		}
	}
	if spec.Type == "" {
		spec.Type = corev1.ServiceTypeClusterIP
	}
	defaultServicePorts(spec)
	if spec.ExternalTrafficPolicy == "" && externallyAccessible(spec) {
		spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyCluster
	}
	if spec.InternalTrafficPolicy == nil && spec.Type != corev1.ServiceTypeExternalName {
		spec.InternalTrafficPolicy = ptr.To(corev1.ServiceInternalTrafficPolicyCluster)
	}
	if spec.Type != corev1.ServiceTypeLoadBalancer {
		return
	}
	if spec.AllocateLoadBalancerNodePorts == nil {
		spec.AllocateLoadBalancerNodePorts = ptr.To(true)
	}
	status := &obj.(*corev1.Service).Status
	for i := range status.LoadBalancer.Ingress {
		if in := status.LoadBalancer.Ingress[i]; in.IP != "" && in.IPMode == nil {
			status.LoadBalancer.Ingress = slices.Clone(status.LoadBalancer.Ingress)
			status.LoadBalancer.Ingress[i].IPMode = ptr.To(corev1.LoadBalancerIPModeVIP)
		}
	}
}

func defaultServicePorts(spec *corev1.ServiceSpec) {
	missing := func(p *corev1.ServicePort) bool {
		return p.Protocol == "" || p.TargetPort == intstr.FromInt32(0) || p.TargetPort == intstr.FromString("")
	}
	for i := range spec.Ports {
		if !missing(&spec.Ports[i]) {
			continue
		}
		spec.Ports = slices.Clone(spec.Ports)
		for j := range spec.Ports {
			p := &spec.Ports[j]
			if p.Protocol == "" {
				p.Protocol = corev1.ProtocolTCP
			}
			if missing(p) {
				p.TargetPort = intstr.FromInt32(p.Port)
			}
		}
		return
	}
}

func externallyAccessible(spec *corev1.ServiceSpec) bool {
	return spec.Type == corev1.ServiceTypeLoadBalancer || spec.Type == corev1.ServiceTypeNodePort ||
		spec.Type == corev1.ServiceTypeClusterIP && len(spec.ExternalIPs) > 0
}

func isHeadless(spec *corev1.ServiceSpec) bool {
	return len(spec.ClusterIPs) == 1 && spec.ClusterIPs[0] == corev1.ClusterIPNone
}

func prepareService(obj kinds.Object) {
	s := obj.(*corev1.Service)
	s.Status = corev1.ServiceStatus{}
	sameClusterIPs(s, nil)
}

func prepareServiceUpdate(obj, old kinds.Object) {
	s, was := obj.(*corev1.Service), old.(*corev1.Service)
	s.Status = was.Status
	sameClusterIPs(s, was)
	dropOldType(s, was)
}

// sameClusterIPs keeps clusterIPs in step with clusterIP for clients that know only the latter.
//
// Models pkg/registry/core/service/storage normalizeClusterIPs.
func sameClusterIPs(s, old *corev1.Service) {
	spec := &s.Spec
	if old == nil {
		if spec.ClusterIP != "" && len(spec.ClusterIPs) == 0 {
			spec.ClusterIPs = []string{spec.ClusterIP}
		}
		return
	}
	was := &old.Spec
	if spec.ClusterIP == was.ClusterIP {
		if len(was.ClusterIPs) > 0 && len(spec.ClusterIPs) == 0 {
			spec.ClusterIPs = was.ClusterIPs
		}
		return
	}
	if !slices.Equal(spec.ClusterIPs, was.ClusterIPs) {
		return
	}
	if was.ClusterIP != "" && spec.ClusterIP == "" {
		spec.ClusterIPs = nil
	} else {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
}

// dropOldType drops what only the old type of the service had, where the client did not change it.
//
// Models pkg/registry/core/service dropTypeDependentFields.
func dropOldType(s, old *corev1.Service) {
	spec, was := &s.Spec, &old.Spec
	nodePorts := func(t corev1.ServiceType) bool {
		return t == corev1.ServiceTypeNodePort || t == corev1.ServiceTypeLoadBalancer
	}
	if was.Type != corev1.ServiceTypeExternalName && spec.Type == corev1.ServiceTypeExternalName {
		if spec.ClusterIP == was.ClusterIP && slices.Equal(spec.ClusterIPs, was.ClusterIPs) {
			spec.ClusterIP, spec.ClusterIPs = "", nil
		}
		if slices.Equal(spec.IPFamilies, was.IPFamilies) {
			spec.IPFamilies = nil
		}
		if ptr.Deref(spec.IPFamilyPolicy, "") == ptr.Deref(was.IPFamilyPolicy, "") {
			spec.IPFamilyPolicy = nil
		}
	}
	if nodePorts(was.Type) && !nodePorts(spec.Type) && sameNodePorts(spec, was) {
		spec.Ports = slices.Clone(spec.Ports)
		for i := range spec.Ports {
			spec.Ports[i].NodePort = 0
		}
	}
	if healthChecked(was) && !healthChecked(spec) && spec.HealthCheckNodePort == was.HealthCheckNodePort {
		spec.HealthCheckNodePort = 0
	}
	if was.Type == corev1.ServiceTypeLoadBalancer && spec.Type != corev1.ServiceTypeLoadBalancer {
		a, b := spec.AllocateLoadBalancerNodePorts, was.AllocateLoadBalancerNodePorts
		if a != nil && b != nil && *a == *b {
			spec.AllocateLoadBalancerNodePorts = nil
		}
		if ptr.Equal(spec.LoadBalancerClass, was.LoadBalancerClass) {
			spec.LoadBalancerClass = nil
		}
	}
	if externallyAccessible(was) && !externallyAccessible(spec) && spec.ExternalTrafficPolicy == was.ExternalTrafficPolicy {
		spec.ExternalTrafficPolicy = ""
	}
	if spec.Type != corev1.ServiceTypeLoadBalancer {
		s.Status.LoadBalancer = corev1.LoadBalancerStatus{}
	}
}

// sameNodePorts reports whether all node ports are ones that the old service had.
func sameNodePorts(spec, old *corev1.ServiceSpec) bool {
	for _, p := range spec.Ports {
		if p.NodePort != 0 && !slices.ContainsFunc(old.Ports, func(o corev1.ServicePort) bool { return o.NodePort == p.NodePort }) {
			return false
		}
	}
	return true
}

func healthChecked(spec *corev1.ServiceSpec) bool {
	return spec.Type == corev1.ServiceTypeLoadBalancer && spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
}

// serviceWarnings returns hints about a service.
//
// Models pkg/api/service GetWarningsForService.
func serviceWarnings(obj, _ kinds.Object) (warnings []string) {
	s := obj.(*corev1.Service)
	spec := &s.Spec
	at := field.NewPath("spec")
	add := func(list []string) { warnings = append(warnings, list...) }
	headless := spec.Type == corev1.ServiceTypeClusterIP && spec.ClusterIP == corev1.ClusterIPNone
	if _, ok := s.Annotations[corev1.DeprecatedAnnotationTopologyAwareHints]; ok {
		add([]string{"annotation " + corev1.DeprecatedAnnotationTopologyAwareHints + " is deprecated, please use " + corev1.AnnotationTopologyMode + " instead"})
	}
	if spec.ClusterIP != "" && spec.ClusterIP != corev1.ClusterIPNone {
		for i, ip := range spec.ClusterIPs {
			add(validation.GetWarningsForIP(at.Child("clusterIPs").Index(i), ip))
		}
	}
	if headless {
		for _, f := range [...]struct {
			set  bool
			name string
		}{{spec.LoadBalancerIP != "", "loadBalancerIP"}, {len(spec.ExternalIPs) > 0, "externalIPs"}, {spec.SessionAffinity != corev1.ServiceAffinityNone, "SessionAffinity"}} {
			if f.set {
				add([]string{"spec." + f.name + " is ignored for headless services"})
			}
		}
	}
	for i, ip := range spec.ExternalIPs {
		add(validation.GetWarningsForIP(at.Child("externalIPs").Index(i), ip))
	}
	external := spec.Type == corev1.ServiceTypeExternalName
	if len(spec.ExternalIPs) > 0 && !headless && !external {
		add([]string{"spec.externalIPs is deprecated and may no longer be implemented in some clusters"})
	}
	if spec.LoadBalancerIP != "" {
		add(validation.GetWarningsForIP(at.Child("loadBalancerIP"), spec.LoadBalancerIP))
	}
	for i, cidr := range spec.LoadBalancerSourceRanges {
		add(validation.GetWarningsForCIDR(at.Child("loadBalancerSourceRanges").Index(i), strings.TrimSpace(cidr)))
	}
	if external && len(spec.ExternalIPs) > 0 {
		add([]string{`spec.externalIPs is ignored when spec.type is "ExternalName"`})
	}
	if !external && spec.ExternalName != "" {
		add([]string{`spec.externalName is ignored when spec.type is not "ExternalName"`})
	}
	if ptr.Deref(spec.TrafficDistribution, "") == corev1.ServiceTrafficDistributionPreferClose {
		add([]string{`spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"`})
	}
	return warnings
}
