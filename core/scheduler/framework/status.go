package framework

import (
	"slices"
	"strings"
)

// A Code says how a plugin's call ended and what the queue does with the pod.
type Code uint8

const (
	// Success: go on. The zero Status is Success.
	Success Code = iota
	// Error: something unexpected; the pod is retried after back-off.
	Error
	// Unschedulable: the pod cannot be scheduled as things are; PostFilter may change that (preemption).
	Unschedulable
	// UnschedulableAndUnresolvable: as Unschedulable, and removing pods from the node would not help.
	UnschedulableAndUnresolvable
	// Wait: a Permit plugin makes the pod wait before it is bound.
	Wait
	// Skip: a Bind plugin leaves binding to the next one; a PreFilter or PreScore plugin has nothing to
	// do for this pod, so its Filter or Score does not run.
	Skip
	// Pending: the decision stands, but the plugin waits for something outside; the pod is retried
	// without back-off once that has happened.
	Pending
)

// String returns the code's name.
func (c Code) String() string {
	return [...]string{"Success", "Error", "Unschedulable", "UnschedulableAndUnresolvable", "Wait", "Skip", "Pending"}[c]
}

// A Status is what a plugin answers. Plugins that refuse for a fixed reason make their Status once and
// return it for every node, so refusing costs no allocation.
type Status struct {
	code   Code
	detail *detail // nil when there is nothing to add
}

type detail struct {
	plugin  string
	reasons []string
	err     error
}

// NewStatus returns a Status of the named plugin.
func NewStatus(code Code, plugin string, reasons ...string) Status {
	return Status{code, &detail{plugin: plugin, reasons: reasons}}
}

// SkipStatus is the answer of a plugin that has nothing to do.
func SkipStatus() Status { return Status{code: Skip} }

// AsStatus returns an Error, or Success when err is nil.
func AsStatus(err error) Status {
	if err == nil {
		return Status{}
	}
	return Status{Error, &detail{err: err}}
}

// WithError returns a Status of the same code and plugin whose reason is err.
func (s Status) WithError(err error) Status {
	return Status{s.code, &detail{plugin: s.Plugin(), err: err}}
}

// WithPlugin returns the same Status in the name of another plugin.
func (s Status) WithPlugin(plugin string) Status {
	if s.Plugin() == plugin {
		return s
	}
	d := detail{plugin: plugin}
	if s.detail != nil {
		d.reasons, d.err = s.detail.reasons, s.detail.err
	}
	return Status{s.code, &d}
}

// Code returns the code.
func (s Status) Code() Code { return s.code }

// IsSuccess reports whether the call went well.
func (s Status) IsSuccess() bool { return s.code == Success }

// IsSkip reports whether the plugin had nothing to do.
func (s Status) IsSkip() bool { return s.code == Skip }

// IsWait reports whether the pod has to wait for permission.
func (s Status) IsWait() bool { return s.code == Wait }

// IsRejected reports whether the pod cannot be scheduled as things are.
func (s Status) IsRejected() bool {
	return s.code == Unschedulable || s.code == UnschedulableAndUnresolvable || s.code == Pending
}

// Plugin returns the name of the plugin that answered.
func (s Status) Plugin() string {
	if s.detail == nil {
		return ""
	}
	return s.detail.plugin
}

// Reasons returns the reasons, the error's text first.
func (s Status) Reasons() []string {
	if s.detail == nil {
		return nil
	}
	if s.detail.err != nil {
		return append([]string{s.detail.err.Error()}, s.detail.reasons...)
	}
	return s.detail.reasons
}

// Message returns the reasons in one line.
func (s Status) Message() string { return strings.Join(s.Reasons(), ", ") }

// Err returns the error of a Status that is neither Success, Wait nor Skip.
func (s Status) Err() error {
	switch {
	case s.IsSuccess() || s.IsWait() || s.IsSkip():
		return nil
	case s.detail != nil && s.detail.err != nil:
		return s.detail.err
	}
	return statusError(s.Message())
}

type statusError string

func (e statusError) Error() string { return string(e) }

// Same reports whether both were made by the same call of NewStatus, which is how the many equal answers
// of one cycle are counted without comparing their texts.
func (s Status) Same(o Status) bool { return s == o }

// Equal reports whether both say the same.
func (s Status) Equal(o Status) bool {
	return s.Code() == o.Code() && s.Plugin() == o.Plugin() && slices.Equal(s.Reasons(), o.Reasons())
}
