package core

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func nodes() kinds.Strategy {
	return kinds.Strategy{
		Default:                defaultNode,
		PrepareForCreate:       prepareNode,
		Validate:               validateNode,
		PrepareForUpdate:       prepareNodeUpdate,
		ValidateUpdate:         validateNodeUpdate,
		PrepareForStatusUpdate: prepareNodeStatus,
		ValidateStatusUpdate:   validateNodeStatus,
		Warnings:               nodeWarnings,
		FieldNames:             []string{"spec.unschedulable"},
		Fields: func(obj kinds.Object) fields.Set {
			return fields.Set{"spec.unschedulable": strconv.FormatBool(obj.(*corev1.Node).Spec.Unschedulable)}
		},
	}
}

func defaultNode(obj kinds.Object) {
	n := obj.(*corev1.Node)
	if cidr := n.Spec.PodCIDR; cidr != "" && (len(n.Spec.PodCIDRs) == 0 || n.Spec.PodCIDRs[0] != cidr) {
		n.Spec.PodCIDRs = []string{cidr}
	} else if len(n.Spec.PodCIDRs) > 0 {
		n.Spec.PodCIDR = n.Spec.PodCIDRs[0]
	}
	s := &n.Status
	if s.Allocatable == nil && s.Capacity != nil {
		s.Allocatable = s.Capacity
	}
	look := filler{dry: true}
	look.resources(s.Capacity)
	look.resources(s.Allocatable)
	if look.missing {
		s.Capacity, s.Allocatable = s.Capacity.DeepCopy(), s.Allocatable.DeepCopy()
		fill := filler{}
		fill.resources(s.Capacity)
		fill.resources(s.Allocatable)
	}
}

// prepareNode drops the remains of dynamic kubelet configuration. A node may be created with a status: its
// kubelet does that.
func prepareNode(obj kinds.Object) {
	n := obj.(*corev1.Node)
	n.Spec.ConfigSource = nil
	n.Status.Config = nil
}

func prepareNodeUpdate(obj, old kinds.Object) {
	n, was := obj.(*corev1.Node), old.(*corev1.Node)
	n.Status = was.Status
	if was.Spec.ConfigSource == nil {
		n.Spec.ConfigSource = nil
	}
}

func prepareNodeStatus(obj, old kinds.Object) {
	n, was := obj.(*corev1.Node), old.(*corev1.Node)
	n.Spec = was.Spec
	if was.Status.Config == nil {
		n.Status.Config = nil
	}
}

// validateNode checks a new node.
//
// Models pkg/apis/core/validation ValidateNode.
func validateNode(obj kinds.Object) field.ErrorList {
	var e check.Errors
	nodeParts(&e, obj.(*corev1.Node))
	return e.List()
}

func nodeParts(e *check.Errors, n *corev1.Node) {
	metadata := check.Root("metadata")
	nodeAnnotations(e, &metadata, n.Annotations)
	taints := metadata.Child("taints") // upstream's place
	nodeTaints(e, &taints, n.Spec.Taints)
	nodeResources(e, n)
	if s := n.Status.NodeInfo.Swap; s != nil && s.Capacity != nil {
		e.Positive(&metadata, "nodeSwapStatus.capacity", *s.Capacity)
	}
	declaredFeatures(e, n.Status.DeclaredFeatures)
	podCIDRs(e, n.Spec.PodCIDRs)
}

func podCIDRs(e *check.Errors, list []string) {
	spec := check.Root("spec")
	cidrs := spec.Child("podCIDRs")
	for i, s := range list {
		cidr := cidrs.Index(i)
		e.Add(validation.IsValidCIDRForLegacyField(cidr.Field(), s, true, nil)...)
	}
	if len(list) < 2 {
		return
	}
	dual, err := netutils.IsDualStackCIDRStrings(list)
	if err != nil {
		e.Internal(&cidrs, "", fmt.Errorf("invalid PodCIDRs. failed to check with dual stack with error:%v", err))
	}
	if !dual || len(list) > 2 {
		e.Invalid(&cidrs, "", list, "may specify no more than one CIDR for each IP family")
	}
}

func nodeAnnotations(e *check.Errors, at *check.Path, list map[string]string) {
	annotations := at.Child("annotations")
	if text := list[taintsAnnotation]; text != "" {
		var taints []corev1.Taint
		if err := json.Unmarshal([]byte(text), &taints); err != nil {
			e.Invalid(&annotations, "", taintsAnnotation, internalNames(err))
		} else {
			place := annotations.Child(taintsAnnotation)
			nodeTaints(e, &place, taints)
		}
	}
	text := list[corev1.PreferAvoidPodsAnnotationKey]
	if text == "" {
		return
	}
	var avoid corev1.AvoidPods
	if err := json.Unmarshal([]byte(text), &avoid); err != nil {
		e.Invalid(&annotations, "AvoidPods", corev1.PreferAvoidPodsAnnotationKey, err.Error())
		return
	}
	entries := annotations.Child(corev1.PreferAvoidPodsAnnotationKey)
	for i := range avoid.PreferAvoidPods {
		c, entry := avoid.PreferAvoidPods[i].PodSignature.PodController, entries.Index(i)
		if c == nil {
			e.Required(&entry, "PodSignature", "")
		} else if c.Controller == nil || !*c.Controller {
			e.Invalid(&entry, "PodSignature.PodController.Controller", false, "must point to a controller")
		}
	}
}

