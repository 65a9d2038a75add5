package kubelet

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/loop"
	"terrarium/core/trace"
)

// A worker runs one pod. It is a state machine: whatever happens (the pod changed, an image arrived, a
// process ended, a timer) ends in sync, which decides what to do next and writes the status if it changed.
//
// Models pkg/kubelet pod_workers.go and kuberuntime_manager.go SyncPod.
type worker struct {
	kubelet *Kubelet
	pod     *corev1.Pod // the newest state heard of

	inits   []*unit
	regular []*unit

	sandbox  bool // the pod has its network
	ip       string
	started  metav1.Time
	stopping bool // its containers have been told to stop
	over     bool // nothing more to do: it is deleted, or forgotten
	deadline *loop.Timer
	failed   *failure // why the whole pod failed, if it did

	written *corev1.PodStatus // the last status written
}

// A failure is why a pod as a whole is Failed.
type failure struct{ reason, message string }

func newWorker(k *Kubelet, pod *corev1.Pod) *worker {
	w := &worker{kubelet: k, pod: pod}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		role := initContainer
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			role = sidecar
		}
		w.inits = append(w.inits, newUnit(w, c, role))
	}
	for i := range pod.Spec.Containers {
		w.regular = append(w.regular, newUnit(w, &pod.Spec.Containers[i], regularContainer))
	}
	return w
}

// concerns reports whether the new state of the pod asks the worker to do something.
func (w *worker) concerns(pod *corev1.Pod) bool {
	old := w.pod
	if pod.DeletionTimestamp == nil {
		return pod.Generation != old.Generation
	}
	return old.DeletionTimestamp == nil || *pod.DeletionGracePeriodSeconds != *old.DeletionGracePeriodSeconds
}

// sync lets change happen, does what follows from it, and reports. It is one span of the trace.
func (w *worker) sync(why trace.Trigger, change func()) {
	if w.over {
		return
	}
	k := w.kubelet
	span := k.cfg.Trace.Begin("kubelet", trace.Sync, podKey(w.pod), []trace.Trigger{why})
	span.Node = k.cfg.Node
	change()
	w.step()
	k.cfg.Trace.End(span, nil)
}

// note is sync for what is not a change in the API.
func (w *worker) note(why string, change func()) { w.sync(trace.Trigger{Note: why}, change) }

func (w *worker) label(action string) loop.Label {
	return loop.Label{Component: "kubelet", Action: action, Object: w.pod.Namespace + "/" + w.pod.Name}
}

// step decides what the pod needs next.
func (w *worker) step() {
	if w.over {
		return
	}
	if w.started.IsZero() {
		w.started = metav1.Time{Time: w.now().Truncate(time.Second)}
	}
	switch {
	case w.pod.DeletionTimestamp != nil || w.failed != nil:
		w.terminate()
		return
	case terminal(w.pod):
	default:
		w.run()
	}
	w.report()
}

func (w *worker) now() time.Time { return w.kubelet.cfg.Loop.Now() }

// run starts what should run and does not.
func (w *worker) run() {
	w.armDeadline()
	if !w.sandbox {
		w.report() // Pending, ContainerCreating
		w.createSandbox()
		if len(w.pending()) > 0 && w.pulls() {
			// The network is there well before the image is: a person sees the address meanwhile.
			w.kubelet.cfg.Loop.After(w.kubelet.cfg.Start.Draw(w.kubelet.luck)/4, w.label("sandbox is ready"), func() {
				w.note("sandbox is ready", func() {})
			})
			return
		}
	}
	for _, u := range w.pending() {
		u.begin()
	}
}

// pending returns the containers that should run and have not begun: init containers one after the
// other, then all the others.
func (w *worker) pending() []*unit {
	for _, u := range w.inits {
		switch {
		case u.role == sidecar && u.stage == running, u.stage == exited && u.code() == 0 && u.role == initContainer:
			continue
		case u.wants():
			return []*unit{u}
		}
		return nil
	}
	var out []*unit
	for _, u := range w.all() {
		if u.role != initContainer && u.wants() {
			out = append(out, u)
		}
	}
	return out
}

func (w *worker) pulls() bool {
	return slices.ContainsFunc(w.pending(), func(u *unit) bool { return u.mustPull() })
}

func (w *worker) all() []*unit {
	if len(w.inits) == 0 {
		return w.regular
	}
	return slices.Concat(w.inits, w.regular)
}

func (w *worker) createSandbox() {
	w.sandbox = true
	if w.pod.Spec.HostNetwork {
		w.ip = w.kubelet.cfg.HostIP
		return
	}
	if w.ip == "" {
		w.ip, _ = w.kubelet.ips.take()
	}
}

// armDeadline makes the pod fail when its activeDeadlineSeconds have passed.
func (w *worker) armDeadline() {
	seconds := w.pod.Spec.ActiveDeadlineSeconds
	if seconds == nil || w.deadline != nil {
		return
	}
	at := w.started.Add(time.Duration(*seconds) * time.Second)
	w.deadline = w.kubelet.cfg.Loop.At(at, w.label("active deadline"), func() {
		w.note("active deadline", func() {
			w.fail("DeadlineExceeded", "Pod was active on the node longer than the specified deadline")
		})
	})
}

// fail ends the pod as a whole.
func (w *worker) fail(reason, message string) {
	if w.failed == nil && !terminal(w.pod) {
		w.failed = &failure{reason, message}
	}
}

// forget drops the pod and everything it runs, without a word.
func (w *worker) forget() {
	w.over = true
	w.deadline.Stop()
	for _, u := range w.all() {
		u.forget()
	}
	if w.ip != "" && !w.pod.Spec.HostNetwork {
		w.kubelet.ips.free(w.ip)
	}
	delete(w.kubelet.pods, w.pod.UID)
}
