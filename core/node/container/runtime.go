// Package container runs the processes of containers.
//
// It promises: a Runtime never blocks; a process that has been started reports its end exactly once, in a
// task of the loop, and never after Forget.
package container

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/node/image"
)

// A Spec says what to run.
type Spec struct {
	Pod       *corev1.Pod
	Container *corev1.Container
	Image     image.Image
	Started   time.Time // earlier than now when a process that runs already is taken over
}

// An Exit is how a process ended.
type Exit struct {
	Code   int32
	Signal int32
	Reason string // "Completed", "Error", "OOMKilled", "StartError"
	// Message is the termination message, shown in the container's status.
	Message string
}

// A Process is a running container.
type Process interface {
	// Stop asks the process to end and kills it after grace.
	Stop(grace time.Duration)
	// Forget drops the process without a word, as when its machine loses power.
	Forget()
}

// A Runtime starts processes. exited is called once, later, when the process has ended.
type Runtime interface {
	Start(spec Spec, exited func(Exit)) Process
}
