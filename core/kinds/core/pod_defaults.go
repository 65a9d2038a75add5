package core

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
)

// Defaulting never writes into what an object may share with others: pods are made as shallow copies of
// immutable templates. So nested parts are looked through first (a dry filler), and only when something is
// missing is the spec copied and filled.

// DefaultPod fills in what a pod leaves out.
//
// Models pkg/apis/core/v1 SetObjectDefaults_Pod.
func DefaultPod(pod *corev1.Pod) {
	spec := &pod.Spec
	if spec.TerminationGracePeriodSeconds != nil && *spec.TerminationGracePeriodSeconds < 0 {
		spec.TerminationGracePeriodSeconds = ptr.To[int64](1)
	}
	if spec.EnableServiceLinks == nil {
		spec.EnableServiceLinks = ptr.To(corev1.DefaultEnableServiceLinks)
	}
	defaultPodSpec(spec, true)
	defaultPodStatus(&pod.Status)
}

func defaultPod(obj kinds.Object) { DefaultPod(obj.(*corev1.Pod)) }

// DefaultPodTemplate fills in what a pod template leaves out.
func DefaultPodTemplate(template *corev1.PodTemplateSpec) { defaultPodSpec(&template.Spec, false) }

// defaultPodSpec fills in a spec. A pod, unlike a template, also gets requests from its limits and host
// ports.
func defaultPodSpec(spec *corev1.PodSpec, pod bool) {
	if spec.ServiceAccountName == "" {
		spec.ServiceAccountName = spec.DeprecatedServiceAccount
	}
	spec.DeprecatedServiceAccount = spec.ServiceAccountName
	if spec.DNSPolicy == "" {
		spec.DNSPolicy = corev1.DNSClusterFirst
	}
	if spec.RestartPolicy == "" {
		spec.RestartPolicy = corev1.RestartPolicyAlways
	}
	if spec.SecurityContext == nil {
		spec.SecurityContext = &corev1.PodSecurityContext{}
	}
	if spec.TerminationGracePeriodSeconds == nil {
		spec.TerminationGracePeriodSeconds = ptr.To[int64](corev1.DefaultTerminationGracePeriodSeconds)
	}
	if spec.SchedulerName == "" {
		spec.SchedulerName = corev1.DefaultSchedulerName
	}
	look := filler{dry: true, pod: pod, hostNetwork: spec.HostNetwork}
	look.spec(spec)
	if look.missing {
		*spec = *spec.DeepCopy()
		fill := filler{pod: pod, hostNetwork: spec.HostNetwork}
		fill.spec(spec)
	}
}

// A filler walks the nested parts of a pod spec and fills in what is missing, or, when dry, only notes that
// something is.
type filler struct {
	dry, missing bool
	pod          bool // a pod, not a template
	hostNetwork  bool
}

// due is called where something is missing and reports whether to fill it in.
func (f *filler) due() bool {
	f.missing = true
	return !f.dry
}

func (f *filler) spec(spec *corev1.PodSpec) {
	for i := range spec.Volumes {
		f.volume(&spec.Volumes[i])
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		f.container(c)
		f.podContainer(c)
	}
	for i := range spec.Containers {
		c := &spec.Containers[i]
		f.container(c)
		f.podContainer(c)
	}
	for i := range spec.EphemeralContainers {
		f.container((*corev1.Container)(&spec.EphemeralContainers[i].EphemeralContainerCommon))
	}
	f.resources(spec.Overhead)
	if spec.Resources != nil {
		f.resources(spec.Resources.Limits)
		f.resources(spec.Resources.Requests)
	}
}

// podContainer fills in what only pods get: a request where there is only a limit, and host ports.
func (f *filler) podContainer(c *corev1.Container) {
	if !f.pod {
		return
	}
	// any order: each round sets its own key
	for name, limit := range c.Resources.Limits {
		if _, ok := c.Resources.Requests[name]; ok || !f.due() {
			continue
		}
		if c.Resources.Requests == nil {
			c.Resources.Requests = corev1.ResourceList{}
		}
		c.Resources.Requests[name] = limit.DeepCopy()
	}
	if !f.hostNetwork {
		return
	}
	for i := range c.Ports {
		if p := &c.Ports[i]; p.HostPort == 0 && p.ContainerPort != 0 && f.due() {
			p.HostPort = p.ContainerPort
		}
	}
}

func (f *filler) container(c *corev1.Container) {
	if c.ImagePullPolicy == "" && f.due() {
		c.ImagePullPolicy = defaultPullPolicy(c.Image)
	}
	if c.TerminationMessagePath == "" && f.due() {
		c.TerminationMessagePath = corev1.TerminationMessagePathDefault
	}
	if c.TerminationMessagePolicy == "" && f.due() {
		c.TerminationMessagePolicy = corev1.TerminationMessageReadFile
	}
	for i := range c.Ports {
		if c.Ports[i].Protocol == "" && f.due() {
			c.Ports[i].Protocol = corev1.ProtocolTCP
		}
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil {
			f.fieldRef(from.FieldRef)
			if from.FileKeyRef != nil && from.FileKeyRef.Optional == nil && f.due() {
				from.FileKeyRef.Optional = ptr.To(false)
			}
		}
	}
	f.resources(c.Resources.Limits)
	f.resources(c.Resources.Requests)
	f.probe(c.LivenessProbe)
	f.probe(c.ReadinessProbe)
	f.probe(c.StartupProbe)
	if c.Lifecycle != nil {
		if c.Lifecycle.PostStart != nil {
			f.httpGet(c.Lifecycle.PostStart.HTTPGet)
		}
		if c.Lifecycle.PreStop != nil {
			f.httpGet(c.Lifecycle.PreStop.HTTPGet)
		}
	}
}

func defaultPullPolicy(image string) corev1.PullPolicy {
	if imageTag(image) == "latest" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

func (f *filler) probe(p *corev1.Probe) {
	if p == nil {
		return
	}
	f.number(&p.TimeoutSeconds, 1)
	f.number(&p.PeriodSeconds, 10)
	f.number(&p.SuccessThreshold, 1)
	f.number(&p.FailureThreshold, 3)
	f.httpGet(p.HTTPGet)
	if p.GRPC != nil && p.GRPC.Service == nil && f.due() {
		p.GRPC.Service = ptr.To("")
	}
}

func (f *filler) number(n *int32, value int32) {
	if *n == 0 && f.due() {
		*n = value
	}
}

func (f *filler) httpGet(h *corev1.HTTPGetAction) {
	if h == nil {
		return
	}
	if h.Path == "" && f.due() {
		h.Path = "/"
	}
	if h.Scheme == "" && f.due() {
		h.Scheme = corev1.URISchemeHTTP
	}
}

func (f *filler) fieldRef(r *corev1.ObjectFieldSelector) {
	if r != nil && r.APIVersion == "" && f.due() {
		r.APIVersion = "v1"
	}
}

// resources rounds quantities up to thousandths, the finest that is kept.
func (f *filler) resources(list corev1.ResourceList) {
	for name, q := range list {
		q := q.DeepCopy()
		if !q.RoundUp(-3) && f.due() {
			list[name] = q
		}
	}
}

// defaultPodStatus keeps podIP and the first of podIPs the same.
func defaultPodStatus(s *corev1.PodStatus) {
	switch {
	case s.PodIP == "" && len(s.PodIPs) > 0:
		s.PodIP = s.PodIPs[0].IP
	case s.PodIP != "" && (len(s.PodIPs) == 0 || s.PodIPs[0].IP != s.PodIP):
		s.PodIPs = []corev1.PodIP{{IP: s.PodIP}}
	}
}
