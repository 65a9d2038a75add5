package rollout_test

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/cluster"
	"terrarium/core/kinds"
	"terrarium/core/rollout"
)

// A world is a cluster with one Deployment, "web".
type world struct {
	t       *testing.T
	cluster *cluster.Cluster
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c := cluster.New(cluster.Config{Nodes: 1, Profile: cluster.Instant(), CheckMutation: true})
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w := &world{t, c}
	w.settle()
	labels := map[string]string{"app": "web"}
	w.do(func() error {
		_, err := c.Client.Deployments().Create(&appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
			Spec: appsv1.DeploymentSpec{
				Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{Labels: labels},
					Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx:1.20"}}},
				},
			},
		})
		return err
	})
	return w
}

func (w *world) settle() { w.cluster.Loop.Run(w.cluster.Now().Add(10 * time.Second)) }

func (w *world) do(f func() error) {
	w.t.Helper()
	var err error
	w.cluster.As(cluster.Admin, kinds.Key{}, func() { err = f() })
	if err != nil {
		w.t.Fatal(err)
	}
	w.settle()
}

// edit changes the Deployment.
func (w *world) edit(change func(*appsv1.DeploymentSpec)) {
	w.t.Helper()
	w.do(func() error {
		d := w.deployment().DeepCopy()
		change(&d.Spec)
		_, err := w.cluster.Client.Deployments().Update(d)
		return err
	})
}

func (w *world) image(name string) {
	w.t.Helper()
	w.edit(func(s *appsv1.DeploymentSpec) { s.Template.Spec.Containers[0].Image = name })
}

func (w *world) deployment() *appsv1.Deployment {
	w.t.Helper()
	d, err := w.cluster.Client.Deployments().Get("default", "web")
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

func TestUndo(t *testing.T) {
	tests := []struct {
		name     string
		to       int64
		took     int64
		image    string
		revision string // of the Deployment afterwards
	}{
		{"the one before", 0, 2, "nginx:1.21", "4"},
		{"a certain one", 1, 1, "nginx:1.20", "4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.image("nginx:1.21")
			w.image("nginx:1.22")
			var took int64
			w.do(func() (err error) {
				took, err = rollout.Undo(w.cluster.Client, "default", "web", tt.to)
				return err
			})
			d := w.deployment()
			if got := d.Spec.Template.Spec.Containers[0].Image; took != tt.took || got != tt.image {
				t.Errorf("took revision %d with image %s, want %d with %s", took, got, tt.took, tt.image)
			}
			if got := d.Annotations["deployment.kubernetes.io/revision"]; got != tt.revision {
				t.Errorf("the Deployment is at revision %s, want %s", got, tt.revision)
			}
			if _, has := d.Spec.Template.Labels[appsv1.DefaultDeploymentUniqueLabelKey]; has {
				t.Error("the template took over the hash label of the ReplicaSet")
			}
		})
	}
}

func TestUndoRefused(t *testing.T) {
	tests := []struct {
		name string
		prep func(*world)
		to   int64
		want string
	}{
		{"no history", func(*world) {}, 0, "no rollout history found"},
		{"no such revision", func(*world) {}, 7, "unable to find specified revision 7 in history"},
		{"paused", func(w *world) { w.edit(func(s *appsv1.DeploymentSpec) { s.Paused = true }) }, 0, "cannot rollback a paused deployment"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.prep(w)
			before := w.cluster.Store.Revision()
			_, err := rollout.Undo(w.cluster.Client, "default", "web", tt.to)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
			if w.cluster.Store.Revision() != before {
				t.Error("an undo that was refused changed something")
			}
		})
	}
}
