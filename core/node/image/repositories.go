package image

import (
	"strconv"
	"strings"
	"time"
)

// A repository holds the images of one name.
type repository struct {
	name     string // with its registry
	names    []string
	versions []versions
	suffixes []string // "-alpine": a version or name may end so
	size     int64
	behavior Behavior
}

// versions are the tags major, major.minor and major.minor.patch for minor from lo to hi.
type versions struct{ major, lo, hi int }

func (r repository) has(tag string) bool {
	for _, s := range r.suffixes {
		if i := strings.Index(tag, s); i > 0 && isVersion(tag[i+len(s):]) && r.plain(tag[:i]) {
			return true
		}
	}
	return r.plain(tag)
}

// isVersion: "-alpine" may be followed by nothing, or by the version it is of.
func isVersion(s string) bool { return strings.Trim(s, "0123456789.") == "" }

func (r repository) plain(tag string) bool {
	for _, n := range r.names {
		if n == tag {
			return true
		}
	}
	parts := strings.Split(tag, ".")
	if len(parts) > 3 {
		return false
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 || len(p) > 3 || len(p) > 1 && p[0] == '0' {
			return false
		}
		n[i] = v
	}
	for _, v := range r.versions {
		if n[0] == v.major && (len(parts) == 1 || n[1] >= v.lo && n[1] <= v.hi) {
			return true
		}
	}
	return false
}

// describe tells a person which tags there are.
func (r repository) describe() string {
	out := append([]string(nil), r.names...)
	for _, v := range r.versions {
		out = append(out, strconv.Itoa(v.major)+"."+strconv.Itoa(v.lo)+" to "+strconv.Itoa(v.major)+"."+strconv.Itoa(v.hi))
	}
	return strings.Join(out, ", ")
}

const mb = 1_000_000

