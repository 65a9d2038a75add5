package core

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// podWarnings returns hints about a new pod; updates of pods get none.
//
// Models pkg/registry/core/pod podStrategy.WarningsOnCreate.
func podWarnings(obj, old kinds.Object) []string {
	if old != nil {
		return nil
	}
	pod := obj.(*corev1.Pod)
	warnings := NameWarnings(pod.Name, "this is used in the Pod's hostname")
	w := podWarner{spec: &pod.Spec, meta: &pod.ObjectMeta}
	w.appArmorAnnotations()
	w.list = append(w.list, warnings...)
	w.all()
	return w.list
}

// TemplateWarnings returns hints about a pod template at its place. An unchanged template gets none.
//
// Models pkg/api/pod GetWarningsForPodTemplate.
func TemplateWarnings(at *field.Path, template, old *corev1.PodTemplateSpec) []string {
	if old != nil && check.Equal(template, old) {
		return nil
	}
	w := podWarner{spec: &template.Spec, meta: &template.ObjectMeta, at: at}
	w.all()
	return w.list
}

// NameWarnings returns a hint when a name is no DNS label.
func NameWarnings(name, use string) []string {
	if check.IsDNSLabel(name) {
		return nil
	}
	return []string{fmt.Sprintf("metadata.name: %s, which can result in surprising behavior; a DNS label is recommended: %v", use, validation.IsDNS1123Label(name))}
}

// A podWarner collects hints about one pod spec. A good spec costs no path: they are made where there is
// something to say.
type podWarner struct {
	spec *corev1.PodSpec
	meta *metav1.ObjectMeta
	at   *field.Path // of a template; nil for a pod
	list []string
}

func (w *podWarner) add(at *field.Path, text string) { w.list = append(w.list, at.String()+": "+text) }

func (w *podWarner) place(names ...string) *field.Path {
	if w.at == nil {
		return field.NewPath("spec", names...)
	}
	return w.at.Child("spec", names...)
}

func (w *podWarner) annotation(key string) *field.Path {
	if w.at == nil {
		return field.NewPath("metadata", "annotations").Key(key)
	}
	return w.at.Child("metadata", "annotations").Key(key)
}

// Models pkg/api/pod warningsForPodSpecAndMeta.
func (w *podWarner) all() {
	w.nodeLabels()
	w.annotations()
	w.volumes()
	w.overlappingPaths()
	w.duplicates()
	for _, name := range [...]corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		if q, ok := w.spec.Overhead[name]; ok && q.MilliValue()%1000 != 0 {
			w.add(w.place("overhead").Key(string(name)), fractionDetail(q))
		}
	}
	w.containers()
	w.ports()
	w.portNames()
	if s := w.spec.TerminationGracePeriodSeconds; s != nil && *s < 0 {
		w.add(w.place("terminationGracePeriodSeconds"), "must be >= 0; negative values are invalid and will be treated as 1")
	}
	w.podAffinity()
	w.addresses()
}

func deprecatedNodeLabel(key string) string {
	switch key {
	case "beta.kubernetes.io/arch":
		return `deprecated since v1.14; use "kubernetes.io/arch" instead`
	case "beta.kubernetes.io/os":
		return `deprecated since v1.14; use "kubernetes.io/os" instead`
	case "failure-domain.beta.kubernetes.io/region":
		return `deprecated since v1.17; use "topology.kubernetes.io/region" instead`
	case "failure-domain.beta.kubernetes.io/zone":
		return `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`
	case "beta.kubernetes.io/instance-type":
		return `deprecated since v1.17; use "node.kubernetes.io/instance-type" instead`
	case "app.kubernetes.io/created-by":
		return `deprecated since v1.9`
	case "scheduler.alpha.kubernetes.io/preferAvoidPods":
		return `deprecated since v1.22; use Taints and Tolerations instead`
	case "node-role.kubernetes.io/master":
		return `use "node-role.kubernetes.io/control-plane" instead`
	}
	return ""
}

