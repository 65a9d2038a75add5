package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds/check"
)

// containers checks the regular containers.
//
// Models pkg/apis/core/validation validateContainers.
func (v *podValidator) containers(at *check.Path) {
	list := at.Child("containers")
	if len(v.spec.Containers) == 0 {
		v.Required(&list, "", "")
		return
	}
	var names check.Set
	for i := range v.spec.Containers {
		c, container := &v.spec.Containers[i], list.Index(i)
		v.container(&container, c)
		if !names.Add(c.Name) {
			v.Duplicate(&container, "name", c.Name)
		}
		v.lifecycleAndProbes(&container, c)
		v.restartRules(&container, c)
	}
	var ports check.Set
	for i := range v.spec.Containers {
		container := list.Index(i)
		v.uniqueHostPorts(&container, &v.spec.Containers[i], &ports)
	}
}

// initContainers checks the containers that run before the others, and the sidecars among them.
//
// Models pkg/apis/core/validation validateInitContainers.
func (v *podValidator) initContainers(at *check.Path) {
	if len(v.spec.InitContainers) == 0 {
		return
	}
	var names check.Set
	for i := range v.spec.Containers {
		names.Add(v.spec.Containers[i].Name)
	}
	list := at.Child("initContainers")
	for i := range v.spec.InitContainers {
		c, container := &v.spec.InitContainers[i], list.Index(i)
		v.container(&container, c)
		if c.RestartPolicy != nil {
			v.restartRules(&container, c)
		} else if len(c.RestartPolicyRules) > 0 {
			v.Required(&container, "restartPolicy", "must specify restartPolicy when restart rules are used")
		}
		if names.Has(c.Name) {
			v.Duplicate(&container, "name", c.Name)
		} else if c.Name != "" {
			names.Add(c.Name)
		}
		// Init containers run one by one: only a container's own ports can collide. Upstream names the
		// place as if the container were alone in the list.
		first := list.Index(0)
		var ports check.Set
		v.uniqueHostPorts(&first, c, &ports)
		if isSidecar(c) {
			v.lifecycleAndProbes(&container, c)
		} else {
			v.plainInitContainer(&container, c)
		}
	}
}

// isSidecar reports whether an init container keeps running beside the regular ones.
func isSidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// plainInitContainer refuses what only containers that keep running may have.
func (v *podValidator) plainInitContainer(at *check.Path, c *corev1.Container) {
	const detail = "may not be set for init containers without restartPolicy=Always"
	if c.Lifecycle != nil {
		v.Forbidden(at, "lifecycle", detail)
	}
	if c.LivenessProbe != nil {
		v.Forbidden(at, "livenessProbe", detail)
	}
	if c.ReadinessProbe != nil {
		v.Forbidden(at, "readinessProbe", detail)
	}
	if c.StartupProbe != nil {
		v.Forbidden(at, "startupProbe", detail)
	}
	if v.rules.initRestartContainer {
		return
	}
	policies := at.Child("resizePolicy")
	for i := range c.ResizePolicy {
		if c.ResizePolicy[i].RestartPolicy == corev1.RestartContainer {
			policy := policies.Index(i)
			v.Invalid(&policy, "restartPolicy", corev1.RestartContainer, "must not be set to 'RestartContainer' for non-sidecar initContainers")
		}
	}
}

// container checks what all kinds of containers have.
//
// Models pkg/apis/core/validation validateContainerCommon.
func (v *podValidator) container(at *check.Path, c *corev1.Container) {
	if c.Name == "" {
		v.Required(at, "name", "")
	} else {
		v.DNSLabel(at, "name", c.Name)
	}
	if c.Image == "" {
		v.Required(at, "image", "")
	}
	switch c.TerminationMessagePolicy {
	case corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError:
	case "":
		v.Required(at, "terminationMessagePolicy", "")
	default:
		v.NotSupported(at, "terminationMessagePolicy", c.TerminationMessagePolicy, "File", "FallbackToLogsOnError")
	}
	v.containerPorts(at, c.Ports)
	v.env(at, c.Env)
	v.envFrom(at, c.EnvFrom)
	v.volumeMounts(at, c)
	v.volumeDevices(at, c)
	v.pullPolicy(at, "imagePullPolicy", c.ImagePullPolicy)
	resources := at.Child("resources")
	v.requirements(&resources, &c.Resources, false)
	v.resizePolicy(at, c.ResizePolicy)
	v.securityContext(at, c.SecurityContext)
}

func (v *podValidator) pullPolicy(at *check.Path, child string, p corev1.PullPolicy) {
	switch p {
	case corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever:
	case "":
		v.Required(at, child, "")
	default:
		v.NotSupported(at, child, p, "Always", "IfNotPresent", "Never")
	}
}

