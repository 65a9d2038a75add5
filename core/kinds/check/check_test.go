package check

import (
	"encoding/json"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestPath(t *testing.T) {
	spec := Root("spec")
	list := spec.Child("containers")
	c := list.Index(2)
	limits := c.Child("limits")
	cpu := limits.Key("cpu")
	if got, want := cpu.Field().String(), "spec.containers[2].limits[cpu]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var e Errors
	e.Required(&c, "image", "")
	e.Required(nil, "spec", "here")
	want := "[spec.containers[2].image: Required value, spec: Required value: here]"
	if got := e.List().ToAggregate().Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A good object costs nothing: that is what paths on the stack are for.
func TestNoAllocations(t *testing.T) {
	labels := map[string]string{"app": "nginx", "example.com/tier": "front"}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	allocs := testing.AllocsPerRun(100, func() {
		var e Errors
		var seen Set
		root := Root("spec")
		list := root.Child("containers")
		for i := range 4 {
			c := list.Index(i)
			e.DNSLabel(&c, "name", "nginx")
			seen.Add("nginx")
		}
		e.Labels(&root, "labels", labels)
		e.LabelSelector(&root, "selector", selector, false)
		if e.Len() > 0 {
			t.Fatal(e.List())
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

func TestSet(t *testing.T) {
	var s Set
	for i := range 20 {
		name := fmt.Sprint(i)
		if s.Has(name) || !s.Add(name) || !s.Has(name) || s.Add(name) {
			t.Fatalf("%s: not new once and known then", name)
		}
	}
}

func TestEqual(t *testing.T) {
	a := corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Args: nil}}}
	b := *a.DeepCopy()
	b.Containers[0].Args = []string{}
	if !Equal(&a, &b) {
		t.Error("no arguments and an empty list of them differ")
	}
	b.Containers[0].Name = "b"
	if Equal(&a, &b) {
		t.Error("other names are equal")
	}
	if Equal(nil, &a) || Equal(&a, nil) || !Equal[corev1.PodSpec](nil, nil) {
		t.Error("nil equals something, or not itself")
	}
}

func TestInternal(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"fields have Go's names", corev1.Toleration{Key: "a", Operator: corev1.TolerationOpExists},
			`{"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}`},
		{"embedded structs are part of what embeds them", corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{}}},
			`{"Exec":{"Command":null},"HTTPGet":null,"TCPSocket":null,"GRPC":null,"InitialDelaySeconds":0,"TimeoutSeconds":0,` +
				`"PeriodSeconds":0,"SuccessThreshold":0,"FailureThreshold":0,"TerminationGracePeriodSeconds":null}`},
		{"apimachinery's types have tags upstream too", metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}, `{"matchLabels":{"a":"b"}}`},
		{"maps go by key", corev1.ResourceList{"memory": resource.MustParse("1Gi"), "cpu": resource.MustParse("1")}, `{"cpu":"1","memory":"1Gi"}`},
		{"nothing", (*corev1.Probe)(nil), "null"},
	} {
		got, err := json.Marshal(Internal(c.value))
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\n got %s (%v)\nwant %s", c.name, got, err, c.want)
		}
	}
}

func TestDiff(t *testing.T) {
	got := Diff(corev1.Toleration{Key: "a"}, corev1.Toleration{Key: "b"})
	want := "@@ -1,5 +1,5 @@\n {\n- \"Key\": \"a\",\n+ \"Key\": \"b\",\n  \"Operator\": \"\",\n  \"Value\": \"\",\n  \"Effect\": \"\",\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
