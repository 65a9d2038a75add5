package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

func (v *podValidator) env(at *check.Path, list []corev1.EnvVar) {
	vars := at.Child("env")
	for i := range list {
		ev, env := &list[i], vars.Index(i)
		if ev.Name == "" {
			v.Required(&env, "name", "")
		} else if !check.IsEnvVarName(ev.Name) {
			v.InvalidAll(&env, "name", ev.Name, validation.IsRelaxedEnvVarName(ev.Name))
		}
		if ev.ValueFrom != nil {
			from := env.Child("valueFrom")
			v.envSource(&from, ev)
		}
	}
}

// envSource checks where the value of a variable comes from.
//
// Models pkg/apis/core/validation validateEnvVarValueFrom.
func (v *podValidator) envSource(at *check.Path, ev *corev1.EnvVar) {
	sources, from := 0, ev.ValueFrom
	if from.FieldRef != nil {
		sources++
		ref := at.Child("fieldRef")
		v.fieldRef(&ref, from.FieldRef, envFieldPaths())
	}
	if from.ResourceFieldRef != nil {
		sources++
		ref := at.Child("resourceFieldRef")
		v.resourceFieldRef(&ref, from.ResourceFieldRef, false)
	}
	if r := from.ConfigMapKeyRef; r != nil {
		sources++
		ref := at.Child("configMapKeyRef")
		v.keyRef(&ref, r.Name, r.Key)
	}
	if r := from.SecretKeyRef; r != nil {
		sources++
		ref := at.Child("secretKeyRef")
		v.keyRef(&ref, r.Name, r.Key)
	}
	if from.FileKeyRef != nil {
		sources++
		ref := at.Child("fileKeyRef")
		v.fileKeyRef(&ref, from.FileKeyRef)
	}
	switch {
	case sources == 0:
		v.Invalid(at, "", "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`")
	case ev.Value != "":
		v.Invalid(at, "", "", "may not be specified when `value` is not empty")
	case sources > 1:
		v.Invalid(at, "", "", "may not have more than one field specified at a time")
	}
}

// keyRef checks a reference to a key of a ConfigMap or a Secret.
func (v *podValidator) keyRef(at *check.Path, name, key string) {
	v.DNSSubdomain(at, "name", name)
	if key == "" {
		v.Required(at, "key", "")
	} else {
		v.ConfigMapKey(at, "key", key)
	}
}

func (v *podValidator) fileKeyRef(at *check.Path, r *corev1.FileKeySelector) {
	if r.Key == "" {
		v.Required(at, "key", "")
	} else if !check.IsEnvVarName(r.Key) {
		v.InvalidAll(at, "key", r.Key, validation.IsRelaxedEnvVarName(r.Key))
	}
	if r.VolumeName == "" {
		v.Required(at, "volumeName", "")
	} else {
		v.DNSLabel(at, "volumeName", r.VolumeName)
	}
	if r.Path == "" {
		v.Required(at, "path", "")
	} else {
		v.noBacksteps(at, "path", r.Path)
	}
}

// fileKeyRefs checks that variables read from files name emptyDir volumes of the pod.
//
// Models pkg/apis/core/validation validateFileKeyRefVolumes.
func (v *podValidator) fileKeyRefs(at *check.Path) {
	eachContainer(v.spec, func(c *corev1.Container, list string, n int) {
		containers := at.Child(list)
		container := containers.Index(n)
		env := container.Child("env")
		for i := range c.Env {
			if c.Env[i].ValueFrom == nil || c.Env[i].ValueFrom.FileKeyRef == nil {
				continue
			}
			name, variable := c.Env[i].ValueFrom.FileKeyRef.VolumeName, env.Index(i)
			var found *corev1.Volume
			for j := range v.spec.Volumes {
				if v.spec.Volumes[j].Name == name {
					found = &v.spec.Volumes[j]
				}
			}
			if found == nil {
				v.NotFound(&variable, "valueFrom.fileKeyRef.volumeName", name)
			} else if found.EmptyDir == nil {
				v.Invalid(&variable, "valueFrom.fileKeyRef.volumeName", name, "referenced volume must be of type emptyDir")
			}
		}
	})
}

// eachContainer calls f for every container: init, regular, ephemeral; list[i] is where it is in the spec.
// It takes no place to build on: what f closes over stays on the stack then.
func eachContainer(spec *corev1.PodSpec, f func(c *corev1.Container, list string, i int)) {
	for i := range spec.InitContainers {
		f(&spec.InitContainers[i], "initContainers", i)
	}
	for i := range spec.Containers {
		f(&spec.Containers[i], "containers", i)
	}
	for i := range spec.EphemeralContainers {
		f((*corev1.Container)(&spec.EphemeralContainers[i].EphemeralContainerCommon), "ephemeralContainers", i)
	}
}

func envFieldPaths() []string {
	return []string{"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
		"spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"}
}

func volumeFieldPaths() []string {
	return []string{"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"}
}

