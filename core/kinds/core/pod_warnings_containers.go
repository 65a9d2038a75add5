package core

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds/check"
)

func (w *podWarner) containers() {
	const pod = corev1.SeccompPodAnnotationKey
	const seccomp = `non-functional in v1.27+; use the "seccompProfile" field instead`
	if _, ok := w.meta.Annotations[pod]; ok && (w.spec.SecurityContext == nil || w.spec.SecurityContext.SeccompProfile == nil) {
		w.add(w.annotation(pod), seccomp)
	}
	eachContainer(w.spec, func(c *corev1.Container, list string, n int) {
		key := corev1.SeccompContainerAnnotationKeyPrefix + c.Name
		if _, ok := w.meta.Annotations[key]; ok && (c.SecurityContext == nil || c.SecurityContext.SeccompProfile == nil) {
			w.add(w.annotation(key), seccomp)
		}
		w.appArmor(c)
		for _, name := range [...]corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
			if q, ok := c.Resources.Limits[name]; ok && q.MilliValue()%1000 != 0 {
				w.add(w.place(list).Index(n).Child("resources", "limits").Key(string(name)), fractionDetail(q))
			}
			if q, ok := c.Resources.Requests[name]; ok && q.MilliValue()%1000 != 0 {
				w.add(w.place(list).Index(n).Child("resources", "requests").Key(string(name)), fractionDetail(q))
			}
		}
		w.hiddenEnv(c, list, n)
	})
}

func fractionDetail(q resource.Quantity) string {
	return "fractional byte value " + quote(q.String()) + " is invalid, must be an integer"
}

// appArmor warns of a template's annotation that the pod's field does not repeat.
func (w *podWarner) appArmor(c *corev1.Container) {
	key := corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix + c.Name
	annotation, ok := w.meta.Annotations[key]
	if !ok || w.at == nil || c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
		return
	}
	var ofPod *corev1.AppArmorProfile
	if w.spec.SecurityContext != nil {
		ofPod = w.spec.SecurityContext.AppArmorProfile
	}
	if profile := appArmorOfAnnotation(annotation); ofPod == nil || !check.Equal(&ofPod, &profile) {
		w.add(w.annotation(key), `deprecated since v1.30; use the "appArmorProfile" field instead`)
	}
}

// appArmorAnnotations warns of a new pod's annotations.
//
// Differs: upstream says nothing where the pod came with the same in the field; here the field was filled in.
func (w *podWarner) appArmorAnnotations() {
	if len(w.meta.Annotations) == 0 {
		return
	}
	eachContainer(w.spec, func(c *corev1.Container, _ string, _ int) {
		key := corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix + c.Name
		annotation, ok := w.meta.Annotations[key]
		own := c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil
		if ok && (own || appArmorOfAnnotation(annotation) == nil) {
			w.add(w.annotation(key), `deprecated since v1.30; use the "appArmorProfile" field instead`)
		}
	})
}

// hiddenEnv warns of variables that are defined twice without the second using the first.
func (w *podWarner) hiddenEnv(c *corev1.Container, list string, n int) {
	var seen check.Set
	for i := range c.Env {
		e := &c.Env[i]
		if seen.Add(e.Name) {
			continue
		}
		ref := "$(" + e.Name + ")"
		if e.ValueFrom != nil || e.Value == ref || !strings.Contains(e.Value, ref) {
			w.add(w.place(list).Index(n).Child("env").Index(i), "hides previous definition of "+quote(e.Name)+", which may be dropped when using apply")
		}
	}
}

type portPlace struct {
	at   *field.Path
	port *corev1.ContainerPort
}

// ports warns of ports that several containers, or one twice, want.
func (w *podWarner) ports() {
	if !w.severalPorts() {
		return
	}
	byPort := map[string][]portPlace{}
	eachContainer(w.spec, func(c *corev1.Container, list string, n int) {
		for i := range c.Ports {
			p, place := &c.Ports[i], w.place(list).Index(n).Child("ports").Index(i)
			if p.HostIP != "" && p.HostPort == 0 {
				w.add(place, fmt.Sprintf("hostIP set without hostPort: %+v", *p))
			}
			key := decimal(int64(p.ContainerPort)) + "/" + string(p.Protocol)
			for _, other := range byPort[key] {
				if kind := portClash(p, other.port); kind != "" {
					w.add(place, kind+" port definition with "+other.at.String())
				}
			}
			byPort[key] = append(byPort[key], portPlace{place, p})
		}
	})
}

// severalPorts reports whether ports can clash: there are two, or one with a host address.
func (w *podWarner) severalPorts() bool {
	count, hostIP := 0, false
	eachContainer(w.spec, func(c *corev1.Container, _ string, _ int) {
		count += len(c.Ports)
		for i := range c.Ports {
			hostIP = hostIP || c.Ports[i].HostIP != ""
		}
	})
	return count > 1 || hostIP
}

func portClash(a, b *corev1.ContainerPort) string {
	switch {
	case a.HostIP == b.HostIP && a.HostPort == b.HostPort:
		return "duplicate"
	case a.HostPort == 0 || b.HostPort == 0:
		return "overlapping"
	case a.HostPort == b.HostPort && (a.HostIP == "") != (b.HostIP == ""):
		return "dangerously ambiguous"
	}
	return ""
}

func (w *podWarner) portNames() {
	first := map[string]*field.Path{}
	eachContainer(w.spec, func(c *corev1.Container, list string, n int) {
		for i := range c.Ports {
			name := c.Ports[i].Name
			if name == "" {
				continue
			}
			place := w.place(list).Index(n).Child("ports").Index(i)
			if other := first[name]; other != nil {
				w.add(place, fmt.Sprintf("duplicate port name %q with %s, services and probes that select ports by name will use %s", name, other, other))
			} else {
				first[name] = place
			}
		}
	})
}

// podAffinity warns of terms that match no pod.
func (w *podWarner) podAffinity() {
	a := w.spec.Affinity
	if a == nil {
		return
	}
	if p := a.PodAffinity; p != nil {
		w.podTerms("podAffinity", p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if p := a.PodAntiAffinity; p != nil {
		w.podTerms("podAntiAffinity", p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

func (w *podWarner) podTerms(kind string, required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
	const detail = "a null labelSelector results in matching no pod"
	for i := range required {
		if required[i].LabelSelector == nil {
			w.add(w.place("affinity", kind, "requiredDuringSchedulingIgnoredDuringExecution").Index(i).Child("labelSelector"), detail)
		}
	}
	for i := range preferred {
		if preferred[i].PodAffinityTerm.LabelSelector == nil {
			w.add(w.place("affinity", kind, "preferredDuringSchedulingIgnoredDuringExecution").Index(i).Child("podAffinityTerm", "labelSelector"), detail)
		}
	}
}

// addresses warns of addresses written in an unusual way.
func (w *podWarner) addresses() {
	if w.spec.DNSConfig != nil {
		for i, ip := range w.spec.DNSConfig.Nameservers {
			w.list = append(w.list, validation.GetWarningsForIP(w.place("dnsConfig", "nameservers").Index(i), ip)...)
		}
	}
	for i := range w.spec.HostAliases {
		w.list = append(w.list, validation.GetWarningsForIP(w.place("hostAliases").Index(i).Child("ip"), w.spec.HostAliases[i].IP)...)
	}
}
