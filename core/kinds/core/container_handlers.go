package core

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

func (v *podValidator) lifecycleAndProbes(at *check.Path, c *corev1.Container) {
	if c.Lifecycle != nil {
		lifecycle := at.Child("lifecycle")
		v.lifecycle(&lifecycle, c.Lifecycle)
	}
	if c.LivenessProbe != nil {
		probe := at.Child("livenessProbe")
		v.probe(&probe, c.LivenessProbe)
		v.oneSuccess(&probe, c.LivenessProbe)
	}
	if c.ReadinessProbe != nil {
		probe := at.Child("readinessProbe")
		v.probe(&probe, c.ReadinessProbe)
		if s := c.ReadinessProbe.TerminationGracePeriodSeconds; s != nil {
			v.Invalid(&probe, "terminationGracePeriodSeconds", *s, "must not be set for readinessProbes")
		}
	}
	if c.StartupProbe != nil {
		probe := at.Child("startupProbe")
		v.probe(&probe, c.StartupProbe)
		v.oneSuccess(&probe, c.StartupProbe)
	}
}

func (v *podValidator) oneSuccess(at *check.Path, p *corev1.Probe) {
	if p.SuccessThreshold != 1 {
		v.Invalid(at, "successThreshold", p.SuccessThreshold, "must be 1")
	}
}

// probe checks what the three kinds of probes have in common.
//
// Models pkg/apis/core/validation validateProbe.
func (v *podValidator) probe(at *check.Path, p *corev1.Probe) {
	v.handler(at, &handler{Exec: p.Exec, HTTPGet: p.HTTPGet, TCPSocket: p.TCPSocket, GRPC: p.GRPC})
	v.NonNegative(at, "initialDelaySeconds", int64(p.InitialDelaySeconds))
	v.NonNegative(at, "timeoutSeconds", int64(p.TimeoutSeconds))
	v.NonNegative(at, "periodSeconds", int64(p.PeriodSeconds))
	v.NonNegative(at, "successThreshold", int64(p.SuccessThreshold))
	v.NonNegative(at, "failureThreshold", int64(p.FailureThreshold))
	if s := p.TerminationGracePeriodSeconds; s != nil && *s <= 0 {
		v.Invalid(at, "terminationGracePeriodSeconds", *s, "must be greater than 0")
	}
}

func (v *podValidator) lifecycle(at *check.Path, l *corev1.Lifecycle) {
	if h := l.PostStart; h != nil {
		hook := at.Child("postStart")
		v.handler(&hook, &handler{Exec: h.Exec, HTTPGet: h.HTTPGet, TCPSocket: h.TCPSocket, Sleep: h.Sleep})
	}
	if h := l.PreStop; h != nil {
		hook := at.Child("preStop")
		v.handler(&hook, &handler{Exec: h.Exec, HTTPGet: h.HTTPGet, TCPSocket: h.TCPSocket, Sleep: h.Sleep})
	}
	if l.StopSignal != nil {
		v.stopSignal(at, *l.StopSignal)
	}
}

// A handler is what a probe or a lifecycle hook does.
type handler struct {
	Exec      *corev1.ExecAction
	HTTPGet   *corev1.HTTPGetAction
	TCPSocket *corev1.TCPSocketAction
	GRPC      *corev1.GRPCAction
	Sleep     *corev1.SleepAction
}

// handler checks that a handler does one thing, and how.
//
// Models pkg/apis/core/validation validateHandler.
func (v *podValidator) handler(at *check.Path, h *handler) {
	count := 0
	one := func(set bool, name string) bool {
		if !set {
			return false
		}
		if count++; count > 1 {
			count = 1
			v.Forbidden(at, name, "may not specify more than 1 handler type")
			return false
		}
		return true
	}
	if one(h.Exec != nil, "exec") && len(h.Exec.Command) == 0 {
		v.Required(at, "exec.command", "")
	}
	if one(h.HTTPGet != nil, "httpGet") {
		get := at.Child("httpGet")
		v.httpGet(&get, h.HTTPGet)
	}
	if one(h.TCPSocket != nil, "tcpSocket") {
		v.portNumberOrName(at, "tcpSocket.port", h.TCPSocket.Port)
	}
	if one(h.GRPC != nil, "grpc") {
		v.portNumberOrName(at, "grpc.port", intstr.FromInt32(h.GRPC.Port))
		if m := h.GRPC.Mode; m != nil && *m != corev1.GRPCProbeModePlaintext && *m != corev1.GRPCProbeModeTLS {
			v.NotSupported(at, "grpc.mode", *m, "Plaintext", "TLS")
		}
	}
	if one(h.Sleep != nil, "sleep") {
		// Without a grace period the missing field itself is the error.
		grace := v.spec.TerminationGracePeriodSeconds
		if s := h.Sleep.Seconds; grace != nil && (s < 0 || s > *grace) {
			v.Invalid(at, "sleep", s, "must be non-negative and less than terminationGracePeriodSeconds ("+decimal(*grace)+")")
		}
	}
	if count == 0 {
		v.Required(at, "", "must specify a handler type")
	}
}