// nodeLabels warns of old labels in what chooses nodes.
func (w *podWarner) nodeLabels() {
	for _, k := range check.Keys(w.spec.NodeSelector) {
		if msg := deprecatedNodeLabel(k); msg != "" {
			w.add(w.place("nodeSelector").Key(k), msg)
		}
	}
	if w.spec.Affinity != nil && w.spec.Affinity.NodeAffinity != nil {
		a := w.spec.Affinity.NodeAffinity
		if r := a.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
			terms := w.place("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
			for i := range r.NodeSelectorTerms {
				w.nodeTerm(terms.Index(i), &r.NodeSelectorTerms[i], false)
			}
		}
		terms := w.place("affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution")
		for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
			w.nodeTerm(terms.Index(i).Child("preference"), &a.PreferredDuringSchedulingIgnoredDuringExecution[i].Preference, true)
		}
	}
	for i := range w.spec.TopologySpreadConstraints {
		c := &w.spec.TopologySpreadConstraints[i]
		at := w.place("topologySpreadConstraints").Index(i)
		if msg := deprecatedNodeLabel(c.TopologyKey); msg != "" {
			w.add(at.Child("topologyKey"), c.TopologyKey+" is "+msg)
		}
		if c.LabelSelector == nil {
			w.add(at.Child("labelSelector"), "a null labelSelector results in matching no pod")
		}
	}
}

func (w *podWarner) nodeTerm(at *field.Path, t *corev1.NodeSelectorTerm, values bool) {
	for i, e := range t.MatchExpressions {
		place := at.Child("matchExpressions").Index(i)
		if msg := deprecatedNodeLabel(e.Key); msg != "" {
			w.add(place.Child("key"), e.Key+" is "+msg)
		}
		if !values {
			continue
		}
		for j, value := range e.Values {
			for _, msg := range validation.IsValidLabelValue(value) {
				w.add(place.Child("values").Index(j), value+" is invalid, "+msg)
			}
		}
	}
}

// annotations warns of annotations that do nothing any more.
func (w *podWarner) annotations() {
	if len(w.meta.Annotations) == 0 {
		return
	}
	for _, d := range [...]struct{ key, msg string }{
		{"scheduler.alpha.kubernetes.io/critical-pod", `non-functional in v1.16+; use the "priorityClassName" field instead`},
		{"security.alpha.kubernetes.io/sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
		{"security.alpha.kubernetes.io/unsafe-sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
	} {
		if _, ok := w.meta.Annotations[d.key]; ok {
			w.add(w.annotation(d.key), d.msg)
		}
	}
}

func (w *podWarner) volumes() {
	for i := range w.spec.Volumes {
		v := &w.spec.Volumes[i].VolumeSource
		for _, old := range [...]struct {
			used      bool
			name, msg string
		}{
			{v.PhotonPersistentDisk != nil, "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
			{v.GitRepo != nil, "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"},
			{v.ScaleIO != nil, "scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
			{v.Flocker != nil, "flocker", "deprecated in v1.22, non-functional in v1.25+"},
			{v.StorageOS != nil, "storageOS", "deprecated in v1.22, non-functional in v1.25+"},
			{v.Quobyte != nil, "quobyte", "deprecated in v1.22, non-functional in v1.25+"},
			{v.Glusterfs != nil, "glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
			{v.CephFS != nil, "cephfs", "deprecated in v1.28, non-functional in v1.31+"},
			{v.RBD != nil, "rbd", "deprecated in v1.28, non-functional in v1.31+"},
		} {
			if old.used {
				w.add(w.place("volumes").Index(i).Child(old.name), old.msg)
			}
		}
		if e := v.Ephemeral; e != nil && e.VolumeClaimTemplate != nil {
			w.list = append(w.list, ClaimWarnings(w.place("volumes").Index(i).Child("ephemeral", "volumeClaimTemplate", "spec"), &e.VolumeClaimTemplate.Spec)...)
		}
	}
}

// duplicates warns of entries that are there twice.
func (w *podWarner) duplicates() {
	var ips, names check.Set
	for i, a := range w.spec.HostAliases {
		if !ips.Add(a.IP) {
			w.add(w.place("hostAliases").Index(i).Child("ip"), "duplicate ip "+quote(a.IP))
		}
	}
	for i, s := range w.spec.ImagePullSecrets {
		if !names.Add(s.Name) {
			w.add(w.place("imagePullSecrets").Index(i).Child("name"), "duplicate name "+quote(s.Name))
		}
	}
	for i, s := range w.spec.ImagePullSecrets {
		if s.Name == "" {
			w.add(w.place("imagePullSecrets").Index(i).Child("name"), `invalid empty name ""`)
		}
	}
}
