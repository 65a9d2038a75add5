package pods

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FromTemplate returns a new pod of the template, to be created for the controller that ref names.
//
// The pod shares with the template everything that the request path does not write to when it defaults
// and admits a pod; what it writes to is the pod's own. Models pkg/controller GetPodFromTemplate.
func FromTemplate(namespace string, template *corev1.PodTemplateSpec, ref metav1.OwnerReference) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       namespace,
			GenerateName:    Prefix(ref.Name),
			Labels:          maps.Clone(template.Labels),
			Annotations:     maps.Clone(template.Annotations),
			Finalizers:      slices.Clone(template.Finalizers),
			OwnerReferences: []metav1.OwnerReference{ref},
		},
		Spec: template.Spec,
	}
	ownSpec(&pod.Spec)
	return pod
}

// Prefix returns the generateName of the pods of a controller. Upstream leaves the dash out where the name
// with it would be invalid, which no valid name is.
func Prefix(controller string) string { return controller + "-" }

// ownSpec gives the spec its own copy of each part that defaulting and admission fill in, and takes the
// spare room from slices they append to, so that pods which share one never write into each other.
func ownSpec(s *corev1.PodSpec) {
	s.Containers = ownContainers(s.Containers)
	s.InitContainers = ownContainers(s.InitContainers)
	s.Volumes = slices.Clip(slices.Clone(s.Volumes))
	s.Tolerations = slices.Clip(slices.Clone(s.Tolerations))
	s.ImagePullSecrets = slices.Clip(s.ImagePullSecrets)
	s.NodeSelector = maps.Clone(s.NodeSelector)
	if s.SecurityContext != nil {
		sc := *s.SecurityContext
		s.SecurityContext = &sc
	}
}

func ownContainers(list []corev1.Container) []corev1.Container {
	own := slices.Clip(slices.Clone(list))
	for i := range own {
		c := &own[i]
		c.Env = slices.Clip(c.Env)
		c.EnvFrom = slices.Clip(c.EnvFrom)
		c.Ports = slices.Clip(c.Ports)
		c.VolumeMounts = slices.Clip(c.VolumeMounts)
		for name := range c.Resources.Limits { // any order: one is enough
			if _, ok := c.Resources.Requests[name]; !ok {
				c.Resources.Requests = maps.Clone(c.Resources.Requests) // absent requests become the limits
				break
			}
		}
	}
	return own
}
