package core

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// validateServiceStatus checks the addresses of a load balancer.
//
// Models pkg/apis/core/validation ValidateLoadBalancerStatus.
func validateServiceStatus(obj, old kinds.Object) field.ErrorList {
	s, was := obj.(*corev1.Service), old.(*corev1.Service)
	var e check.Errors
	status := check.Root("status")
	ingress := status.Child("loadBalancer.ingress")
	if s.Spec.Type != corev1.ServiceTypeLoadBalancer && len(s.Status.LoadBalancer.Ingress) > 0 {
		e.Forbidden(&ingress, "", "may only be used when `spec.type` is 'LoadBalancer'")
		return e.List()
	}
	var known []string
	for _, in := range was.Status.LoadBalancer.Ingress {
		known = append(known, in.IP)
	}
	for i := range s.Status.LoadBalancer.Ingress {
		in, place := &s.Status.LoadBalancer.Ingress[i], ingress.Index(i)
		loadBalancerIngress(&e, &place, in, known)
	}
	return e.List()
}

func loadBalancerIngress(e *check.Errors, at *check.Path, in *corev1.LoadBalancerIngress, known []string) {
	if in.IP != "" {
		e.Add(validation.IsValidIPForLegacyField(at.Field().Child("ip"), in.IP, true, known)...)
	}
	switch m := in.IPMode; {
	case m == nil && in.IP != "":
		e.Required(at, "ipMode", "must be specified when `ip` is set")
	case m != nil && in.IP == "":
		e.Forbidden(at, "ipMode", "may not be specified when `ip` is not set")
	case m != nil && *m != corev1.LoadBalancerIPModeVIP && *m != corev1.LoadBalancerIPModeProxy:
		e.NotSupported(at, "ipMode", *m, "Proxy", "VIP")
	}
	if in.Hostname != "" {
		e.DNSSubdomain(at, "hostname", in.Hostname)
		if parseIP(in.Hostname) != nil {
			e.Invalid(at, "hostname", in.Hostname, "must be a DNS name, not an IP address")
		}
	}
}
