package kubelet

import (
	"slices"
	"strconv"
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
	needs    amounts // what it takes of the node, until it is over
	released bool    // it has given that, and its address, back
	started  metav1.Time
	stopping bool      // its containers have been told to stop
	killAt   time.Time // when those that do not are killed; zero until they are told
	over     bool      // nothing more to do: it is deleted, or forgotten
	deadline *loop.Timer
	again    *loop.Timer // a request failed and is made again
	failed   *failure    // why the whole pod failed, if it did

	written *corev1.PodStatus // the last status that the API took
}

// A failure is why a pod as a whole is Failed.
type failure struct {
	reason, message string
	rejected        bool // it was never taken in
}

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

// hear takes in the newest state of the pod and reports whether the worker has to do something about it.
func (w *worker) hear(pod *corev1.Pod) bool {
	old := w.pod
	if pod == old || revision(pod) <= revision(old) {
		return false
	}
	w.pod = pod
	if pod.Generation != old.Generation {
		w.redefine(old)
	}
	if w.overwritten(&pod.Status) {
		w.written = nil
		return true
	}
	return asks(old, pod)
}

// asks reports whether a new state of a pod asks for something: its spec changed, it is to be deleted (or
// sooner than before), or a readiness gate changed.
func asks(old, pod *corev1.Pod) bool {
	if pod.Generation != old.Generation || (pod.DeletionTimestamp == nil) != (old.DeletionTimestamp == nil) || grace(pod) != grace(old) {
		return true
	}
	return slices.ContainsFunc(pod.Spec.ReadinessGates, func(g corev1.PodReadinessGate) bool {
		a, b := findCondition(old.Status.Conditions, g.ConditionType), findCondition(pod.Status.Conditions, g.ConditionType)
		return (a == nil) != (b == nil) || a != nil && a.Status != b.Status
	})
}

// redefine follows a change of the pod's spec.
func (w *worker) redefine(old *corev1.Pod) {
	for i, u := range w.inits {
		u.redefine(&w.pod.Spec.InitContainers[i])
	}
	for i, u := range w.regular {
		u.redefine(&w.pod.Spec.Containers[i])
	}
	if a, b := old.Spec.ActiveDeadlineSeconds, w.pod.Spec.ActiveDeadlineSeconds; b != nil && (a == nil || *a != *b) {
		w.deadline.Stop()
		w.deadline = nil
	}
}

func revision(pod *corev1.Pod) int64 {
	n, _ := strconv.ParseInt(pod.ResourceVersion, 10, 64)
	return n
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
	if w.pod.DeletionTimestamp != nil || w.failed != nil || terminal(w.pod) || w.done() {
		w.terminate()
		return
	}
	if !w.run() {
		w.report()
	}
}

func (w *worker) now() time.Time { return w.kubelet.cfg.Loop.Now() }

// done reports whether no container of the pod but sidecars will ever run again.
func (w *worker) done() bool {
	for _, u := range w.inits {
		if u.role == initContainer && u.failed() && !u.restartable() {
			return true
		}
	}
	for _, u := range w.regular {
		if u.stage != exited || u.restartable() {
			return false
		}
	}
	return true
}

// run starts what should run and does not. quiet says that there is nothing new to report yet.
func (w *worker) run() (quiet bool) {
	w.armDeadline()
	if !w.sandbox {
		w.report() // Pending, ContainerCreating
		if !w.createSandbox() {
			w.after(resyncPeriod, "pod sandbox is tried again")
			return true
		}
		if quiet = true; w.pulls() {
			// The network is there well before the image is: a person sees the address meanwhile.
			w.after(w.kubelet.cfg.Start.Draw(w.kubelet.luck)/4, "pod sandbox is ready")
			return quiet
		}
	}
	for _, u := range w.pending() {
		u.begin()
	}
	return quiet
}

// after looks at the pod again after d.
func (w *worker) after(d time.Duration, what string) {
	w.again.Stop()
	w.again = w.kubelet.cfg.Loop.After(d, w.label(what), func() { w.note(what, func() {}) })
}

// retryPeriod is how soon a request is made again that failed.
//
// Models pkg/kubelet/status status_manager.go syncPeriod.
const retryPeriod = 10 * time.Second

func (w *worker) tryAgain(what string) { w.after(retryPeriod, what) }

// pending returns the containers that should run and have not begun: init containers one after the
// other, then all the others.
func (w *worker) pending() []*unit {
	for _, u := range w.inits {
		switch {
		case u.role == sidecar && u.up, u.completed():
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

// createSandbox gives the pod its network and reports whether there was an address for it.
func (w *worker) createSandbox() bool {
	switch {
	case w.pod.Spec.HostNetwork:
		w.ip = w.kubelet.cfg.HostIP
	case w.ip == "":
		ip, ok := w.kubelet.ips.take()
		if !ok {
			w.kubelet.recorder.Warning(w.pod, "FailedCreatePodSandBox", "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox: no IP addresses available in range set: "+w.kubelet.nodeCIDR)
			return false
		}
		w.ip = ip
	}
	w.sandbox = true
	return true
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
			if w.failed != nil || terminal(w.pod) || w.stopping {
				return
			}
			w.failed = &failure{reason: "DeadlineExceeded", message: "Pod was active on the node longer than the specified deadline"}
			w.kubelet.recorder.Normal(w.pod, w.failed.reason, w.failed.message)
		})
	})
}

// forget drops the pod and everything it runs, without a word.
func (w *worker) forget() {
	w.over = true
	w.deadline.Stop()
	w.again.Stop()
	for _, u := range w.all() {
		u.forget()
	}
	w.release()
	delete(w.kubelet.pods, w.pod.UID)
}
