package core

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func persistentVolumeClaims() kinds.Strategy {
	return kinds.Strategy{
		Default:                defaultClaim,
		PrepareForCreate:       prepareClaim,
		Validate:               validateClaim,
		PrepareForUpdate:       prepareClaimUpdate,
		ValidateUpdate:         validateClaimUpdate,
		PrepareForStatusUpdate: prepareClaimStatus,
		ValidateStatusUpdate:   validateClaimStatus,
		Warnings:               claimWarnings,
	}
}

func defaultClaim(obj kinds.Object) {
	c := obj.(*corev1.PersistentVolumeClaim)
	if c.Status.Phase == "" {
		c.Status.Phase = corev1.ClaimPending
	}
	look := filler{dry: true}
	look.claimSpec(&c.Spec)
	if look.missing {
		c.Spec = *c.Spec.DeepCopy()
		fill := filler{}
		fill.claimSpec(&c.Spec)
	}
}

func prepareClaim(obj kinds.Object) {
	c := obj.(*corev1.PersistentVolumeClaim)
	c.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
	dropDataSources(&c.Spec)
	sameDataSources(&c.Spec)
}

func prepareClaimUpdate(obj, old kinds.Object) {
	c, was := obj.(*corev1.PersistentVolumeClaim), old.(*corev1.PersistentVolumeClaim)
	c.Status = was.Status
	if was.Spec.DataSource == nil && was.Spec.DataSourceRef == nil {
		dropDataSources(&c.Spec)
	}
	sameDataSources(&c.Spec)
}

func prepareClaimStatus(obj, old kinds.Object) {
	c, was := obj.(*corev1.PersistentVolumeClaim), old.(*corev1.PersistentVolumeClaim)
	c.Spec = was.Spec
}

// dropDataSources drops a source in another namespace, whose feature is off by default, and what dataSource
// never could be.
//
// Models pkg/api/persistentvolumeclaim DropDisabledFields and EnforceDataSourceBackwardsCompatibility.
func dropDataSources(spec *corev1.PersistentVolumeClaimSpec) {
	if r := spec.DataSourceRef; r != nil && ptr.Deref(r.Namespace, "") != "" {
		spec.DataSourceRef = nil
	}
	s := spec.DataSource
	if s == nil || spec.DataSourceRef != nil {
		return
	}
	group := ptr.Deref(s.APIGroup, "")
	if !(group == "" && s.Kind == "PersistentVolumeClaim" || group == "snapshot.storage.k8s.io" && s.Kind == "VolumeSnapshot") {
		spec.DataSource = nil
	}
}

// sameDataSources sets the one of dataSource and dataSourceRef that is missing from the other.
//
// Models pkg/api/persistentvolumeclaim NormalizeDataSources.
func sameDataSources(spec *corev1.PersistentVolumeClaimSpec) {
	switch s, r := spec.DataSource, spec.DataSourceRef; {
	case s != nil && r == nil:
		spec.DataSourceRef = &corev1.TypedObjectReference{APIGroup: s.APIGroup, Kind: s.Kind, Name: s.Name}
	case r != nil && s == nil && ptr.Deref(r.Namespace, "") == "":
		spec.DataSource = &corev1.TypedLocalObjectReference{APIGroup: r.APIGroup, Kind: r.Kind, Name: r.Name}
	}
}

// claimRules are the exceptions for an object that had a fault already.
type claimRules struct{ selectorValues, apiGroup bool }

func claimRulesFor(old *corev1.PersistentVolumeClaimSpec) claimRules {
	var e check.Errors
	root := check.Root("")
	e.LabelSelector(&root, "selector", old.Selector, false)
	return claimRules{
		selectorValues: e.Len() > 0,
		apiGroup:       old.DataSource != nil && old.DataSource.APIGroup != nil || old.DataSourceRef != nil && old.DataSourceRef.APIGroup != nil,
	}
}

func validateClaim(obj kinds.Object) field.ErrorList {
	var e check.Errors
	at := check.Root("spec")
	claimSpec(&e, &at, &obj.(*corev1.PersistentVolumeClaim).Spec, claimRules{})
	return e.List()
}

// claimSpec checks what storage a claim asks for.
//
// Models pkg/apis/core/validation ValidatePersistentVolumeClaimSpec.
func claimSpec(e *check.Errors, at *check.Path, spec *corev1.PersistentVolumeClaimSpec, rules claimRules) {
	if len(spec.AccessModes) == 0 {
		e.Required(at, "accessModes", "at least 1 access mode is required")
	}
	e.LabelSelector(at, "selector", spec.Selector, rules.selectorValues)
	accessModes(e, at, spec.AccessModes)
	resources := at.Child("resources")
	storage := resources.Key(string(corev1.ResourceStorage))
	if q, ok := spec.Resources.Requests[corev1.ResourceStorage]; !ok {
		e.Required(&storage, "", "")
	} else if q.Sign() <= 0 {
		e.Invalid(&storage, "", q.String(), "must be greater than zero")
	}
	if s := spec.StorageClassName; s != nil && *s != "" {
		e.DNSSubdomain(at, "storageClassName", *s)
	}
	if m := spec.VolumeMode; m != nil && *m != corev1.PersistentVolumeBlock && *m != corev1.PersistentVolumeFilesystem {
		e.NotSupported(at, "volumeMode", *m, "Block", "Filesystem")
	}
	dataSources(e, at, spec, rules)
	if s := spec.VolumeAttributesClassName; s != nil && *s != "" {
		e.DNSSubdomain(at, "volumeAttributesClassName", *s)
	}
}

