// Package tainteviction is the taint eviction controller: it deletes the pods of nodes with a NoExecute
// taint that they do not tolerate, or when they have tolerated it for as long as they said.
//
// Models pkg/controller/tainteviction (Kubernetes 1.37).
package tainteviction

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

// Name is what the controller calls itself in events, spans and requests.
const (
	Name    = "taint-eviction-controller"
	account = "node-controller"
)

const eventReason = "TaintManagerEviction"

// noExecute returns the taints that evict.
func noExecute(taints []corev1.Taint) []corev1.Taint {
	var out []corev1.Taint
	for _, t := range taints {
		if t.Effect == corev1.TaintEffectNoExecute {
			out = append(out, t)
		}
	}
	return out
}

// patience returns how long a pod with the tolerations may stay on a node with the taints: for ever, or for
// the shortest time that a toleration it needs allows. Of several tolerations for one taint the first counts.
// Models GetMatchingTolerations and getMinTolerationTime.
func patience(taints []corev1.Taint, tolerations []corev1.Toleration) (d time.Duration, forever bool) {
	forever = true
	for i := range taints {
		t := tolerated(&taints[i], tolerations)
		if t == nil {
			return 0, false
		}
		if t.TolerationSeconds == nil {
			continue
		}
		limit := time.Duration(max(0, *t.TolerationSeconds)) * time.Second
		if forever || limit < d {
			d, forever = limit, false
		}
	}
	return d, forever
}

func tolerated(taint *corev1.Taint, tolerations []corev1.Toleration) *corev1.Toleration {
	for i := range tolerations {
		if tolerations[i].ToleratesTaint(klog.Logger{}, taint, false) {
			return &tolerations[i]
		}
	}
	return nil
}
