package image_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/node/image"
)

func TestParse(t *testing.T) {
	const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	tests := []struct{ name, in, want, err string }{
		{"short name", "nginx", "docker.io/library/nginx:latest", ""},
		{"tag", "nginx:1.7.9", "docker.io/library/nginx:1.7.9", ""},
		{"user's repository", "hashicorp/http-echo:0.2.3", "docker.io/hashicorp/http-echo:0.2.3", ""},
		{"registry", "registry.k8s.io/pause:3.9", "registry.k8s.io/pause:3.9", ""},
		{"registry with a port", "localhost:5000/app", "localhost:5000/app:latest", ""},
		{"docker.io and a short name", "docker.io/nginx", "docker.io/library/nginx:latest", ""},
		{"digest", "nginx@" + digest, "docker.io/library/nginx@" + digest, ""},
		{"tag and digest", "nginx:1.25@" + digest, "docker.io/library/nginx:1.25@" + digest, ""},
		{"upper case", "Nginx", "", "invalid reference format: repository name (library/Nginx) must be lowercase"},
		{"upper case tag", "nginx:RC1", "docker.io/library/nginx:RC1", ""},
		{"empty", "", "", "invalid reference format"},
		{"empty tag", "nginx:", "", "invalid reference format"},
		{"space", "nginx 1", "", "invalid reference format"},
		{"two tags", "nginx:1:2", "", "invalid reference format"},
		{"slash at the end", "nginx/", "", "invalid reference format"},
		{"short digest", "nginx@sha256:abc", "", "invalid reference format"},
		{"markup", "<b>nginx</b>", "", "invalid reference format"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ref, err := image.Parse(tt.in)
			got, failed := ref.String(), ""
			if err != nil {
				got, failed = "", err.Error()
			}
			if got != tt.want || failed != tt.err {
				t.Errorf("got %q, %q, want %q, %q", got, failed, tt.want, tt.err)
			}
		})
	}
}

func TestCatalogue(t *testing.T) {
	tests := []struct {
		name string
		ok   bool
	}{
		{"nginx", true}, {"nginx:latest", true}, {"nginx:1.7.9", true}, {"nginx:1.9.1", true}, {"nginx:1.14.2", true},
		{"nginx:1.16.1", true}, {"nginx:1", true}, {"nginx:1.27-alpine", true}, {"nginx:1.27.0-alpine3.19", true},
		{"nginx:1.161", false}, {"nginx:1.91", false}, {"nginx:2", false}, {"nginx:v1.25", false}, {"nginx:1.07", false},
		{"nginx:1.7.9.1", false}, {"nginx:-alpine", false}, {"nginx:1.27-alpin", false}, {"nignx", false},
		{"busybox", true}, {"busybox:1.28", true}, {"ubuntu:24.04", true}, {"ubuntu:24.4", false}, {"redis:7.2", true},
		{"registry.k8s.io/pause:3.9", true}, {"registry.k8s.io/pause:3.11", false}, {"gcr.io/google-samples/gb-frontend:v5", true},
		{"gcr.io/google-samples/hello-app:1.0", true}, {"example.com/team/app:1", false}, {"hello-world", true},
	}
	c := image.NewCatalogue()
	for _, tt := range tests {
		if _, err := c.Find(tt.name); (err == nil) != tt.ok {
			t.Errorf("%s: got error %v, want found %v", tt.name, err, tt.ok)
		}
	}
}

func TestPullErrors(t *testing.T) {
	c := image.NewCatalogue()
	_, err := c.Find("nginx:1.161")
	want := `rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.161": failed to resolve reference "docker.io/library/nginx:1.161": docker.io/library/nginx:1.161: not found`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("unknown tag (-want +got):\n%s", diff)
	}
	_, err = c.Find("nignx")
	var pe *image.PullError
	if !errors.As(err, &pe) || !pe.NoRepository || !strings.Contains(pe.Hint, "nginx") {
		t.Errorf("got %#v, want a PullError without repository that hints at nginx", err)
	}
	if !strings.Contains(err.Error(), "pull access denied, repository does not exist or may require authorization") {
		t.Errorf("got %q", err)
	}
}
