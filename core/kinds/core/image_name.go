package core

import "strings"

// An image reference is [domain[:port]/]path[:tag][@digest]. The functions below accept what
// distribution's reference.ParseNormalizedNamed accepts; TestImageTag has its cases.

// imageTag returns the tag of an image reference: "latest" when it names neither tag nor digest, "" when it
// names only a digest or is no reference at all.
//
// Models pkg/util/parsers ParseImageName.
func imageTag(image string) string {
	if len(image) == 64 && strings.Trim(image, "0123456789abcdef") == "" {
		return "" // an image ID, not a name
	}
	domain, rest := splitImageDomain(image)
	rest, digest, hasDigest := strings.Cut(rest, "@")
	path, tag, hasTag := strings.Cut(rest, ":")
	if !validImageDomain(domain) || !validImagePath(path) || len(domain)+1+len(path) > 255 {
		return ""
	}
	if hasDigest && !validImageDigest(digest) || hasTag && !validImageTag(tag) {
		return ""
	}
	if !hasTag && !hasDigest {
		return "latest"
	}
	return tag
}

// splitImageDomain splits "host/path"; the first part is a host when it has a dot, a port or a capital, or
// is localhost. Docker Hub's official images are below library/.
func splitImageDomain(image string) (domain, path string) {
	first, rest, found := strings.Cut(image, "/")
	if !found || !strings.ContainsAny(first, ".:") && first != "localhost" && strings.ToLower(first) == first {
		domain, path = "docker.io", image
	} else {
		domain, path = first, rest
	}
	if domain == "index.docker.io" {
		domain = "docker.io"
	}
	if domain == "docker.io" && !strings.Contains(path, "/") {
		path = "library/" + path
	}
	return domain, path
}

func validImageDomain(domain string) bool {
	host, port, hasPort := domain, "", false
	if strings.HasPrefix(domain, "[") {
		end := strings.IndexByte(domain, ']')
		if end < 2 || strings.Trim(domain[1:end], "0123456789abcdefABCDEF:") != "" {
			return false
		}
		host = "ip6"
		if rest := domain[end+1:]; rest != "" {
			_, port, hasPort = strings.Cut(rest, ":")
			if rest[0] != ':' {
				return false
			}
		}
	} else {
		host, port, hasPort = strings.Cut(domain, ":")
	}
	if hasPort && (port == "" || strings.Trim(port, "0123456789") != "") {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' || !allBytes(label, "-", true) {
			return false
		}
	}
	return true
}

// validImagePath checks components of lowercase letters and digits, separated inside by ".", "_", "__" or
// any number of "-".
func validImagePath(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || !allBytes(part, "._-", false) {
			return false
		}
		for i := 0; i < len(part); {
			if isAlnum(part[i]) {
				i++
				continue
			}
			start := i
			for i < len(part) && !isAlnum(part[i]) {
				i++
			}
			if sep := part[start:i]; start == 0 || i == len(part) ||
				sep != "." && sep != "_" && sep != "__" && strings.Trim(sep, "-") != "" {
				return false
			}
		}
	}
	return true
}

func validImageTag(tag string) bool {
	return tag != "" && len(tag) <= 128 && tag[0] != '.' && tag[0] != '-' && allBytes(tag, "_.-", true)
}

// validImageDigest checks the digests of the algorithms that are known.
func validImageDigest(digest string) bool {
	algorithm, sum, _ := strings.Cut(digest, ":")
	length := map[string]int{"sha256": 64, "sha384": 96, "sha512": 128}[algorithm]
	return length > 0 && len(sum) == length && strings.Trim(sum, "0123456789abcdef") == ""
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z'
}

func allBytes(s, extra string, upper bool) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isAlnum(c) && strings.IndexByte(extra, c) < 0 || !upper && 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}
