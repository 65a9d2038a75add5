package apiserver

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A path is what the path of a REST request names.
type path struct {
	gv          schema.GroupVersion
	namespace   string
	resource    string
	name        string
	subresource string
}

// parsePath reads /api/v1/... and /apis/group/version/...; ok is false for anything that does not name a
// resource.
//
// Models k8s.io/apiserver pkg/endpoints/request requestinfo.go NewRequestInfo.
func parsePath(p string) (out path, ok bool) {
	parts := strings.Split(strings.Trim(p, "/"), "/")
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		out.gv.Version = parts[1]
		parts = parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		out.gv.Group, out.gv.Version = parts[1], parts[2]
		parts = parts[3:]
	default:
		return path{}, false
	}
	// /namespaces/NS/resource..., but /namespaces/NS, /namespaces/NS/status and /namespaces/NS/finalize
	// are about the namespace itself.
	if parts[0] == "namespaces" && len(parts) >= 3 && parts[2] != "status" && parts[2] != "finalize" {
		out.namespace = parts[1]
		parts = parts[2:]
	}
	if len(parts) > 3 || parts[0] == "" {
		return path{}, false
	}
	out.resource = parts[0]
	if len(parts) > 1 {
		out.name = parts[1]
	}
	if len(parts) > 2 {
		out.subresource = parts[2]
	}
	return out, true
}