func (v *podValidator) containerPorts(at *check.Path, list []corev1.ContainerPort) {
	var names check.Set
	ports := at.Child("ports")
	for i := range list {
		p, port := &list[i], ports.Index(i)
		if p.Name != "" {
			if !check.IsPortName(p.Name) {
				v.PortName(&port, "name", p.Name)
			} else if !names.Add(p.Name) {
				v.Duplicate(&port, "name", p.Name)
			}
		}
		if p.ContainerPort == 0 {
			v.Required(&port, "containerPort", "")
		} else {
			v.Port(&port, "containerPort", p.ContainerPort)
		}
		if p.HostPort != 0 {
			v.Port(&port, "hostPort", p.HostPort)
		}
		switch p.Protocol {
		case corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP:
		case "":
			v.Required(&port, "protocol", "")
		default:
			v.NotSupported(&port, "protocol", p.Protocol, "SCTP", "TCP", "UDP")
		}
	}
}

// uniqueHostPorts checks that no two ports want the same port of the host.
func (v *podValidator) uniqueHostPorts(at *check.Path, c *corev1.Container, seen *check.Set) {
	ports := at.Child("ports")
	for i := range c.Ports {
		p := &c.Ports[i]
		if p.HostPort == 0 {
			continue
		}
		key := string(p.Protocol) + "/" + p.HostIP + "/" + decimal(int64(p.HostPort))
		if !seen.Add(key) {
			port := ports.Index(i)
			v.Duplicate(&port, "hostPort", key)
		}
	}
}

func (v *podValidator) resizePolicy(at *check.Path, list []corev1.ContainerResizePolicy) {
	var seen check.Set
	policies := at.Child("resizePolicy")
	for i := range list {
		p := &list[i]
		if !seen.Add(string(p.ResourceName)) {
			policy := policies.Index(i)
			v.Duplicate(&policy, "", p.ResourceName)
		}
		switch p.ResourceName {
		case corev1.ResourceCPU, corev1.ResourceMemory:
		case "":
			v.Required(&policies, "", "")
		default:
			v.NotSupported(&policies, "", p.ResourceName, "cpu", "memory")
		}
		switch p.RestartPolicy {
		case corev1.NotRequired, corev1.RestartContainer:
		case "":
			v.Required(&policies, "", "")
		default:
			v.NotSupported(&policies, "", p.RestartPolicy, "NotRequired", "RestartContainer")
		}
		if v.spec.RestartPolicy == corev1.RestartPolicyNever && p.RestartPolicy != corev1.NotRequired {
			v.Invalid(&policies, "", p.RestartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")
		}
	}
}

// restartRules checks a container's own restart policy.
//
// Models pkg/apis/core/validation validateContainerRestartPolicy.
func (v *podValidator) restartRules(at *check.Path, c *corev1.Container) {
	if c.RestartPolicy == nil {
		if len(c.RestartPolicyRules) == 0 {
			return
		}
		v.Required(at, "restartPolicy", "must specify restartPolicy when restart rules are used")
	} else {
		switch *c.RestartPolicy {
		case corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyOnFailure:
		default:
			v.NotSupported(at, "restartPolicy", *c.RestartPolicy, "Always", "Never", "OnFailure")
		}
	}
	if n := len(c.RestartPolicyRules); n > 20 {
		v.TooMany(at, "restartPolicyRules", n, 20)
	}
	rules := at.Child("restartPolicyRules")
	for i := range c.RestartPolicyRules {
		r, rule := &c.RestartPolicyRules[i], rules.Index(i)
		switch r.Action {
		case corev1.ContainerRestartRuleActionRestart, corev1.ContainerRestartRuleActionRestartAllContainers:
		default:
			v.NotSupported(&rule, "action", r.Action, "Restart", "RestartAllContainers")
		}
		if r.ExitCodes == nil {
			v.Required(&rule, "exitCodes", "must be specified")
			continue
		}
		switch r.ExitCodes.Operator {
		case corev1.ContainerRestartRuleOnExitCodesOpIn, corev1.ContainerRestartRuleOnExitCodesOpNotIn:
		default:
			v.NotSupported(&rule, "exitCodes.operator", r.ExitCodes.Operator, "In", "NotIn")
		}
		if n := len(r.ExitCodes.Values); n > 255 {
			v.TooMany(&rule, "exitCodes.values", n, 255)
		}
	}
}

// trimmedImages refuses images with spaces around them; templates may have them, pods not.
func (v *podValidator) trimmedImages(at *check.Path, child string, list []corev1.Container) {
	containers := at.Child(child)
	for i := range list {
		container := containers.Index(i)
		v.trimmedImage(&container, &list[i])
	}
}

func (v *podValidator) trimmedImage(at *check.Path, c *corev1.Container) {
	if len(c.Image) != len(strings.TrimSpace(c.Image)) {
		v.Invalid(at, "image", c.Image, "must not have leading or trailing whitespace")
	}
}
