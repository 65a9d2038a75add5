package image

import (
	"errors"
	"strings"
)

// A Reference is an image name taken apart: "nginx:1.25" is docker.io, library/nginx, tag 1.25.
type Reference struct {
	Registry   string
	Repository string
	Tag        string
	Digest     string
}

// Parse reads an image reference as container runtimes do, filling in the default registry and tag.
func Parse(s string) (Reference, error) {
	if s == "" || strings.ContainsAny(s, " \t\n") || strings.ToLower(repositoryPart(s)) != repositoryPart(s) {
		return Reference{}, errors.New("invalid reference format")
	}
	var r Reference
	rest, digest, hasDigest := strings.Cut(s, "@")
	if hasDigest {
		r.Digest = digest
	}
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, '/') {
		rest, r.Tag = rest[:i], rest[i+1:]
	}
	if r.Tag == "" && !hasDigest {
		r.Tag = "latest"
	}
	first, path, hasPath := strings.Cut(rest, "/")
	switch {
	case hasPath && (strings.ContainsAny(first, ".:") || first == "localhost"):
		r.Registry, r.Repository = first, path
	case hasPath:
		r.Registry, r.Repository = "docker.io", rest
	default:
		r.Registry, r.Repository = "docker.io", "library/"+rest
	}
	if r.Repository == "" || strings.HasSuffix(r.Repository, "/") {
		return Reference{}, errors.New("invalid reference format")
	}
	return r, nil
}

// repositoryPart is what must be in lower case.
func repositoryPart(s string) string {
	s, _, _ = strings.Cut(s, "@")
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, '/') {
		s = s[:i]
	}
	return s
}

// String returns the reference in full.
func (r Reference) String() string {
	s := r.Registry + "/" + r.Repository
	if r.Tag != "" {
		s += ":" + r.Tag
	}
	if r.Digest != "" {
		s += "@" + r.Digest
	}
	return s
}
