package core

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

// Limits of libc's name resolution.
const (
	maxNameservers     = 3
	maxSearchPaths     = 32
	maxSearchListChars = 2048
)

func quote(s string) string { return strconv.Quote(s) }

// hostPortsMatch checks that ports of a pod on the host's network are the host's ports. A template may
// leave them out: they are filled in when the pod is made.
//
// Models pkg/apis/core/validation validatePodHostNetworkDeps.
func (v *podValidator) hostPortsMatch(at *check.Path) {
	if !v.spec.HostNetwork {
		return
	}
	containers := at.Child("containers")
	for i := range v.spec.Containers {
		container := containers.Index(i)
		ports := container.Child("ports")
		for j := range v.spec.Containers[i].Ports {
			p := &v.spec.Containers[i].Ports[j]
			if (v.meta != nil || p.HostPort != 0) && p.HostPort != p.ContainerPort {
				port := ports.Index(j)
				v.Invalid(&port, "hostPort", p.HostPort, "must match `containerPort` when `hostNetwork` is true")
			}
		}
	}
}

func (v *podValidator) dnsConfig(at *check.Path) {
	config := v.spec.DNSConfig
	if v.spec.DNSPolicy == corev1.DNSNone {
		if config == nil {
			v.Required(at, "dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None")
			return
		}
		if len(config.Nameservers) == 0 {
			v.Required(at, "dnsConfig.nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None")
			return
		}
	}
	if config == nil {
		return
	}
	dns := at.Child("dnsConfig")
	if len(config.Nameservers) > maxNameservers {
		v.Invalid(&dns, "nameservers", config.Nameservers, "must not have more than 3 nameservers")
	}
	servers := dns.Child("nameservers")
	for i, ip := range config.Nameservers {
		server := servers.Index(i)
		v.legacyIP(&server, "", ip, nil)
	}
	v.searches(&dns, config.Searches)
	options := dns.Child("options")
	for i := range config.Options {
		if config.Options[i].Name == "" {
			option := options.Index(i)
			v.Required(&option, "", "must not be empty")
		}
	}
}

func (v *podValidator) searches(dns *check.Path, list []string) {
	if len(list) > maxSearchPaths {
		v.Invalid(dns, "searches", list, "must not have more than 32 search paths")
	}
	if len(strings.Join(list, " ")) > maxSearchListChars {
		v.Invalid(dns, "searches", list, "must not have more than 2048 characters (including spaces) in the search list")
	}
	searches := dns.Child("searches")
	for i, s := range list {
		if s == "." {
			continue
		}
		s = strings.TrimSuffix(s, ".")
		search := searches.Index(i)
		v.InvalidAll(&search, "", s, validation.IsDNS1123SubdomainWithUnderscore(s))
	}
}

func (v *podValidator) hostAliases(at *check.Path) {
	aliases := at.Child("hostAliases")
	for i := range v.spec.HostAliases {
		a, alias := &v.spec.HostAliases[i], aliases.Index(i)
		v.legacyIP(&alias, "ip", a.IP, nil)
		names := alias.Child("hostnames")
		for j, name := range a.Hostnames {
			host := names.Index(j)
			v.DNSSubdomain(&host, "", name)
		}
	}
}

// hostnames checks hostnameOverride.
//
// Models pkg/apis/core/validation validatePodHostName.
func (v *podValidator) hostnames(at *check.Path) {
	name := v.spec.HostnameOverride
	if name == nil {
		return
	}
	if v.spec.SetHostnameAsFQDN != nil && *v.spec.SetHostnameAsFQDN {
		v.Forbidden(at, "hostnameOverride", "may not be specified when setHostnameAsFQDN is true")
	}
	if v.spec.HostNetwork {
		v.Forbidden(at, "hostnameOverride", "may not be specified when hostNetwork is true")
	}
	if len(*name) > 64 {
		v.TooLong(at, "hostnameOverride", 64)
	}
	v.DNSSubdomain(at, "hostnameOverride", *name)
}

// legacyIP checks an address as fields do that once took sloppier ones; those in old may stay.
func (v *podValidator) legacyIP(at *check.Path, child, ip string, old []string) {
	place := at.Field()
	if child != "" {
		place = place.Child(child)
	}
	v.Add(validation.IsValidIPForLegacyField(place, ip, true, old)...)
}
