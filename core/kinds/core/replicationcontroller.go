package core

import (
	"maps"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func replicationControllers() kinds.Strategy {
	return kinds.Strategy{
		Default:          defaultController,
		PrepareForCreate: prepareController,
		Validate:         func(obj kinds.Object) field.ErrorList { return validateController(obj, nil) },
		PrepareForUpdate: prepareControllerUpdate,
		ValidateUpdate:   validateController,
		PrepareForStatusUpdate: func(obj, old kinds.Object) {
			obj.(*corev1.ReplicationController).Spec = old.(*corev1.ReplicationController).Spec
		},
		ValidateStatusUpdate: validateControllerStatus,
		SpecChanged: func(obj, old kinds.Object) bool {
			return !check.Equal(&obj.(*corev1.ReplicationController).Spec, &old.(*corev1.ReplicationController).Spec)
		},
		Warnings:   controllerWarnings,
		FieldNames: []string{"status.replicas"},
		Fields: func(obj kinds.Object) fields.Set {
			return fields.Set{"status.replicas": strconv.Itoa(int(obj.(*corev1.ReplicationController).Status.Replicas))}
		},
	}
}

// defaultController takes selector and labels from the template where they are missing.
func defaultController(obj kinds.Object) {
	c := obj.(*corev1.ReplicationController)
	if c.Spec.Replicas == nil {
		c.Spec.Replicas = ptr.To[int32](1)
	}
	if c.Spec.Template == nil {
		return
	}
	if l := c.Spec.Template.Labels; l != nil {
		if len(c.Spec.Selector) == 0 {
			c.Spec.Selector = maps.Clone(l)
		}
		if len(c.Labels) == 0 {
			c.Labels = maps.Clone(l)
		}
	}
	template := *c.Spec.Template
	DefaultPodTemplate(&template)
	c.Spec.Template = &template
}

func prepareController(obj kinds.Object) {
	c := obj.(*corev1.ReplicationController)
	c.Status = corev1.ReplicationControllerStatus{}
	if c.Spec.Template != nil {
		template := *c.Spec.Template
		DropTemplateFields(&template, nil)
		c.Spec.Template = &template
	}
}

func prepareControllerUpdate(obj, old kinds.Object) {
	c, was := obj.(*corev1.ReplicationController), old.(*corev1.ReplicationController)
	c.Status = was.Status
	if c.Spec.Template != nil {
		template := *c.Spec.Template
		DropTemplateFields(&template, was.Spec.Template)
		c.Spec.Template = &template
	}
}

// validateController checks a controller; old is nil for a new one.
//
// Models pkg/apis/core/validation ValidateReplicationControllerSpec.
func validateController(obj, old kinds.Object) field.ErrorList {
	spec := &obj.(*corev1.ReplicationController).Spec
	var e check.Errors
	at := check.Root("spec")
	e.NonNegative(&at, "minReadySeconds", int64(spec.MinReadySeconds))
	if len(spec.Selector) == 0 {
		e.Required(&at, "selector", "")
	}
	if spec.Replicas == nil {
		e.Required(&at, "replicas", "")
	} else {
		e.NonNegative(&at, "replicas", int64(*spec.Replicas))
	}
	template := at.Child("template")
	if spec.Template == nil {
		e.Required(&template, "", "")
		return e.List()
	}
	if len(spec.Selector) > 0 && !labels.SelectorFromSet(spec.Selector).Matches(labels.Set(spec.Template.Labels)) {
		e.Invalid(&template, "metadata.labels", spec.Template.Labels, "`selector` does not match template `labels`")
	}
	var was *corev1.PodTemplateSpec
	if old != nil {
		was = old.(*corev1.ReplicationController).Spec.Template
	}
	ValidatePodTemplate(&e, &template, spec.Template, was)
	ValidateReplicaTemplate(&e, &template, spec.Template, "ReplicationController")
	return e.List()
}

// ValidateReplicaTemplate checks what controllers that replace pods ask of their template: its pods run for
// ever.
func ValidateReplicaTemplate(e *check.Errors, at *check.Path, t *corev1.PodTemplateSpec, controller string) {
	if t.Spec.RestartPolicy != corev1.RestartPolicyAlways {
		e.NotSupported(at, "spec.restartPolicy", t.Spec.RestartPolicy, "Always")
	}
	if t.Spec.ActiveDeadlineSeconds != nil {
		e.Forbidden(at, "spec.activeDeadlineSeconds", "activeDeadlineSeconds in "+controller+" is not Supported")
	}
}

func validateControllerStatus(obj, _ kinds.Object) field.ErrorList {
	s := &obj.(*corev1.ReplicationController).Status
	var e check.Errors
	at := check.Root("status")
	e.NonNegative(&at, "replicas", int64(s.Replicas))
	e.NonNegative(&at, "fullyLabeledReplicas", int64(s.FullyLabeledReplicas))
	e.NonNegative(&at, "readyReplicas", int64(s.ReadyReplicas))
	e.NonNegative(&at, "availableReplicas", int64(s.AvailableReplicas))
	e.NonNegative(&at, "observedGeneration", s.ObservedGeneration)
	e.AtMost(&at, "fullyLabeledReplicas", s.FullyLabeledReplicas, s.Replicas, "cannot be greater than status.replicas")
	e.AtMost(&at, "readyReplicas", s.ReadyReplicas, s.Replicas, "cannot be greater than status.replicas")
	e.AtMost(&at, "availableReplicas", s.AvailableReplicas, s.Replicas, "cannot be greater than status.replicas")
	e.AtMost(&at, "availableReplicas", s.AvailableReplicas, s.ReadyReplicas, "cannot be greater than readyReplicas")
	return e.List()
}

func controllerWarnings(obj, old kinds.Object) []string {
	c := obj.(*corev1.ReplicationController)
	var was *corev1.PodTemplateSpec
	var warnings []string
	if old == nil {
		warnings = NameWarnings(c.Name, "this is used in Pod names and hostnames")
	} else if was = old.(*corev1.ReplicationController).Spec.Template; was == c.Spec.Template {
		return nil
	}
	if c.Spec.Template == nil {
		return warnings
	}
	return append(warnings, TemplateWarnings(field.NewPath("spec", "template"), c.Spec.Template, was)...)
}
