package core

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

// A podValidator checks one pod spec. Its methods take the place of what they check.
//
// The rules are upstream's with its feature gates at their defaults in 1.37, and --allow-privileged.
type podValidator struct {
	check.Errors
	rules   podRules
	spec    *corev1.PodSpec
	meta    *metav1.ObjectMeta // of the pod; nil for a template
	volumes volumeSet
	users   bool // the pod shares the host's user namespace
}

// podSpec checks the whole spec at the given place.
//
// Models pkg/apis/core/validation ValidatePodSpec.
func (v *podValidator) podSpec(at *check.Path) {
	spec := v.spec
	v.users = spec.HostUsers == nil || *spec.HostUsers
	if spec.TerminationGracePeriodSeconds == nil {
		v.Required(at, "terminationGracePeriodSeconds", "")
	}
	v.podVolumes(at)
	v.resourceClaims(at)
	v.containers(at)
	v.initContainers(at)
	v.ephemeralContainers(at)
	v.podResources(at)
	v.hostPortsMatch(at)
	v.policies(at)
	v.Labels(at, "nodeSelector", spec.NodeSelector)
	v.podSecurityContext(at)
	if spec.ShareProcessNamespace != nil && *spec.ShareProcessNamespace && spec.HostPID {
		v.Invalid(at, "shareProcessNamespace", true, "ShareProcessNamespace and HostPID cannot both be enabled")
	}
	v.affinity(at)
	v.dnsConfig(at)
	v.gates(at)
	v.topologySpread(at)
	v.windowsHostProcess(at)
	v.hostUsers(at)
	v.hostnames(at)
	v.names(at)
	v.tolerations(at, spec.Tolerations)
	v.hostAliases(at)
	v.classes(at)
	v.operatingSystem(at)
	v.schedulingGroup(at)
	v.fileKeyRefs(at)
}

func (v *podValidator) policies(at *check.Path) {
	switch v.spec.RestartPolicy {
	case corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever:
	case "":
		v.Required(at, "restartPolicy", "")
	default:
		v.NotSupported(at, "restartPolicy", v.spec.RestartPolicy, "Always", "OnFailure", "Never")
	}
	switch v.spec.DNSPolicy {
	case corev1.DNSClusterFirstWithHostNet, corev1.DNSClusterFirst, corev1.DNSDefault, corev1.DNSNone:
	case "":
		v.Required(at, "dnsPolicy", "")
	default:
		v.NotSupported(at, "dnsPolicy", v.spec.DNSPolicy, "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
	}
}

// names checks what the spec calls other things and itself.
func (v *podValidator) names(at *check.Path) {
	spec := v.spec
	if spec.ServiceAccountName != "" {
		v.DNSSubdomain(at, "serviceAccountName", spec.ServiceAccountName)
	}
	if spec.DeprecatedServiceAccount != spec.ServiceAccountName {
		v.Invalid(at, "deprecatedServiceAccount", spec.DeprecatedServiceAccount,
			"must be the same as serviceAccountName: "+quote(spec.ServiceAccountName))
	}
	if spec.NodeName != "" {
		v.DNSSubdomain(at, "nodeName", spec.NodeName)
	}
	if s := spec.ActiveDeadlineSeconds; s != nil && (*s < 1 || *s > math.MaxInt32) {
		v.Invalid(at, "activeDeadlineSeconds", *s, validation.InclusiveRangeError(1, math.MaxInt32))
	}
	if spec.Hostname != "" {
		v.DNSLabel(at, "hostname", spec.Hostname)
	}
	if spec.Subdomain != "" {
		v.DNSLabel(at, "subdomain", spec.Subdomain)
	}
}

// PreemptionPolicy checks the field preemptionPolicy of what is at the path, a pod's spec or a priority class.
//
// Models pkg/apis/core/validation ValidatePreemptionPolicy.
func PreemptionPolicy(e *check.Errors, at *check.Path, p *corev1.PreemptionPolicy) {
	if p == nil {
		return
	}
	switch *p {
	case corev1.PreemptLowerPriority, corev1.PreemptNever:
	case "":
		e.Required(at, "preemptionPolicy", "")
	default:
		e.NotSupported(at, "preemptionPolicy", *p, "PreemptLowerPriority", "Never")
	}
}

func (v *podValidator) classes(at *check.Path) {
	spec := v.spec
	if spec.PriorityClassName != "" {
		v.DNSSubdomain(at, "priorityClassName", spec.PriorityClassName)
	}
	if spec.RuntimeClassName != nil {
		v.DNSSubdomain(at, "runtimeClassName", *spec.RuntimeClassName)
	}
	PreemptionPolicy(&v.Errors, at, spec.PreemptionPolicy)
	if spec.Overhead != nil {
		overhead := at.Child("overhead")
		v.requirements(&overhead, &corev1.ResourceRequirements{Limits: spec.Overhead}, false)
	}
}

func (v *podValidator) gates(at *check.Path) {
	readiness := at.Child("readinessGates")
	for i := range v.spec.ReadinessGates {
		gate := readiness.Index(i)
		v.QualifiedName(&gate, "conditionType", string(v.spec.ReadinessGates[i].ConditionType))
	}
	var seen check.Set
	scheduling := at.Child("schedulingGates")
	for i := range v.spec.SchedulingGates {
		gate, name := scheduling.Index(i), v.spec.SchedulingGates[i].Name
		v.QualifiedName(&gate, "", name)
		if !seen.Add(name) {
			v.Duplicate(&gate, "", name)
		}
	}
}

// resourceClaims checks the claims that containers may refer to.
func (v *podValidator) resourceClaims(at *check.Path) {
	var seen check.Set
	list := at.Child("resourceClaims")
	for i := range v.spec.ResourceClaims {
		c, claim := &v.spec.ResourceClaims[i], list.Index(i)
		if v.meta != nil {
			if _, static := v.meta.Annotations[corev1.MirrorPodAnnotationKey]; static {
				none := check.Root("")
				v.Forbidden(&none, "", "static pods do not support resource claims")
				continue
			}
		}
		if c.Name == "" {
			v.Required(&claim, "name", "")
		} else if !seen.Add(c.Name) {
			v.Duplicate(&claim, "name", c.Name)
		} else {
			v.DNSLabel(&claim, "name", c.Name)
		}
		if c.ResourceClaimName != nil && c.ResourceClaimTemplateName != nil {
			v.Invalid(&claim, "", check.Internal(*c), "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")
		}
		if c.ResourceClaimName == nil && c.ResourceClaimTemplateName == nil {
			v.Invalid(&claim, "", check.Internal(*c), "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")
		}
		if c.ResourceClaimName != nil {
			v.DNSSubdomain(&claim, "resourceClaimName", *c.ResourceClaimName)
		}
		if c.ResourceClaimTemplateName != nil {
			v.DNSSubdomain(&claim, "resourceClaimTemplateName", *c.ResourceClaimTemplateName)
		}
	}
}

func (v *podValidator) schedulingGroup(at *check.Path) {
	g := v.spec.SchedulingGroup
	if g == nil {
		return
	}
	group := at.Child("schedulingGroup")
	if g.PodGroupName == nil {
		v.Invalid(&group, "podGroupName", nil, "must specify one of: `podGroupName`")
	} else {
		v.DNSSubdomain(&group, "podGroupName", *g.PodGroupName)
	}
	if len(v.spec.EvictionResponders) > 0 {
		v.Forbidden(at, "schedulingGroup", "may not be set when evictionResponders is set")
	}
}
