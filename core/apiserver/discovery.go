package apiserver

import (
	"encoding/json"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"terrarium/core/kinds"
)

// serveDiscovery answers the paths that say what is served.
func (s *Server) serveDiscovery(rr *RESTRequest, path string) (*RESTResponse, error) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "/healthz" || path == "/livez" || path == "/readyz":
		return &RESTResponse{Code: 200, ContentType: "text/plain; charset=utf-8", Body: []byte("ok")}, nil
	case strings.HasPrefix(path, "/openapi/"):
		return s.serveOpenAPI(path)
	case path == "/version":
		return asJSONBody(Version())
	case len(parts) == 1 && parts[0] == "api":
		return asJSONBody(&metav1.APIVersions{
			TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
			ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{},
		})
	case len(parts) == 2 && parts[0] == "api" && parts[1] == "v1":
		return asJSONBody(s.resources(schema.GroupVersion{Version: "v1"}))
	case len(parts) == 1 && parts[0] == "apis":
		return asJSONBody(&metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: s.groups()})
	case len(parts) == 2 && parts[0] == "apis":
		for _, g := range s.groups() {
			if g.Name == parts[1] {
				g.TypeMeta = metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}
				return asJSONBody(&g)
			}
		}
	case len(parts) == 3 && parts[0] == "apis":
		if list := s.resources(schema.GroupVersion{Group: parts[1], Version: parts[2]}); len(list.APIResources) > 0 {
			return asJSONBody(list)
		}
	}
	return nil, errNoResource()
}

// Version is what the server says it is.
func Version() *version.Info {
	return &version.Info{Major: "1", Minor: "37", GitVersion: "v1.37.2", GitTreeState: "clean", Compiler: "gc", Platform: "terrarium"}
}

func asJSONBody(v any) (*RESTResponse, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	return &RESTResponse{Code: 200, ContentType: "application/json", Body: body}, nil
}

// groups returns the API groups outside the core one, in the order of their kinds.
func (s *Server) groups() []metav1.APIGroup {
	var out []metav1.APIGroup
	at := map[string]int{}
	seen := map[schema.GroupVersion]bool{}
	for _, k := range s.kinds.List() {
		gv := k.GVK.GroupVersion()
		if gv.Group == "" || seen[gv] || k.Resource == "" {
			continue
		}
		seen[gv] = true
		v := metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version}
		if i, ok := at[gv.Group]; ok {
			out[i].Versions = append(out[i].Versions, v)
			continue
		}
		at[gv.Group] = len(out)
		out = append(out, metav1.APIGroup{Name: gv.Group, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v})
	}
	return out
}

func (s *Server) resources(gv schema.GroupVersion) *metav1.APIResourceList {
	list := &metav1.APIResourceList{
		TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String(), APIResources: []metav1.APIResource{},
	}
	for _, k := range s.kinds.List() {
		if k.GVK.GroupVersion() != gv || k.Resource == "" {
			continue
		}
		verbs := k.Verbs
		if verbs == nil {
			verbs = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
		}
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: k.Resource, SingularName: k.Singular, Namespaced: k.Namespaced, Kind: k.GVK.Kind,
			Verbs: verbs, ShortNames: k.ShortNames, Categories: k.Categories,
		})
		list.APIResources = append(list.APIResources, subresources(k)...)
	}
	return list
}

func subresources(k *kinds.Kind) []metav1.APIResource {
	var out []metav1.APIResource
	if k.HasStatus {
		out = append(out, metav1.APIResource{Name: k.Resource + "/status", Namespaced: k.Namespaced, Kind: k.GVK.Kind, Verbs: []string{"get", "patch", "update"}})
	}
	for _, sub := range k.Subresources {
		r := metav1.APIResource{Name: k.Resource + "/" + sub, Namespaced: k.Namespaced, Kind: k.GVK.Kind, Verbs: []string{"get", "patch", "update"}}
		switch sub {
		case "scale":
			r.Group, r.Version, r.Kind = "autoscaling", "v1", "Scale"
		case "binding":
			r.Kind, r.Verbs = "Binding", []string{"create"}
		case "eviction":
			r.Group, r.Version, r.Kind, r.Verbs = "policy", "v1", "Eviction", []string{"create"}
		case "token":
			r.Group, r.Version, r.Kind, r.Verbs = "authentication.k8s.io", "v1", "TokenRequest", []string{"create"}
		case "finalize":
			r.Verbs = []string{"update"}
		case "log":
			r.Verbs = []string{"get"}
		case "attach", "exec", "portforward":
			r.Kind, r.Verbs = "Pod"+strings.ToUpper(sub[:1])+sub[1:]+"Options", []string{"create", "get"}
		}
		out = append(out, r)
	}
	return out
}