func (v *podValidator) httpGet(at *check.Path, h *corev1.HTTPGetAction) {
	if h.Path == "" {
		v.Required(at, "path", "")
	}
	v.portNumberOrName(at, "port", h.Port)
	if h.Scheme != corev1.URISchemeHTTP && h.Scheme != corev1.URISchemeHTTPS {
		v.NotSupported(at, "scheme", h.Scheme, "HTTP", "HTTPS")
	}
	for i := range h.HTTPHeaders {
		v.InvalidAll(at, "httpHeaders", h.HTTPHeaders[i].Name, validation.IsHTTPHeaderName(h.HTTPHeaders[i].Name))
	}
	if p := h.Protocol; p != nil {
		switch {
		case *p != corev1.HTTPProtocolHTTP1 && *p != corev1.HTTPProtocolHTTP2:
			v.NotSupported(at, "protocol", *p, string(corev1.HTTPProtocolHTTP1), string(corev1.HTTPProtocolHTTP2))
		case *p == corev1.HTTPProtocolHTTP2 && h.Scheme != corev1.URISchemeHTTP:
			v.Invalid(at, "protocol", *p, "is only supported with HTTP (H2C)")
		case *p == corev1.HTTPProtocolHTTP2 && h.Host != "":
			v.Invalid(at, "host", h.Host, "must be empty when `protocol` is \"HTTP2\"")
		}
	}
}

func (v *podValidator) portNumberOrName(at *check.Path, child string, p intstr.IntOrString) {
	switch p.Type {
	case intstr.Int:
		v.Port(at, child, p.IntVal)
	default:
		v.PortName(at, child, p.StrVal)
	}
}

func (v *podValidator) stopSignal(at *check.Path, s corev1.Signal) {
	switch {
	case v.spec.OS == nil:
		v.Forbidden(at, "stopSignal", "may not be set for containers with empty `spec.os.name`")
	case v.spec.OS.Name == corev1.Windows:
		if s != corev1.SIGKILL && s != corev1.SIGTERM {
			v.NotSupported(at, "stopSignal", s, "SIGKILL", "SIGTERM")
		}
	case v.spec.OS.Name == corev1.Linux:
		valid := linuxSignals()
		for _, name := range valid {
			if name == string(s) {
				return
			}
		}
		v.NotSupported(at, "stopSignal", s, valid...)
	}
}

// linuxSignals returns the names of Linux's signals, sorted.
func linuxSignals() []string {
	return []string{
		"SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT",
		"SIGIO", "SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGRTMAX",
		"SIGRTMAX-1", "SIGRTMAX-10", "SIGRTMAX-11", "SIGRTMAX-12", "SIGRTMAX-13", "SIGRTMAX-14", "SIGRTMAX-2",
		"SIGRTMAX-3", "SIGRTMAX-4", "SIGRTMAX-5", "SIGRTMAX-6", "SIGRTMAX-7", "SIGRTMAX-8", "SIGRTMAX-9",
		"SIGRTMIN", "SIGRTMIN+1", "SIGRTMIN+10", "SIGRTMIN+11", "SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14",
		"SIGRTMIN+15", "SIGRTMIN+2", "SIGRTMIN+3", "SIGRTMIN+4", "SIGRTMIN+5", "SIGRTMIN+6", "SIGRTMIN+7",
		"SIGRTMIN+8", "SIGRTMIN+9", "SIGSEGV", "SIGSTKFLT", "SIGSTOP", "SIGSYS", "SIGTERM", "SIGTRAP", "SIGTSTP",
		"SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ",
	}
}
