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
//
// Models github.com/distribution/reference ParseNormalizedNamed.
func Parse(s string) (Reference, error) {
	var r Reference
	name, digest, hasDigest := strings.Cut(s, "@")
	if hasDigest {
		r.Digest = digest
	}
	hasTag := false
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name, r.Tag, hasTag = name[:i], name[i+1:], true
	}
	if !hasTag && !hasDigest {
		r.Tag = "latest"
	}
	first, path, hasPath := strings.Cut(name, "/")
	switch {
	case hasPath && (strings.ContainsAny(first, ".:") || first == "localhost" || strings.ToLower(first) != first):
		r.Registry, r.Repository = first, path
	case hasPath:
		r.Registry, r.Repository = "docker.io", name
	default:
		r.Registry, r.Repository = "docker.io", "library/"+name
	}
	if r.Registry == "index.docker.io" {
		r.Registry = "docker.io"
	}
	if r.Registry == "docker.io" && !strings.Contains(r.Repository, "/") {
		r.Repository = "library/" + r.Repository
	}
	switch {
	case strings.ToLower(r.Repository) != r.Repository:
		return Reference{}, errors.New("invalid reference format: repository name (" + r.Repository + ") must be lowercase")
	case !isHost(r.Registry), !isRepository(r.Repository), hasTag && !isTag(r.Tag), hasDigest && !isDigest(r.Digest):
		return Reference{}, errors.New("invalid reference format")
	}
	return r, nil
}

func isAlnum(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

func isHost(s string) bool {
	host, port, hasPort := strings.Cut(s, ":")
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return false
		}
	}
	for i := range len(host) {
		if c := host[i] | 0x20; !isAlnum(c) && host[i] != '.' && host[i] != '-' {
			return false
		}
	}
	return host != "" && (!hasPort || port != "")
}

// isRepository: parts of letters and digits, joined by ".", "_", "__" or any number of "-", between slashes.
func isRepository(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || !isAlnum(part[0]) || !isAlnum(part[len(part)-1]) {
			return false
		}
		for i := range len(part) {
			switch c := part[i]; {
			case isAlnum(c), c == '-':
			case c == '.' && part[i-1] != '.' && part[i-1] != '_':
			case c == '_' && part[i-1] != '.' && (part[i-1] != '_' || part[i-2] != '_'):
			default:
				return false
			}
		}
	}
	return true
}

func isTag(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c|0x20) && c != '_' && (i == 0 || c != '.' && c != '-') {
			return false
		}
	}
	return s != "" && len(s) <= 128
}

func isDigest(s string) bool {
	algorithm, hex, ok := strings.Cut(s, ":")
	for i := range len(hex) {
		if c := hex[i] | 0x20; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return ok && algorithm != "" && len(hex) >= 32
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
