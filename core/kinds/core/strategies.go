package core

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"

	"terrarium/core/kinds"
)

// strategies returns how objects of each resource of the group are treated.
func strategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{
		"configmaps":             configMaps(),
		"endpoints":              endpoints(),
		"events":                 events(),
		"limitranges":            limitRanges(),
		"namespaces":             namespaces(),
		"nodes":                  nodes(),
		"persistentvolumeclaims": persistentVolumeClaims(),
		"persistentvolumes":      persistentVolumes(),
		"pods":                   pods(),
		"podtemplates":           podTemplates(),
		"replicationcontrollers": replicationControllers(),
		"resourcequotas":         resourceQuotas(),
		"secrets":                secrets(),
		"serviceaccounts":        serviceAccounts(),
		"services":               services(),
	}
}

func pods() kinds.Strategy {
	return kinds.Strategy{
		Default:                defaultPod,
		PrepareForCreate:       preparePod,
		Validate:               validatePod,
		PrepareForUpdate:       preparePodUpdate,
		ValidateUpdate:         validatePodUpdate,
		PrepareForStatusUpdate: preparePodStatus,
		ValidateStatusUpdate:   validatePodStatus,
		SpecChanged:            podSpecChanged,
		Warnings:               podWarnings,
		FieldNames: []string{"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
			"spec.hostNetwork", "status.phase", "status.podIP", "status.podIPs", "status.nominatedNodeName"},
		Fields: podFields,
	}
}

func podFields(obj kinds.Object) fields.Set {
	pod := obj.(*corev1.Pod)
	ip := ""
	if len(pod.Status.PodIPs) > 0 {
		ip = pod.Status.PodIPs[0].IP
	}
	return fields.Set{
		"spec.nodeName":            pod.Spec.NodeName,
		"spec.restartPolicy":       string(pod.Spec.RestartPolicy),
		"spec.schedulerName":       pod.Spec.SchedulerName,
		"spec.serviceAccountName":  pod.Spec.ServiceAccountName,
		"spec.hostNetwork":         strconv.FormatBool(pod.Spec.HostNetwork),
		"status.phase":             string(pod.Status.Phase),
		"status.podIP":             ip,
		"status.nominatedNodeName": pod.Status.NominatedNodeName,
	}
}
