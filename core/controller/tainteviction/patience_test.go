package tainteviction

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

func TestPatience(t *testing.T) {
	taint := func(key, value string) corev1.Taint {
		return corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffectNoExecute}
	}
	tolerate := func(key string, seconds int64) corev1.Toleration {
		tol := corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}
		if seconds >= -1 {
			tol.TolerationSeconds = &seconds
		}
		return tol
	}
	const always = -9
	tests := []struct {
		name        string
		taints      []corev1.Taint
		tolerations []corev1.Toleration
		want        time.Duration
		forever     bool
	}{
		{"no taint", nil, nil, 0, true},
		{"not tolerated", []corev1.Taint{taint("a", "")}, nil, 0, false},
		{"tolerated for ever", []corev1.Taint{taint("a", "")}, []corev1.Toleration{tolerate("a", always)}, 0, true},
		{"for a while", []corev1.Taint{taint("a", "")}, []corev1.Toleration{tolerate("a", 300)}, 300 * time.Second, false},
		{"not at all any more", []corev1.Taint{taint("a", "")}, []corev1.Toleration{tolerate("a", -1)}, 0, false},
		{"the shortest counts", []corev1.Taint{taint("a", ""), taint("b", "")}, []corev1.Toleration{tolerate("a", 300), tolerate("b", 5)}, 5 * time.Second, false},
		{"one of two is not tolerated", []corev1.Taint{taint("a", ""), taint("b", "")}, []corev1.Toleration{tolerate("a", 300)}, 0, false},
		{"the first toleration of a taint counts", []corev1.Taint{taint("a", "")}, []corev1.Toleration{tolerate("a", always), tolerate("a", 5)}, 0, true},
		{"everything", []corev1.Taint{taint("a", ""), taint("b", "x")}, []corev1.Toleration{{Operator: corev1.TolerationOpExists}}, 0, true},
		{"another value", []corev1.Taint{taint("a", "x")}, []corev1.Toleration{{Key: "a", Value: "y"}}, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, forever := patience(tt.taints, tt.tolerations)
			if forever != tt.forever || !forever && got != tt.want {
				t.Errorf("got %v, for ever %v; want %v, %v", got, forever, tt.want, tt.forever)
			}
		})
	}
}
