package kubelet

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/loop"
	"terrarium/core/node/container"
	"terrarium/core/node/image"
)

type role uint8

const (
	regularContainer role = iota
	initContainer
	sidecar
)

// A stage is where a container is between its spec and its end.
type stage uint8

const (
	idle     stage = iota // not begun, or to be begun again
	pulling               // its image is being pulled
	starting              // its image is there
	running
	exited
	waiting // for a back-off to end
)

// A unit is one container of a pod.
type unit struct {
	worker *worker
	spec   *corev1.Container
	role   role

	stage    stage
	state    corev1.ContainerState // as the status shows it
	last     corev1.ContainerState // the termination before
	restarts int32
	id       string
	image    image.Image
	process  container.Process
	timer    *loop.Timer
	crash    backoff
	pull     backoff
	pullErr  string
	ready    bool
}

func newUnit(w *worker, c *corev1.Container, r role) *unit {
	u := &unit{worker: w, spec: c, role: r}
	u.wait("ContainerCreating", "")
	if len(w.pod.Spec.InitContainers) > 0 {
		u.wait("PodInitializing", "")
	}
	return u
}

func (u *unit) wait(reason, message string) {
	u.state = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
}

func (u *unit) code() int32 {
	if u.state.Terminated == nil {
		return 0
	}
	return u.state.Terminated.ExitCode
}

// wants reports whether the container should be begun now.
func (u *unit) wants() bool {
	return u.stage == idle || u.stage == exited && u.restartable()
}

// restartable reports whether the pod's restart policy starts the container that has ended again.
func (u *unit) restartable() bool {
	switch {
	case u.role == sidecar:
		return true
	case u.worker.pod.Spec.RestartPolicy == corev1.RestartPolicyNever:
		return false
	case u.worker.pod.Spec.RestartPolicy == corev1.RestartPolicyOnFailure || u.role == initContainer:
		return u.code() != 0
	}
	return true
}

// begin takes the container towards running, unless it has to wait for a back-off.
func (u *unit) begin() {
	now := u.worker.now()
	if u.stage == exited {
		finished := u.state.Terminated.FinishedAt.Time
		if at := u.crash.until(finished, now); !at.IsZero() {
			u.backOff(at)
			return
		}
		u.crash.next(finished, now)
	}
	u.ensureImage()
}

// backOff waits with a container that keeps crashing.
func (u *unit) backOff(at time.Time) {
	pod := u.worker.pod
	u.event(corev1.EventTypeWarning, "BackOff", "Back-off restarting failed container "+u.spec.Name+" in pod "+format(pod))
	u.last = u.state
	u.wait("CrashLoopBackOff", "back-off "+u.crash.delay.String()+" restarting failed container="+u.spec.Name+" pod="+format(pod))
	u.stage = waiting
	u.after(at.Sub(u.worker.now()), "crash-loop back-off ends", func() {
		u.crash.next(u.last.Terminated.FinishedAt.Time, u.worker.now())
		u.ensureImage()
	})
}

// after lets something happen to the container later; a container waits for one thing at a time.
func (u *unit) after(d time.Duration, what string, fn func()) {
	u.timer.Stop()
	u.timer = u.worker.kubelet.cfg.Loop.After(d, u.worker.label(what), func() {
		u.worker.note(what, fn)
	})
}

// launch starts the process, after the time that takes.
func (u *unit) launch(pulled string) {
	u.stage = starting
	k := u.worker.kubelet
	u.after(k.cfg.Start.Draw(k.luck), "container starts", func() {
		if pulled != "" {
			u.event(corev1.EventTypeNormal, "Pulled", pulled)
		}
		u.run(u.worker.now())
		u.event(corev1.EventTypeNormal, "Created", "Container created")
		u.event(corev1.EventTypeNormal, "Started", "Container started")
	})
}

// run is the moment at which the process exists; started lies in the past for one that is taken over.
func (u *unit) run(started time.Time) {
	if u.state.Terminated != nil {
		u.last = u.state
	}
	if u.id != "" { // it ran before
		u.restarts++
	}
	u.id = u.newID()
	u.resume(started)
}

// resume makes the container run as it is known by its id.
func (u *unit) resume(started time.Time) {
	u.stage, u.ready = running, true
	u.state = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: started.Truncate(time.Second)}}}
	spec := container.Spec{Pod: u.worker.pod, Container: u.spec, Image: u.image, Started: started}
	u.process = u.worker.kubelet.cfg.Runtime.Start(spec, func(e container.Exit) {
		u.worker.note("container "+u.spec.Name+" exited", func() { u.exit(e) })
	})
}

// exit is the end of the process.
func (u *unit) exit(e container.Exit) {
	started := u.state.Running.StartedAt
	u.stage, u.process, u.ready = exited, nil, false
	u.state = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: e.Code, Signal: e.Signal, Reason: e.Reason, Message: e.Message,
		StartedAt: started, FinishedAt: metav1.Time{Time: u.worker.now().Truncate(time.Second)}, ContainerID: u.id,
	}}
	if u.role == initContainer && e.Code == 0 {
		u.ready = true
	}
}

// stop ends the container for good and reports whether it still lives.
func (u *unit) stop(grace time.Duration) (alive bool) {
	if u.process == nil {
		u.timer.Stop()
		if u.stage != exited {
			u.stage = idle
		}
		return false
	}
	if !u.worker.stopping {
		u.event(corev1.EventTypeNormal, "Killing", "Stopping container "+u.spec.Name)
	}
	u.process.Stop(grace)
	return true
}

// forget drops the container without a word.
func (u *unit) forget() {
	u.timer.Stop()
	if u.process != nil {
		u.process.Forget()
		u.process = nil
	}
}

// event records an event about this container.
func (u *unit) event(eventType, reason, message string) {
	pod := u.worker.pod
	path := "spec.containers{" + u.spec.Name + "}"
	if u.role != regularContainer {
		path = "spec.initContainers{" + u.spec.Name + "}"
	}
	u.worker.kubelet.recorder.EventAbout(corev1.ObjectReference{
		Kind: "Pod", APIVersion: "v1", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
		ResourceVersion: pod.ResourceVersion, FieldPath: path,
	}, eventType, reason, message)
}

// newID returns a container ID as containerd makes them.
func (u *unit) newID() string {
	b := make([]byte, 0, 13+64)
	b = append(b, "containerd://"...)
	for range 4 {
		word := strconv.FormatUint(u.worker.kubelet.luck.Uint64(), 16)
		for range 16 - len(word) {
			b = append(b, '0')
		}
		b = append(b, word...)
	}
	return string(b)
}
