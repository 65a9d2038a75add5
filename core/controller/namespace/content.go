package namespace

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/client"
	"terrarium/core/controller/pods"
	"terrarium/core/kinds"
)

const (
	podResource = "pods"
	// finalizerSeconds is the guess for objects that only wait for a finalizer.
	finalizerSeconds = 15
)

// remains is what a pass over a namespace left.
type remains struct {
	estimate   int64          // seconds until the rest may be gone; 0: nothing is left to wait for
	objects    map[string]int // by "resource.group"
	finalizers map[string]int // objects that wait for it
	errs       []error
	podsOnly   bool // pods are left, so nothing else was tried
	now        metav1.Time
}

// empty deletes everything in the namespace. While there are pods, nothing else goes: they may need it to
// shut down. Models deleteAllContent.
func (c *Controller) empty(ns *corev1.Namespace) *remains {
	r := &remains{objects: map[string]int{}, finalizers: map[string]int{}, now: c.now()}
	for _, kind := range c.content {
		isPods := kind.StorageResource() == podResource
		if err := c.emptyKind(r, ns, kind); err != nil {
			if isPods {
				err = fmt.Errorf("failed to delete pods for namespace: %s, err: %w", ns.Name, err)
			}
			r.errs = append(r.errs, err)
		}
		if isPods && len(r.objects) > 0 {
			r.podsOnly = true
			return r
		}
	}
	return r
}

func (c *Controller) now() metav1.Time { return metav1.Time{Time: c.deps.Loop.Now().Truncate(1e9)} }

// emptyKind deletes the objects of one kind and notes what is left. Models
// deleteAllContentForGroupVersionResource.
func (c *Controller) emptyKind(r *remains, ns *corev1.Namespace, kind *kinds.Kind) error {
	api := client.Any(c.client, kind)
	before, _, err := api.List(ns.Name, nil)
	if apierrors.IsMethodNotSupported(err) || err == nil && len(before) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	estimate := graceEstimate(before)
	if c.deps.Loop.Now().Sub(ns.DeletionTimestamp.Time).Seconds() >= float64(estimate) {
		estimate = 0
	}
	r.estimate = max(r.estimate, estimate)
	background := metav1.DeletePropagationBackground
	if err := api.DeleteCollection(ns.Name, nil, metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		return err
	}
	after, _, err := api.List(ns.Name, nil)
	if err != nil || len(after) == 0 {
		return err
	}
	return r.note(ns, kind, after, estimate)
}

// note adds the objects of a kind that are left.
func (r *remains) note(ns *corev1.Namespace, kind *kinds.Kind, left []kinds.Object, estimate int64) error {
	r.objects[kind.Resource+"."+kind.GVK.Group] = len(left)
	finalizers := 0
	for _, o := range left {
		for _, f := range o.GetFinalizers() {
			r.finalizers[f]++
			finalizers++
		}
	}
	switch {
	case estimate != 0:
		return nil
	case finalizers > 0:
		r.estimate = max(r.estimate, finalizerSeconds)
		return nil
	}
	gvr := kind.GVR()
	return fmt.Errorf("unexpected items still remain in namespace: %s for gvr: %v", ns.Name, gvr)
}

// graceEstimate returns the longest time that one of the objects, if they are pods, may take to shut down.
func graceEstimate(objs []kinds.Object) (seconds int64) {
	for _, o := range objs {
		pod, ok := o.(*corev1.Pod)
		if ok && !pods.Terminal(pod) && pod.Spec.TerminationGracePeriodSeconds != nil {
			seconds = max(seconds, *pod.Spec.TerminationGracePeriodSeconds)
		}
	}
	return seconds
}

// sortedCounts calls text for each counted name, in order.
func sortedCounts(counts map[string]int, text func(name string, n int) string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, text(name, counts[name]))
	}
	return out
}
