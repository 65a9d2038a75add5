package all_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/kinds/all"
)

// testdata/kinds.txt holds what upstream's discovery documents (api/discovery in kubernetes 1.37) say, one
// line a resource: group/version, resource, kind, scope, short names.
func TestRegistry(t *testing.T) {
	want, err := os.ReadFile("testdata/kinds.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, k := range all.Registry().List() {
		scope, short := "cluster", "-"
		if k.Namespaced {
			scope = "namespaced"
		}
		if k.ShortNames != nil {
			short = strings.Join(k.ShortNames, ",")
		}
		got.WriteString(strings.Join([]string{k.GVK.GroupVersion().String(), k.Resource, k.GVK.Kind, scope, short}, " ") + "\n")
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("kinds differ (-want +got):\n%s", diff)
	}
}

func TestNames(t *testing.T) {
	r := all.Registry()
	for name, want := range map[string]string{
		"po":                   "pods",
		"Pod":                  "pods",
		"deploy":               "deployments.apps",
		"deployments.apps":     "deployments.apps",
		"deploy.v1.apps":       "deployments.apps",
		"ev":                   "events",
		"events.events.k8s.io": "events.events.k8s.io",
		"netpol":               "networkpolicies.networking.k8s.io",
		"scale":                "",
		"":                     "",
	} {
		got := ""
		if k := r.ByName(name); k != nil {
			got = k.StorageResource()
		}
		if got != want {
			t.Errorf("ByName(%q) = %q, want %q", name, got, want)
		}
	}
	if v := r.ByName("hpa").GVK.Version; v != "v2" {
		t.Errorf("preferred version of hpa is %s, want v2", v)
	}
}

// Bodies of subresources are found by kind alone.
func TestBodies(t *testing.T) {
	r := all.Registry()
	for _, gvk := range []schema.GroupVersionKind{
		{Group: "policy", Version: "v1", Kind: "Eviction"},
		{Group: "autoscaling", Version: "v1", Kind: "Scale"},
		{Group: "authentication.k8s.io", Version: "v1", Kind: "TokenRequest"},
	} {
		k := r.ByGVK(gvk)
		if k == nil || k.Resource != "" || k.NewList != nil || k.New() == nil {
			t.Errorf("%v is %+v, want a kind without resource", gvk, k)
		}
	}
}
