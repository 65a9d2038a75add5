package core

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func podTemplates() kinds.Strategy {
	return kinds.Strategy{
		Default:          func(obj kinds.Object) { DefaultPodTemplate(&obj.(*corev1.PodTemplate).Template) },
		PrepareForCreate: func(obj kinds.Object) { DropTemplateFields(&obj.(*corev1.PodTemplate).Template, nil) },
		Validate:         func(obj kinds.Object) field.ErrorList { return validateTemplate(obj, nil) },
		PrepareForUpdate: func(obj, old kinds.Object) {
			DropTemplateFields(&obj.(*corev1.PodTemplate).Template, &old.(*corev1.PodTemplate).Template)
		},
		ValidateUpdate: validateTemplate,
		SpecChanged: func(obj, old kinds.Object) bool {
			return !check.Equal(&obj.(*corev1.PodTemplate).Template, &old.(*corev1.PodTemplate).Template)
		},
		Warnings: func(obj, old kinds.Object) []string {
			var was *corev1.PodTemplateSpec
			if old != nil {
				was = &old.(*corev1.PodTemplate).Template
			}
			return TemplateWarnings(field.NewPath("template"), &obj.(*corev1.PodTemplate).Template, was)
		},
	}
}

func validateTemplate(obj, old kinds.Object) field.ErrorList {
	var e check.Errors
	var was *corev1.PodTemplateSpec
	if old != nil {
		was = &old.(*corev1.PodTemplate).Template
	}
	at := check.Root("template")
	ValidatePodTemplate(&e, &at, &obj.(*corev1.PodTemplate).Template, was)
	return e.List()
}
