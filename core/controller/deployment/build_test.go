package deployment

import (
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var epoch = metav1.Time{Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}

func at(d time.Duration) metav1.Time { return metav1.Time{Time: epoch.Add(d)} }

func template(image string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: image}}},
	}
}

// aDeployment is a rolling Deployment; sizes are numbers or percents.
func aDeployment(n int32, surge, unavailable string) *appsv1.Deployment {
	s, u := intstr.Parse(surge), intstr.Parse(unavailable)
	deadline, history := int32(600), int32(10)
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "d"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &n, Template: template("new"), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			ProgressDeadlineSeconds: &deadline, RevisionHistoryLimit: &history,
			Strategy: appsv1.DeploymentStrategy{
				Type:          appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &s, MaxUnavailable: &u},
			},
		},
	}
}

// aSet is a ReplicaSet created so many seconds after the epoch, of whose size so many are available.
func aSet(name string, age int, size, available int32) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, UID: types.UID(name), CreationTimestamp: at(time.Duration(age) * time.Second), Annotations: map[string]string{},
		},
		Spec:   appsv1.ReplicaSetSpec{Replicas: &size, Template: template(name)},
		Status: appsv1.ReplicaSetStatus{Replicas: size, ReadyReplicas: available, AvailableReplicas: available},
	}
}

func withMax(rs *appsv1.ReplicaSet, desired, most int) *appsv1.ReplicaSet {
	rs.Annotations[desiredAnnotation] = strconv.Itoa(desired)
	rs.Annotations[maxAnnotation] = strconv.Itoa(most)
	return rs
}

func withRevision(rs *appsv1.ReplicaSet, rev string) *appsv1.ReplicaSet {
	rs.Annotations[revisionAnnotation] = rev
	return rs
}

// text tells a plan as "a 3>2".
func text(plan []resize) (out []string) {
	for _, r := range plan {
		out = append(out, fmt.Sprintf("%s %d>%d", r.set.Name, r.from, r.to))
	}
	return out
}