// nodeTaints checks taints: one of each key and effect.
//
// Models pkg/apis/core/validation validateNodeTaints.
func nodeTaints(e *check.Errors, at *check.Path, list []corev1.Taint) {
	var seen check.Set
	for i := range list {
		t, taint := &list[i], at.Index(i)
		e.QualifiedName(&taint, "key", t.Key)
		if !check.IsLabelValue(t.Value) {
			e.Invalid(&taint, "value", t.Value, strings.Join(validation.IsValidLabelValue(t.Value), ";"))
		}
		if t.Effect == "" {
			e.Required(&taint, "effect", "")
		} else {
			taintEffect(e, &taint, t.Effect)
		}
		if !seen.Add(string(t.Effect) + "\x00" + t.Key) {
			err := field.Duplicate(taint.Field(), check.Internal(*t))
			err.Detail = "taints must be unique by key and effect pair"
			e.Add(err)
		}
	}
}

func nodeResources(e *check.Errors, n *corev1.Node) {
	status := check.Root("status")
	for _, l := range [...]struct {
		name string
		list corev1.ResourceList
	}{{"capacity", n.Status.Capacity}, {"allocatable", n.Status.Allocatable}} {
		if plainAmounts(l.list) {
			continue
		}
		list := status.Child(l.name)
		for _, name := range check.Keys(l.list) {
			amount := list.Child(string(name))
			resourceQuantity(e, &amount, name, l.list[name])
		}
	}
}

func plainAmounts(list corev1.ResourceList) bool {
	for name, q := range list {
		if q.Sign() < 0 || !isPlainResource(name) && q.MilliValue()%1000 != 0 {
			return false
		}
	}
	return true
}

func declaredFeatures(e *check.Errors, list []string) {
	if len(list) == 0 {
		return
	}
	pattern := regexp.MustCompile(`^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$`)
	status := check.Root("status")
	features := status.Child("declaredFeatures")
	for i, name := range list {
		feature := features.Index(i)
		if len(name) > validation.DNS1123SubdomainMaxLength {
			e.Invalid(&feature, "", name, "invalid feature name "+quote(name)+": must be no more than 253 characters")
		} else if !pattern.MatchString(name) {
			e.Invalid(&feature, "", name, "invalid feature name "+quote(name)+": must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes")
		}
		if i+1 == len(list) {
			break
		}
		next := features.Index(i + 1)
		if name == list[i+1] {
			e.Duplicate(&next, "", list[i+1])
		} else if name > list[i+1] {
			e.Invalid(&next, "", list[i+1], "list must be sorted alphabetically")
		}
	}
}

// validateNodeUpdate checks a node that replaces old.
//
// Models pkg/registry/core/node nodeStrategy.ValidateUpdate.
func validateNodeUpdate(obj, old kinds.Object) field.ErrorList {
	n, was := obj.(*corev1.Node), old.(*corev1.Node)
	var e check.Errors
	nodeParts(&e, n)
	nodeKept(&e, n, was)
	return e.List()
}

// validateNodeStatus checks a node's new status.
func validateNodeStatus(obj, old kinds.Object) field.ErrorList {
	n, was := obj.(*corev1.Node), old.(*corev1.Node)
	var e check.Errors
	metadata := check.Root("metadata")
	nodeAnnotations(&e, &metadata, n.Annotations)
	nodeResources(&e, n)
	declaredFeatures(&e, n.Status.DeclaredFeatures)
	nodeKept(&e, n, was)
	return e.List()
}

// nodeKept checks what of a node may be set once and not changed.
//
// Models pkg/apis/core/validation ValidateNodeUpdate.
func nodeKept(e *check.Errors, n, old *corev1.Node) {
	status, spec := check.Root("status"), check.Root("spec")
	var seen check.Set
	addresses := status.Child("addresses")
	for i, a := range n.Status.Addresses {
		if !seen.Add(string(a.Type) + "\x00" + a.Address) {
			address := addresses.Index(i)
			e.Duplicate(&address, "", check.Internal(a))
		}
	}
	const podCIDR = "node updates may not change podCIDR except from \"\" to valid"
	if len(old.Spec.PodCIDRs) > 0 && len(old.Spec.PodCIDRs) != len(n.Spec.PodCIDRs) {
		e.Forbidden(&spec, "podCIDRs", podCIDR)
	} else {
		for i, s := range old.Spec.PodCIDRs {
			if n.Spec.PodCIDRs[i] != s {
				e.Forbidden(&spec, "podCIDRs", podCIDR)
			}
		}
	}
	if was, is := old.Spec.ProviderID, n.Spec.ProviderID; was != "" && is == "" {
		e.Invalid(&spec, "providerID", nil, "field cannot be cleared once set")
	} else if was != "" && was != is {
		e.Invalid(&spec, "providerID", nil, "field cannot be modified once set")
	}
	if n.Spec.DoNotUseExternalID != old.Spec.DoNotUseExternalID {
		e.Forbidden(&spec, "externalID", "may not be updated")
	}
}

func nodeWarnings(obj, _ kinds.Object) (warnings []string) {
	n := obj.(*corev1.Node)
	if n.Spec.ConfigSource != nil {
		warnings = append(warnings, "spec.configSource: the feature is removed")
	}
	if n.Spec.DoNotUseExternalID != "" {
		warnings = append(warnings, "spec.externalID: this field is deprecated, and is unused by Kubernetes")
	}
	for i, s := range n.Spec.PodCIDRs {
		warnings = append(warnings, validation.GetWarningsForCIDR(field.NewPath("spec", "podCIDRs").Index(i), s)...)
	}
	return warnings
}
