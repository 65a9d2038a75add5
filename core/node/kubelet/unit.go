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
	id       string // of the process that runs or ran last
	image    image.Image
	process  container.Process
	timer    *loop.Timer

	startedAt time.Time
	finished  time.Time // when it ended last
	up        bool      // it runs and its startup probe has passed
	ready     bool
	killed    bool // it has been asked to stop
	changed   bool // it stops because its definition changed

	crash   backoff
	pull    backoff
	pullErr string
}

func newUnit(w *worker, c *corev1.Container, r role) *unit {
	u := &unit{worker: w, spec: c, role: r}
	u.wait("ContainerCreating", "")
	if len(w.pod.Spec.InitContainers) > 0 {
		u.wait("PodInitializing", "")
	}
	return u
}

// wait shows why the container does not run.
func (u *unit) wait(reason, message string) {
	if u.state.Terminated != nil {
		u.last = u.state
	}
	u.state = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
}

// ended returns how the container ended last, or nil if it runs or has never run.
func (u *unit) ended() *corev1.ContainerStateTerminated {
	switch {
	case u.state.Terminated != nil:
		return u.state.Terminated
	case u.state.Waiting != nil:
		return u.last.Terminated
	}
	return nil
}

// failed reports whether the container has ended, and not well.
func (u *unit) failed() bool {
	e := u.ended()
	return e != nil && e.ExitCode != 0
}

// completed reports whether an init container has done its work.
func (u *unit) completed() bool { return u.role == initContainer && u.stage == exited && !u.failed() }

// wants reports whether the container should be begun now.
func (u *unit) wants() bool {
	return u.stage == idle || u.stage == exited && u.restartable()
}

// restartable reports whether the container that has ended is started again.
//
// Models pkg/kubelet/container helpers.go ShouldContainerBeRestarted.
func (u *unit) restartable() bool {
	switch {
	case u.role == sidecar || u.changed:
		return true
	case u.worker.pod.Spec.RestartPolicy == corev1.RestartPolicyNever:
		return false
	case u.worker.pod.Spec.RestartPolicy == corev1.RestartPolicyOnFailure || u.role == initContainer:
		return u.failed()
	}
	return true
}

// begin takes the container towards running, unless it has to wait for a back-off.
//
// Models pkg/kubelet/kuberuntime kuberuntime_manager.go doBackOff.
func (u *unit) begin() {
	if u.stage == exited {
		now := u.worker.now()
		if at := u.crash.until(u.finished, now); !at.IsZero() {
			u.backOff(at)
			return
		}
		u.crash.next(u.finished, now)
	}
	u.ensureImage()
}

// backOff waits with a container that keeps crashing.
func (u *unit) backOff(at time.Time) {
	pod := u.worker.pod
	u.event(corev1.EventTypeWarning, "BackOff", "Back-off restarting failed container "+u.spec.Name+" in pod "+format(pod))
	u.wait("CrashLoopBackOff", "back-off "+u.crash.delay.String()+" restarting failed container="+u.spec.Name+" pod="+format(pod))
	u.stage = waiting
	u.after(at.Sub(u.worker.now()), "crash-loop back-off ends", func() {
		u.crash.next(u.finished, u.worker.now())
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
	u.stage, u.startedAt, u.ready, u.killed, u.changed = running, started, false, false, false
	u.state = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: started.Truncate(time.Second)}}}
	spec := container.Spec{Pod: u.worker.pod, Container: u.spec, Image: u.image, Started: started}
	u.process = u.worker.kubelet.cfg.Runtime.Start(spec, func(e container.Exit) {
		u.worker.note("container "+u.spec.Name+" exited", func() { u.exit(e) })
	})
	u.watchProbes()
}

// exit is the end of the process.
func (u *unit) exit(e container.Exit) {
	u.timer.Stop()
	started := u.state.Running.StartedAt
	u.finished = u.worker.now()
	u.stage, u.process, u.up = exited, nil, false
	u.state = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: e.Code, Signal: e.Signal, Reason: e.Reason, Message: e.Message,
		StartedAt: started, FinishedAt: metav1.Time{Time: u.finished.Truncate(time.Second)}, ContainerID: u.id,
	}}
	u.ready = u.role == initContainer && e.Code == 0
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
	u.kill(grace, "Stopping container "+u.spec.Name)
	return true
}

// kill asks the process to end, and says so once.
func (u *unit) kill(grace time.Duration, message string) {
	if !u.killed {
		u.event(corev1.EventTypeNormal, "Killing", message)
		u.killed = true
	}
	u.process.Stop(grace)
}

// redefine gives the container its new definition. With another image it is started anew, without the
// back-offs that the old one had earned.
//
// Models pkg/kubelet/kuberuntime kuberuntime_manager.go computePodActions.
func (u *unit) redefine(spec *corev1.Container) {
	same := spec.Image == u.spec.Image
	u.spec = spec
	if same || u.completed() {
		return
	}
	u.crash, u.pull, u.pullErr = backoff{}, backoff{}, ""
	switch u.stage {
	case running:
		if u.role != initContainer {
			u.changed = true
			u.kill(grace(u.worker.pod), "Container "+spec.Name+" definition changed, will be restarted")
		}
	case pulling, starting, waiting:
		u.timer.Stop()
		u.stage = idle
	}
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