// repositories returns the built-in repositories. Versions are those that the registries have.
func repositories() []repository {
	server := Behavior{Stops: 50 * time.Millisecond, Shell: true}
	slow := Behavior{Stops: time.Second, Shell: true}
	shell := Behavior{Exits: true, Stops: -1, Shell: true} // a shell without a terminal ends at once
	pause := Behavior{Stops: 10 * time.Millisecond}
	alpine := []string{"-alpine", "-bookworm", "-bullseye", "-alpine-slim", "-perl"}
	return []repository{
		{"docker.io/library/nginx", []string{"latest", "alpine", "stable", "mainline", "perl"}, []versions{{1, 7, 29}}, alpine, 71 * mb, server},
		{"docker.io/library/httpd", []string{"latest", "alpine"}, []versions{{2, 2, 2}, {2, 4, 4}}, alpine, 59 * mb, server},
		{"docker.io/library/redis", []string{"latest", "alpine"}, []versions{{2, 8, 8}, {3, 0, 2}, {4, 0, 0}, {5, 0, 0}, {6, 0, 2}, {7, 0, 4}, {8, 0, 4}}, alpine, 41 * mb, slow},
		{"docker.io/library/postgres", []string{"latest", "alpine"}, []versions{{9, 0, 6}, {10, 0, 23}, {11, 0, 22}, {12, 0, 22}, {13, 0, 22}, {14, 0, 19}, {15, 0, 14}, {16, 0, 10}, {17, 0, 6}, {18, 0, 1}}, alpine, 152 * mb, slow},
		{"docker.io/library/mysql", []string{"latest", "lts"}, []versions{{5, 5, 7}, {8, 0, 4}, {9, 0, 4}}, nil, 235 * mb, slow},
		{"docker.io/library/mariadb", []string{"latest", "lts"}, []versions{{10, 0, 11}, {11, 0, 8}, {12, 0, 0}}, nil, 120 * mb, slow},
		{"docker.io/library/mongo", []string{"latest"}, []versions{{4, 0, 4}, {5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 2}}, nil, 280 * mb, slow},
		{"docker.io/library/memcached", []string{"latest", "alpine"}, []versions{{1, 4, 6}}, alpine, 31 * mb, server},
		{"docker.io/library/busybox", []string{"latest", "stable", "musl", "glibc", "uclibc"}, []versions{{1, 21, 37}}, []string{"-musl", "-glibc", "-uclibc"}, 2 * mb, shell},
		{"docker.io/library/alpine", []string{"latest", "edge"}, []versions{{3, 1, 22}}, nil, 4 * mb, shell},
		{"docker.io/library/ubuntu", []string{"latest", "noble", "jammy", "focal", "24.04", "22.04", "20.04", "18.04"}, nil, nil, 30 * mb, shell},
		{"docker.io/library/debian", []string{"latest", "bookworm", "bullseye", "trixie", "stable"}, []versions{{11, 0, 11}, {12, 0, 12}, {13, 0, 1}}, []string{"-slim"}, 49 * mb, shell},
		{"docker.io/library/python", []string{"latest", "alpine", "slim"}, []versions{{2, 7, 7}, {3, 4, 14}}, append([]string{"-slim"}, alpine...), 370 * mb, shell},
		{"docker.io/library/perl", []string{"latest", "slim"}, []versions{{5, 20, 42}}, []string{"-slim"}, 330 * mb, shell},
		{"docker.io/library/hello-world", []string{"latest", "linux"}, nil, nil, 4_000, Behavior{Exits: true, Stops: 10 * time.Millisecond}},
		{"docker.io/hashicorp/http-echo", []string{"latest", "alpine"}, []versions{{0, 2, 2}, {1, 0, 0}}, nil, 4 * mb, server},
		{"docker.io/polinux/stress", []string{"latest"}, []versions{{1, 0, 0}}, nil, 4 * mb, server},
		{"registry.k8s.io/pause", []string{"latest"}, []versions{{3, 0, 10}}, nil, 300_000, pause},
		{"registry.k8s.io/e2e-test-images/agnhost", []string{"latest"}, []versions{{2, 0, 70}}, nil, 47 * mb, server},
		{"registry.k8s.io/e2e-test-images/nginx", nil, []versions{{1, 14, 15}}, []string{"-1", "-2", "-4"}, 51 * mb, server},
		{"registry.k8s.io/e2e-test-images/httpd", nil, []versions{{2, 4, 4}}, []string{"-1", "-2", "-4"}, 41 * mb, server},
		{"registry.k8s.io/e2e-test-images/busybox", nil, []versions{{1, 29, 37}}, []string{"-1", "-2", "-4"}, 2 * mb, shell},
		{"registry.k8s.io/e2e-test-images/perl", nil, []versions{{5, 26, 26}}, nil, 330 * mb, shell},
		{"registry.k8s.io/e2e-test-images/kitten", nil, []versions{{1, 0, 8}}, nil, 51 * mb, server},
		{"registry.k8s.io/e2e-test-images/nautilus", nil, []versions{{1, 0, 8}}, nil, 51 * mb, server},
		{"registry.k8s.io/e2e-test-images/nonroot", nil, []versions{{1, 0, 5}}, nil, 17 * mb, server},
		{"registry.k8s.io/e2e-test-images/resource-consumer", nil, []versions{{1, 0, 14}}, nil, 50 * mb, server},
		{"registry.k8s.io/echoserver", nil, []versions{{1, 1, 10}}, nil, 45 * mb, server},
		{"registry.k8s.io/hpa-example", []string{"latest"}, nil, nil, 160 * mb, server},
		{"registry.k8s.io/nginx-slim", nil, []versions{{0, 1, 27}}, nil, 35 * mb, server},
		{"gcr.io/google-samples/hello-app", []string{"latest"}, []versions{{1, 0, 0}, {2, 0, 0}}, nil, 5 * mb, server},
		{"gcr.io/google-samples/gb-frontend", []string{"latest", "v3", "v4", "v5", "v6"}, nil, nil, 300 * mb, server},
	}
}
