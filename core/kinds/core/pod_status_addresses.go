package core

import (
	"fmt"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	netutils "k8s.io/utils/net"

	"terrarium/core/kinds/check"
)

// podIPs checks the addresses of the pod: at most one of each family, the first of them podIP.
func (v *podValidator) podIPs(at *check.Path, s, old *corev1.PodStatus) {
	list := at.Child("podIPs")
	for i := range s.PodIPs {
		if ip := s.PodIPs[i].IP; !isPlainIP(ip) {
			place := list.Index(i)
			v.legacyIP(&place, "", ip, podIPTexts(old.PodIPs))
		}
	}
	if len(s.PodIPs) > 1 {
		v.onePerFamily(&list, podIPTexts(s.PodIPs), check.Internal(s.PodIPs))
	}
	switch {
	case (s.PodIP != "") != (len(s.PodIPs) > 0):
		v.Invalid(at, "podIPs", check.Internal(s.PodIPs), "podIP and podIPs must either both be set or both be unset")
	case len(s.PodIPs) > 0 && s.PodIP != s.PodIPs[0].IP:
		v.Invalid(at, "podIPs[0].ip", s.PodIPs[0].IP, "must be equal to `podIP`")
	}
}

func (v *podValidator) hostIPs(at *check.Path, s, old *corev1.PodStatus) {
	if len(s.HostIPs) == 0 {
		return
	}
	if s.HostIP != s.HostIPs[0].IP {
		v.Invalid(at, "hostIPs[0].ip", s.HostIPs[0].IP, "must be equal to `hostIP`")
	}
	list := at.Child("hostIPs")
	for i := range s.HostIPs {
		if ip := s.HostIPs[i].IP; !isPlainIP(ip) {
			place := list.Index(i)
			v.legacyIP(&place, "", ip, hostIPTexts(old.HostIPs))
		}
	}
	if len(s.HostIPs) > 1 {
		v.onePerFamily(&list, hostIPTexts(s.HostIPs), check.Internal(s.HostIPs))
	}
}

// isPlainIP reports whether s is an address that nobody could read in two ways.
func isPlainIP(s string) bool {
	ip, err := netip.ParseAddr(s)
	return err == nil && ip.Zone() == "" && !ip.Is4In6()
}

func podIPTexts(list []corev1.PodIP) (texts []string) {
	for _, ip := range list {
		texts = append(texts, ip.IP)
	}
	return texts
}

func hostIPTexts(list []corev1.HostIP) (texts []string) {
	for _, ip := range list {
		texts = append(texts, ip.IP)
	}
	return texts
}

func (v *podValidator) onePerFamily(at *check.Path, ips []string, shown any) {
	dual, err := netutils.IsDualStackIPStrings(ips)
	if err != nil {
		v.Internal(at, "", fmt.Errorf("failed to check for dual stack with error:%v", err))
	}
	if !dual || len(ips) > 2 {
		v.Invalid(at, "", shown, "may specify no more than one IP for each IP family")
	}
}
