package core

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds/check"
)

// podRules are the exceptions that an update enjoys because the old object had the fault already. The zero
// value, for a new object, has none.
//
// Models pkg/api/pod GetValidationOptionsFromPodSpecAndMeta with the feature gates' defaults.
type podRules struct {
	deletionCost         bool // a wrong pod-deletion-cost annotation
	selectorValues       bool // wrong label values in selectors of pod affinity
	nodeAffinityValues   bool // wrong label values in required node affinity
	spreadSelector       bool // wrong selectors in topologySpreadConstraints
	spreadKeys           bool // matchLabelKeys of topologySpreadConstraints that clash with the selector
	partialPages         bool // huge pages not in whole pages
	strangeTokenPath     bool // projected tokens outside the volume
	hostSysctls          bool // sysctls of namespaces shared with the host
	initRestartContainer bool // RestartContainer resize policy of plain init containers
	userNamespaceDevices bool // volumeDevices without the host's users
	emptyImageReference  bool // image volumes without an image
	sysAdmin             bool // CAP_SYS_ADMIN though escalation is denied
}

// rulesFor returns the exceptions for an object whose pod spec and metadata were old ones; nil for a new
// object.
func rulesFor(old *corev1.PodSpec, meta *metav1.ObjectMeta) podRules {
	if old == nil {
		return podRules{}
	}
	r := podRules{
		spreadSelector: spreadHasFault(old, func(v *podValidator, at *check.Path, c *corev1.TopologySpreadConstraint) {
			v.LabelSelector(at, "labelSelector", c.LabelSelector, false)
		}),
		spreadKeys: spreadHasFault(old, func(v *podValidator, at *check.Path, c *corev1.TopologySpreadConstraint) {
			v.matchLabelKeys(at, c.MatchLabelKeys, nil, c.LabelSelector)
		}),
		strangeTokenPath: hasStrangeTokenPath(old),
	}
	if cost, ok := meta.Annotations[corev1.PodDeletionCost]; ok {
		r.deletionCost = !validDeletionCost(cost)
	}
	r.affinity(old.Affinity)
	r.partialPages = hasPartialPages(old.Overhead)
	if old.SecurityContext != nil {
		for _, s := range old.SecurityContext.Sysctls {
			r.hostSysctls = r.hostSysctls || hostSysctl(old, s.Name) != ""
		}
	}
	for i := range old.Volumes {
		image := old.Volumes[i].Image
		r.emptyImageReference = r.emptyImageReference || image != nil && image.Reference == ""
	}
	r.containers(old)
	return r
}

func (r *podRules) containers(old *corev1.PodSpec) {
	ownUsers := old.HostUsers != nil && !*old.HostUsers
	eachContainer(old, func(c *corev1.Container, _ string, _ int) {
		r.partialPages = r.partialPages || hasPartialPages(c.Resources.Limits) || hasPartialPages(c.Resources.Requests)
		r.userNamespaceDevices = r.userNamespaceDevices || ownUsers && len(c.VolumeDevices) > 0
		r.sysAdmin = r.sysAdmin || hasSysAdmin(c.SecurityContext)
	})
	for i := range old.InitContainers {
		c := &old.InitContainers[i]
		for _, p := range c.ResizePolicy {
			r.initRestartContainer = r.initRestartContainer || !isSidecar(c) && p.RestartPolicy == corev1.RestartContainer
		}
	}
}

func (r *podRules) affinity(a *corev1.Affinity) {
	if a == nil {
		return
	}
	if a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		for _, term := range a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			for _, e := range term.MatchExpressions {
				r.nodeAffinityValues = r.nodeAffinityValues || hasBadValue(e.Values)
			}
		}
	}
	if a.PodAffinity != nil {
		r.podTerms(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if a.PodAntiAffinity != nil {
		r.podTerms(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

func (r *podRules) podTerms(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
	for i := range required {
		r.podTerm(&required[i])
	}
	for i := range preferred {
		r.podTerm(&preferred[i].PodAffinityTerm)
	}
}

func (r *podRules) podTerm(t *corev1.PodAffinityTerm) {
	for _, s := range [...]*metav1.LabelSelector{t.LabelSelector, t.NamespaceSelector} {
		if s == nil {
			continue
		}
		for _, e := range s.MatchExpressions {
			r.selectorValues = r.selectorValues || hasBadValue(e.Values)
		}
	}
}

func hasBadValue(values []string) bool {
	for _, s := range values {
		if !check.IsLabelValue(s) {
			return true
		}
	}
	return false
}

func spreadHasFault(spec *corev1.PodSpec, rule func(*podValidator, *check.Path, *corev1.TopologySpreadConstraint)) bool {
	if len(spec.TopologySpreadConstraints) == 0 {
		return false
	}
	v := podValidator{spec: spec}
	root := check.Root("")
	for i := range spec.TopologySpreadConstraints {
		rule(&v, &root, &spec.TopologySpreadConstraints[i])
	}
	return v.Len() > 0
}

func hasPartialPages(list corev1.ResourceList) bool {
	for name, q := range list {
		if IsHugePages(name) && !wholePages(name, q) {
			return true
		}
	}
	return false
}

func hasSysAdmin(sc *corev1.SecurityContext) bool {
	if sc == nil || sc.AllowPrivilegeEscalation != nil && *sc.AllowPrivilegeEscalation || sc.Capabilities == nil {
		return false
	}
	for _, c := range sc.Capabilities.Add {
		if c == "CAP_SYS_ADMIN" {
			return true
		}
	}
	return false
}

func hasStrangeTokenPath(spec *corev1.PodSpec) bool {
	v := podValidator{spec: spec}
	for i := range spec.Volumes {
		if spec.Volumes[i].Projected == nil {
			continue
		}
		for _, s := range spec.Volumes[i].Projected.Sources {
			if s.ServiceAccountToken != nil {
				v.localName(nil, "", s.ServiceAccountToken.Path)
			}
		}
	}
	return v.Len() > 0
}
