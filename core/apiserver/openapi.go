package apiserver

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/kinds"
)

// openAPIIndex answers /openapi/v3: which documents there are.
func (s *Server) openAPIIndex() (*RESTResponse, error) {
	paths := map[string]any{}
	for _, k := range s.kinds.List() {
		if k.Resource != "" {
			p := groupPath(k.GVK.GroupVersion())
			paths[p] = map[string]string{"serverRelativeURL": "/openapi/v3/" + p}
		}
	}
	return asJSONBody(map[string]any{"paths": paths})
}

func groupPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api/" + gv.Version
	}
	return "apis/" + gv.Group + "/" + gv.Version
}

// openAPIDocument answers /openapi/v3/apis/GROUP/VERSION: what can be done, with which parameters.
//
// Differs: upstream's documents hold the schema of every type as well; these hold the operations, by which
// a client finds that the server validates fields and runs dry.
func (s *Server) openAPIDocument(group string) (*RESTResponse, error) {
	paths := map[string]any{}
	for _, k := range s.kinds.List() {
		if k.Resource == "" || groupPath(k.GVK.GroupVersion()) != group || isVirtual(k) {
			continue
		}
		collection := "/" + group + "/" + k.Resource
		if k.Namespaced {
			collection = "/" + group + "/namespaces/{namespace}/" + k.Resource
		}
		paths[collection] = map[string]any{"get": operation(k, "list"), "post": operation(k, "post")}
		paths[collection+"/{name}"] = map[string]any{
			"get": operation(k, "get"), "put": operation(k, "put"), "patch": operation(k, "patch"), "delete": operation(k, "delete"),
		}
	}
	if len(paths) == 0 {
		return nil, errNoResource()
	}
	return asJSONBody(map[string]any{
		"openapi": "3.0.0",
		"info":    map[string]any{"title": "Kubernetes", "version": Version().GitVersion},
		"paths":   paths,
	})
}

func operation(k *kinds.Kind, action string) map[string]any {
	op := map[string]any{
		"operationId":         action + k.GVK.Kind,
		"x-kubernetes-action": action,
		"responses":           map[string]any{"200": map[string]any{"description": "OK"}},
		"x-kubernetes-group-version-kind": map[string]string{
			"group": k.GVK.Group, "version": k.GVK.Version, "kind": k.GVK.Kind,
		},
	}
	switch action {
	case "post", "put", "patch":
		op["parameters"] = []any{parameter("dryRun"), parameter("fieldManager"), parameter("fieldValidation")}
	}
	return op
}

func parameter(name string) map[string]any {
	return map[string]any{"name": name, "in": "query", "schema": map[string]any{"type": "string", "uniqueItems": true}}
}

// serveOpenAPI answers the paths below /openapi.
func (s *Server) serveOpenAPI(path string) (*RESTResponse, error) {
	switch rest, ok := strings.CutPrefix(path, "/openapi/v3"); {
	case !ok:
		return nil, errNoResource()
	case rest == "" || rest == "/":
		return s.openAPIIndex()
	default:
		return s.openAPIDocument(strings.Trim(rest, "/"))
	}
}
