package deployment

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestTemplateHash(t *testing.T) {
	zero, one := int32(0), int32(1)
	a := template("nginx:1.7.9")
	hash := templateHash(&a, nil)
	if again := templateHash(a.DeepCopy(), nil); again != hash {
		t.Errorf("a copy has another hash: %s, %s", hash, again)
	}
	seen := map[string]string{hash: "no collision"}
	b := template("nginx:1.9.1")
	for _, x := range []struct {
		what, hash string
	}{
		{"count 0", templateHash(&a, &zero)}, {"count 1", templateHash(&a, &one)}, {"other image", templateHash(&b, nil)},
	} {
		if other, ok := seen[x.hash]; ok {
			t.Errorf("%s and %s have the same hash %s", x.what, other, x.hash)
		}
		seen[x.hash] = x.what
		if strings.Trim(x.hash, "bcdfghjklmnpqrstvwxz2456789") != "" {
			t.Errorf("%s: hash %q has letters that could make words", x.what, x.hash)
		}
	}
}

func TestSetName(t *testing.T) {
	if got := setName("web", "abc"); got != "web-abc" {
		t.Errorf("got %s", got)
	}
	long := strings.Repeat("x", 253)
	if got := setName(long, "abc"); len(got) != 253 || !strings.HasSuffix(got, "x-abc") {
		t.Errorf("got %d characters, %q", len(got), got[240:])
	}
}

func TestEqualTemplates(t *testing.T) {
	a := template("nginx")
	hashed, labeled, empty, other := withHash(&a, "abc"), template("nginx"), template("nginx"), template("httpd")
	labeled.Labels["tier"] = "front"
	empty.Spec.Volumes = []corev1.Volume{}
	for _, tt := range []struct {
		name string
		b    corev1.PodTemplateSpec
		want bool
	}{
		{"same", template("nginx"), true},
		{"with the hash", hashed, true},
		{"empty for absent", empty, true},
		{"another label", labeled, false},
		{"another image", other, false},
	} {
		if got := equalTemplates(&a, &tt.b); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
		if got := equalTemplates(&tt.b, &a); got != tt.want {
			t.Errorf("%s, turned round: got %v, want %v", tt.name, got, tt.want)
		}
	}
	if back := withoutHash(&hashed); !equalTemplates(&a, &back) || back.Labels[hashLabel] != "" {
		t.Errorf("without the hash: %v", back.Labels)
	}
	if _, ok := a.Labels[hashLabel]; ok {
		t.Error("the template was changed in place")
	}
}