// fieldRef checks a reference to a field of the pod: one of valid, or a label or annotation by name.
//
// Models pkg/apis/core/validation validateObjectFieldSelector.
func (v *podValidator) fieldRef(at *check.Path, r *corev1.ObjectFieldSelector, valid []string) {
	if r.APIVersion == "" {
		v.Required(at, "apiVersion", "")
		return
	}
	if r.FieldPath == "" {
		v.Required(at, "fieldPath", "")
		return
	}
	if r.APIVersion != "v1" {
		v.Invalid(at, "fieldPath", r.FieldPath, "error converting fieldPath: unsupported pod version: "+r.APIVersion)
		return
	}
	path, key, subscripted := splitSubscript(r.FieldPath)
	switch {
	case subscripted && path == "metadata.annotations":
		v.InvalidAll(at, "", strings.ToLower(key), validation.IsQualifiedName(strings.ToLower(key)))
	case subscripted && path == "metadata.labels":
		v.QualifiedName(at, "", key)
	case subscripted:
		v.Invalid(at, "fieldPath", r.FieldPath, "error converting fieldPath: field label does not support subscript: "+r.FieldPath)
	default:
		v.plainFieldPath(at, r.FieldPath, valid)
	}
}

func (v *podValidator) plainFieldPath(at *check.Path, path string, valid []string) {
	if path == "spec.host" { // what v1 called it before 1.0
		path = "spec.nodeName"
	}
	for _, p := range valid {
		if p == path {
			return
		}
	}
	switch path {
	case "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid",
		"spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "spec.schedulerName",
		"status.phase", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs":
		v.NotSupported(at, "fieldPath", path, valid...)
	default:
		v.Invalid(at, "fieldPath", path, "error converting fieldPath: field label not supported: "+path)
	}
}

// splitSubscript splits "metadata.labels['key']".
func splitSubscript(path string) (base, key string, ok bool) {
	s, ok := strings.CutSuffix(path, "']")
	if !ok {
		return path, "", false
	}
	base, key, ok = strings.Cut(s, "['")
	if !ok || base == "" {
		return path, "", false
	}
	return base, key, true
}

// resourceFieldRef checks a reference to a container's resources.
//
// Models pkg/apis/core/validation validateContainerResourceFieldSelector.
func (v *podValidator) resourceFieldRef(at *check.Path, r *corev1.ResourceFieldSelector, volume bool) {
	switch {
	case volume && r.ContainerName == "":
		v.Required(at, "containerName", "")
	case r.Resource == "":
		v.Required(at, "resource", "")
	default:
		switch r.Resource {
		case "limits.cpu", "limits.memory", "limits.ephemeral-storage",
			"requests.cpu", "requests.memory", "requests.ephemeral-storage":
		default:
			if !strings.HasPrefix(r.Resource, "requests.hugepages-") && !strings.HasPrefix(r.Resource, "limits.hugepages-") {
				v.NotSupported(at, "resource", r.Resource, "limits.cpu", "limits.ephemeral-storage", "limits.memory",
					"requests.cpu", "requests.ephemeral-storage", "requests.memory")
			}
		}
	}
	v.divisor(at, r.Resource, r.Divisor)
}

func (v *podValidator) divisor(at *check.Path, resourceName string, divisor resource.Quantity) {
	if divisor.IsZero() {
		return
	}
	_, name, _ := strings.Cut(resourceName, ".")
	what := name
	switch {
	case name == "cpu":
		if s := divisor.String(); s != "1m" && s != "1" {
			v.Invalid(at, "divisor", resourceName, "only divisor's values 1m and 1 are supported with the cpu resource")
		}
		return
	case name == "memory":
	case name == "ephemeral-storage":
		what = "local ephemeral storage"
	case strings.HasPrefix(name, "hugepages-"):
		what = "hugepages"
	default:
		return
	}
	switch divisor.String() {
	case "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei":
	default:
		v.Invalid(at, "divisor", resourceName, "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the "+what+" resource")
	}
}

func (v *podValidator) envFrom(at *check.Path, list []corev1.EnvFromSource) {
	sources := at.Child("envFrom")
	for i := range list {
		s, source := &list[i], sources.Index(i)
		if s.Prefix != "" && !check.IsEnvVarName(s.Prefix) {
			v.InvalidAll(&source, "prefix", s.Prefix, validation.IsRelaxedEnvVarName(s.Prefix))
		}
		count := 0
		if s.ConfigMapRef != nil {
			count++
			v.envFromName(&source, "configMapRef.name", s.ConfigMapRef.Name)
		}
		if s.SecretRef != nil {
			count++
			v.envFromName(&source, "secretRef.name", s.SecretRef.Name)
		}
		if count == 0 {
			v.Invalid(&sources, "", "", "must specify one of: `configMapRef` or `secretRef`")
		} else if count > 1 {
			v.Invalid(&sources, "", "", "may not have more than one field specified at a time")
		}
	}
}

func (v *podValidator) envFromName(at *check.Path, child, name string) {
	if name == "" {
		v.Required(at, child, "")
	} else {
		v.InvalidAll(at, child, name, check.SubdomainName(name, true))
	}
}
