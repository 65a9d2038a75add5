package core

import (
	"net"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// Endpoints that the endpoints controller writes carry this label; they get no warnings.
const (
	managedByLabel      = "endpoints.kubernetes.io/managed-by"
	endpointsController = "endpoint-controller"
)

func endpoints() kinds.Strategy {
	return kinds.Strategy{
		Default:        defaultEndpoints,
		Validate:       func(obj kinds.Object) field.ErrorList { return validateEndpoints(obj.(*corev1.Endpoints)) },
		ValidateUpdate: validateEndpointsUpdate,
		CreateOnUpdate: true,
		Warnings:       endpointsWarnings,
	}
}

func defaultEndpoints(obj kinds.Object) {
	e := obj.(*corev1.Endpoints)
	for i := range e.Subsets {
		for j := range e.Subsets[i].Ports {
			if e.Subsets[i].Ports[j].Protocol != "" {
				continue
			}
			copied := e.DeepCopy()
			e.Subsets = copied.Subsets
			for k := range e.Subsets {
				for l := range e.Subsets[k].Ports {
					if p := &e.Subsets[k].Ports[l]; p.Protocol == "" {
						p.Protocol = corev1.ProtocolTCP
					}
				}
			}
			return
		}
	}
}

// validateEndpoints checks addresses and ports.
//
// Models pkg/apis/core/validation validateEndpointSubsets.
func validateEndpoints(ep *corev1.Endpoints) field.ErrorList {
	var e check.Errors
	subsets := check.Root("subsets")
	for i := range ep.Subsets {
		s, subset := &ep.Subsets[i], subsets.Index(i)
		if len(s.Addresses) == 0 && len(s.NotReadyAddresses) == 0 {
			e.Required(&subset, "", "must specify `addresses` or `notReadyAddresses`")
		}
		endpointAddresses(&e, &subset, "addresses", s.Addresses)
		endpointAddresses(&e, &subset, "notReadyAddresses", s.NotReadyAddresses)
		ports := subset.Child("ports")
		for j := range s.Ports {
			p, port := &s.Ports[j], ports.Index(j)
			if p.Name == "" && len(s.Ports) > 1 {
				e.Required(&port, "name", "")
			} else if p.Name != "" {
				e.DNSLabel(&port, "name", p.Name)
			}
			e.Port(&port, "port", p.Port)
			protocol(&e, &port, p.Protocol)
			if p.AppProtocol != nil {
				e.QualifiedName(&port, "appProtocol", *p.AppProtocol)
			}
		}
	}
	return e.List()
}

func endpointAddresses(e *check.Errors, at *check.Path, child string, list []corev1.EndpointAddress) {
	addresses := at.Child(child)
	for i := range list {
		a, address := &list[i], addresses.Index(i)
		if !isPlainIP(a.IP) {
			e.Add(validation.IsValidIPForLegacyField(address.Field().Child("ip"), a.IP, true, nil)...)
		}
		if a.Hostname != "" {
			e.DNSLabel(&address, "hostname", a.Hostname)
		}
		if a.NodeName != nil {
			e.DNSSubdomain(&address, "nodeName", *a.NodeName)
		}
		EndpointIP(e, &address, "ip", a.IP)
	}
}

// EndpointIP refuses addresses that reach nothing or only the node itself.
//
// Models pkg/apis/core/validation ValidateEndpointIP.
func EndpointIP(e *check.Errors, at *check.Path, child, text string) {
	ip := parseIP(text)
	switch {
	case ip == nil:
		e.Invalid(at, child, text, "must be a valid IP address")
	case ip.IsUnspecified():
		e.Invalid(at, child, text, "may not be unspecified ("+text+")")
	case ip.IsLoopback():
		e.Invalid(at, child, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)")
	case ip.IsLinkLocalUnicast():
		e.Invalid(at, child, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)")
	case ip.IsLinkLocalMulticast():
		e.Invalid(at, child, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)")
	}
}

func parseIP(s string) net.IP { return netutils.ParseIPSloppy(s) }

// validateEndpointsUpdate lets what was there before stay.
func validateEndpointsUpdate(obj, old kinds.Object) field.ErrorList {
	e, was := obj.(*corev1.Endpoints), old.(*corev1.Endpoints)
	errs := validateEndpoints(e)
	if len(errs) > 0 && check.Equal(&e.Subsets, &was.Subsets) {
		return nil
	}
	return errs
}

func endpointsWarnings(obj, _ kinds.Object) (warnings []string) {
	e := obj.(*corev1.Endpoints)
	if e.Labels[managedByLabel] == endpointsController {
		return nil
	}
	for i := range e.Subsets {
		for _, l := range [...]struct {
			name string
			list []corev1.EndpointAddress
		}{{"addresses", e.Subsets[i].Addresses}, {"notReadyAddresses", e.Subsets[i].NotReadyAddresses}} {
			for j := range l.list {
				at := field.NewPath("subsets").Index(i).Child(l.name).Index(j).Child("ip")
				warnings = append(warnings, validation.GetWarningsForIP(at, l.list[j].IP)...)
			}
		}
	}
	return warnings
}