func accessModes(e *check.Errors, at *check.Path, list []corev1.PersistentVolumeAccessMode) {
	single, others := false, false
	for _, mode := range list {
		switch mode {
		case corev1.ReadWriteOncePod:
			single = true
		case corev1.ReadWriteOnce, corev1.ReadOnlyMany, corev1.ReadWriteMany:
			others = true
		default:
			e.NotSupported(at, "accessModes", mode, "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
		}
	}
	if single && others {
		e.Forbidden(at, "accessModes", "may not use ReadWriteOncePod with other access modes")
	}
}

func dataSources(e *check.Errors, at *check.Path, spec *corev1.PersistentVolumeClaimSpec, rules claimRules) {
	s, r := spec.DataSource, spec.DataSourceRef
	if s != nil {
		source := at.Child("dataSource")
		dataSource(e, &source, s.APIGroup, s.Kind, s.Name, rules)
	}
	if r == nil {
		return
	}
	source := at.Child("dataSourceRef")
	dataSource(e, &source, r.APIGroup, r.Kind, r.Name, rules)
	namespace := ptr.Deref(r.Namespace, "")
	if namespace != "" {
		e.DNSLabel(&source, "namespace", namespace)
	}
	// Upstream gives the path of dataSource for the value, which prints as an empty object.
	switch {
	case s == nil:
	case namespace != "":
		e.Invalid(at, "", at.Field().Child("dataSource"), "may not be specified when dataSourceRef.namespace is specified")
	case ptr.Deref(s.APIGroup, "\x00") != ptr.Deref(r.APIGroup, "\x00") || s.Kind != r.Kind || s.Name != r.Name:
		e.Invalid(at, "", at.Field().Child("dataSource"), "must match dataSourceRef")
	}
}

func dataSource(e *check.Errors, at *check.Path, group *string, kind, name string, rules claimRules) {
	if name == "" {
		e.Required(at, "name", "")
	}
	if kind == "" {
		e.Required(at, "kind", "")
	}
	g := ptr.Deref(group, "")
	if g == "" && kind != "PersistentVolumeClaim" {
		e.Invalid(at, "", kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")
	}
	if g != "" && !rules.apiGroup {
		e.DNSSubdomain(at, "apiGroup", g)
	}
}

// templateMeta checks the metadata of a claim template: only labels and annotations may be there.
//
// Models pkg/apis/core/validation ValidateTemplateObjectMeta.
func templateMeta(e *check.Errors, at *check.Path, m *metav1.ObjectMeta) {
	metadata := at.Child("metadata")
	e.Annotations(&metadata, "annotations", m.Annotations)
	e.Labels(&metadata, "labels", m.Labels)
	for _, f := range [...]struct {
		set  bool
		name string
	}{
		{m.Name != "", "name"}, {m.GenerateName != "", "generateName"}, {m.Namespace != "", "namespace"},
		{m.SelfLink != "", "selfLink"}, {m.UID != "", "uID"}, {m.ResourceVersion != "", "resourceVersion"},
		{m.Generation != 0, "generation"}, {!m.CreationTimestamp.IsZero(), "creationTimestamp"},
		{m.DeletionTimestamp != nil, "deletionTimestamp"},
		{m.DeletionGracePeriodSeconds != nil, "deletionGracePeriodSeconds"},
		{m.OwnerReferences != nil, "ownerReferences"}, {m.Finalizers != nil, "finalizers"},
		{m.ManagedFields != nil, "managedFields"},
	} {
		if f.set {
			e.Forbidden(&metadata, f.name, "cannot be set")
		}
	}
}

// validateClaimStatus checks the amounts in a claim's status.
//
// Models pkg/apis/core/validation ValidatePersistentVolumeClaimStatusUpdate.
func validateClaimStatus(obj, _ kinds.Object) field.ErrorList {
	c := obj.(*corev1.PersistentVolumeClaim)
	var e check.Errors
	status := check.Root("status")
	for _, l := range [...]struct {
		name string
		list corev1.ResourceList
	}{{"capacity", c.Status.Capacity}, {"allocatedResources", c.Status.AllocatedResources}} {
		list := status.Child(l.name)
		for _, name := range check.Keys(l.list) {
			if q := l.list[name]; q.Sign() < 0 {
				amount := list.Key(string(name))
				e.Invalid(&amount, "", q.Value(), "must be a valid resource quantity")
			}
		}
	}
	return e.List()
}

// DefaultClaimTemplates returns a stateful set's claims with what they leave out filled in.
func DefaultClaimTemplates(claims []corev1.PersistentVolumeClaim) []corev1.PersistentVolumeClaim {
	look := filler{dry: true}
	for i := range claims {
		if claims[i].Status.Phase == "" || claims[i].Kind == "" {
			look.missing = true
		}
		look.claimSpec(&claims[i].Spec)
	}
	if !look.missing {
		return claims
	}
	next := make([]corev1.PersistentVolumeClaim, len(claims))
	for i := range claims {
		claims[i].DeepCopyInto(&next[i])
		next[i].SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"))
		defaultClaim(&next[i])
	}
	return next
}

// ValidateClaimTemplate checks a stateful set's claim at its place.
func ValidateClaimTemplate(e *check.Errors, at *check.Path, c *corev1.PersistentVolumeClaim) {
	spec := at.Child("spec")
	claimSpec(e, &spec, &c.Spec, claimRules{})
}
