package core

import (
	"strings"
	"testing"

	"k8s.io/api/core/v1"
)

func TestImageTag(t *testing.T) {
	sum := strings.Repeat("a", 64)
	for _, c := range []struct{ image, want string }{
		{"nginx", "latest"},
		{"nginx:1.7.9", "1.7.9"},
		{"nginx:latest", "latest"},
		{"library/nginx:1", "1"},
		{"localhost/nginx:1", "1"},
		{"localhost:5000/nginx", "latest"},
		{"registry.k8s.io/pause:3.10", "3.10"},
		{"[::1]:5000/a/b:c", "c"},
		{"a/b__c/d-e.f:g", "g"},
		{"nginx@sha256:" + sum, ""},
		{"nginx:1@sha256:" + sum, "1"},
		// not references
		{"", ""},
		{"Nginx:1", ""},
		{"nginx:", ""},
		{"nginx:-1", ""},
		{"a//b:1", ""},
		{"a..b:1", ""},
		{"-a:1", ""},
		{"nginx@sha256:short", ""},
		{"nginx@md5:" + sum, ""},
		{"a b:1", ""},
		{sum, ""},
		{strings.Repeat("a", 256) + ":1", ""},
	} {
		if got := imageTag(c.image); got != c.want {
			t.Errorf("%q: got %q, want %q", c.image, got, c.want)
		}
	}
	if defaultPullPolicy("nginx") != v1.PullAlways || defaultPullPolicy("nginx:1") != v1.PullIfNotPresent {
		t.Error("the latest image is always pulled, others once")
	}
}
