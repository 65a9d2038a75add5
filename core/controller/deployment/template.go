package deployment

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/dump"
)

// hashLabel sets the pods of one template apart from those of another.
const hashLabel = appsv1.DefaultDeploymentUniqueLabelKey

// templateHash returns the pod-template-hash of a template. collisions is nil until a hash collided.
// Models pkg/controller ComputeHash.
func templateHash(template *corev1.PodTemplateSpec, collisions *int32) string {
	h := fnv.New32a()
	io.WriteString(h, dump.ForHash(*template))
	if collisions != nil {
		var b [8]byte
		binary.LittleEndian.PutUint32(b[:], uint32(*collisions))
		h.Write(b[:])
	}
	return rand.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10))
}

// setName returns the name of the Deployment's ReplicaSet with that hash, shortened where needed.
// Models pkg/controller/deployment generateReplicaSetName.
func setName(deployment, hash string) string {
	room := validation.DNS1123SubdomainMaxLength - len("-") - len(hash)
	if room > 0 && len(deployment) > room {
		deployment = deployment[:room]
	}
	return deployment + "-" + hash
}

// equalTemplates reports whether two templates differ in nothing but the hash label. The hash itself would
// not do: it changes when the API gets a new field.
func equalTemplates(a, b *corev1.PodTemplateSpec) bool {
	if !equalLabels(a.Labels, b.Labels) {
		return false
	}
	am, bm := a.ObjectMeta, b.ObjectMeta
	am.Labels, bm.Labels = nil, nil
	return equality.Semantic.DeepEqual(&am, &bm) && equality.Semantic.DeepEqual(&a.Spec, &b.Spec)
}

// equalLabels compares all labels but the hash.
func equalLabels(a, b map[string]string) bool {
	count := func(m map[string]string) int {
		if _, ok := m[hashLabel]; ok {
			return len(m) - 1
		}
		return len(m)
	}
	if count(a) != count(b) {
		return false
	}
	for k, v := range a { // any order: one difference is enough
		if k == hashLabel {
			continue
		}
		if w, ok := b[k]; !ok || w != v {
			return false
		}
	}
	return true
}

// withHash returns the template with the hash label; it shares the rest.
func withHash(template *corev1.PodTemplateSpec, hash string) corev1.PodTemplateSpec {
	t := *template
	t.Labels = withLabel(template.Labels, hash)
	return t
}

// withoutHash returns the template without the hash label; it shares the rest.
func withoutHash(template *corev1.PodTemplateSpec) corev1.PodTemplateSpec {
	t := *template
	t.Labels = maps.Clone(template.Labels)
	delete(t.Labels, hashLabel)
	return t
}

// selectorWithHash returns the selector narrowed to the hash.
func selectorWithHash(selector *metav1.LabelSelector, hash string) *metav1.LabelSelector {
	s := *selector
	s.MatchLabels = withLabel(selector.MatchLabels, hash)
	return &s
}

func withLabel(labels map[string]string, hash string) map[string]string {
	m := make(map[string]string, len(labels)+1)
	maps.Copy(m, labels)
	m[hashLabel] = hash
	return m
}
