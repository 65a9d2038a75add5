package kinds

import (
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Registry finds the kinds a cluster serves. It is read-only once built.
type Registry struct {
	all    []*Kind // in the order given: discovery's order
	list   []*Kind // those of all that have a resource
	byGVK  map[schema.GroupVersionKind]*Kind
	byGVR  map[schema.GroupVersionResource]*Kind
	stored map[string]*Kind // by StorageResource, the first version registered
	byName map[string]*Kind // every name a person may type
	byType map[reflect.Type]*Kind
}

// NewRegistry returns a registry of the kinds. Where a resource is served in several versions the first
// given is the preferred one. It panics when two kinds claim the same version and resource.
func NewRegistry(list []*Kind) *Registry {
	r := &Registry{
		all:    list,
		list:   make([]*Kind, 0, len(list)),
		byGVK:  make(map[schema.GroupVersionKind]*Kind, len(list)),
		byGVR:  make(map[schema.GroupVersionResource]*Kind, len(list)),
		stored: make(map[string]*Kind, len(list)),
		byName: make(map[string]*Kind, 3*len(list)),
		byType: make(map[reflect.Type]*Kind, len(list)),
	}
	for _, k := range list {
		if r.byGVK[k.GVK] != nil || r.byGVR[k.GVR()] != nil {
			panic(fmt.Sprintf("BUG: kind %v is registered twice", k.GVK))
		}
		r.byGVK[k.GVK] = k
		if t := reflect.TypeOf(k.New()); r.byType[t] == nil {
			r.byType[t] = k
		}
		if k.Resource == "" {
			continue // the body of a subresource, see Virtual
		}
		r.list = append(r.list, k)
		r.byGVR[k.GVR()] = k
		if r.stored[k.StorageResource()] == nil {
			r.stored[k.StorageResource()] = k
		}
		r.addNames(k)
	}
	return r
}

func (r *Registry) addNames(k *Kind) {
	names := append([]string{k.Resource, k.Singular, strings.ToLower(k.GVK.Kind)}, k.ShortNames...)
	for _, n := range names {
		for _, full := range []string{n, n + "." + k.GVK.Group, n + "." + k.GVK.Version + "." + k.GVK.Group} {
			if r.byName[full] == nil {
				r.byName[full] = k
			}
		}
	}
}

// All returns all kinds, also those that are only bodies of subresources. Callers must not change it.
func (r *Registry) All() []*Kind { return r.all }

// List returns all kinds that have a resource, in discovery order. Callers must not change it.
func (r *Registry) List() []*Kind { return r.list }

// ByGVK returns the kind of that group, version and kind, or nil.
func (r *Registry) ByGVK(gvk schema.GroupVersionKind) *Kind { return r.byGVK[gvk] }

// ByGVR returns the kind served under that group, version and resource, or nil.
func (r *Registry) ByGVR(gvr schema.GroupVersionResource) *Kind { return r.byGVR[gvr] }

// ByStorageResource returns the preferred version of the kind kept under resource ("deployments.apps"),
// or nil.
func (r *Registry) ByStorageResource(resource string) *Kind { return r.stored[resource] }

// ByType returns the kind whose objects have the Go type of obj, or nil.
func (r *Registry) ByType(obj Object) *Kind { return r.byType[reflect.TypeOf(obj)] }

// ByName returns the kind a person means by name (plural, singular, kind or short name, optionally with
// .group or .version.group), or nil.
func (r *Registry) ByName(name string) *Kind { return r.byName[strings.ToLower(name)] }
