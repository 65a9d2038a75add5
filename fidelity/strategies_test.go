package fidelity

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/event"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
)

// A creator is the part of Kubernetes' strategies that a create meets.
type creator interface {
	NamespaceScoped() bool
	PrepareForCreate(ctx context.Context, obj runtime.Object)
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	WarningsOnCreate(ctx context.Context, obj runtime.Object) []string
	Canonicalize(obj runtime.Object)
}

// An updater is the part of Kubernetes' strategies that an update meets.
type updater interface {
	PrepareForUpdate(ctx context.Context, obj, old runtime.Object)
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
	WarningsOnUpdate(ctx context.Context, obj, old runtime.Object) []string
}

// upstream holds Kubernetes' own strategies of a resource.
type upstream struct {
	main interface {
		creator
		updater
	}
	status updater
}

// upstreams returns Kubernetes' strategies by "group/resource".
func upstreams() map[string]upstream {
	return map[string]upstream{
		"/configmaps":               {main: configmap.Strategy},
		"/endpoints":                {main: endpoint.Strategy},
		"/events":                   {main: event.Strategy},
		"/limitranges":              {main: limitrange.Strategy},
		"/namespaces":               {main: namespace.Strategy, status: namespace.StatusStrategy},
		"/nodes":                    {main: node.Strategy, status: node.StatusStrategy},
		"/persistentvolumeclaims":   {main: persistentvolumeclaim.Strategy, status: persistentvolumeclaim.StatusStrategy},
		"/persistentvolumes":        {main: persistentvolume.Strategy, status: persistentvolume.StatusStrategy},
		"/pods":                     {main: pod.Strategy, status: pod.StatusStrategy},
		"/namespaces/finalize":      {main: namespace.FinalizeStrategy},
		"/pods/ephemeralcontainers": {main: pod.EphemeralContainersStrategy},
		"/pods/resize":              {main: pod.ResizeStrategy},
		"/podtemplates":             {main: podtemplate.Strategy},
		"/replicationcontrollers":   {main: replicationcontroller.Strategy, status: replicationcontroller.StatusStrategy},
		"/resourcequotas":           {main: resourcequota.Strategy, status: resourcequota.StatusStrategy},
		"/secrets":                  {main: secret.Strategy},
		"/serviceaccounts":          {main: serviceaccount.Strategy},
		"/services":                 {main: service.Strategy, status: service.StatusStrategy},

		"apps/controllerrevisions": {main: controllerrevision.Strategy},
		"apps/daemonsets":          {main: daemonset.Strategy, status: daemonset.StatusStrategy},
		"apps/deployments":         {main: deployment.Strategy, status: deployment.StatusStrategy},
		"apps/replicasets":         {main: replicaset.Strategy, status: replicaset.StatusStrategy},
		"apps/statefulsets":        {main: statefulset.Strategy, status: statefulset.StatusStrategy},

		"coordination.k8s.io/leases":        {main: lease.Strategy},
		"events.k8s.io/events":              {main: event.Strategy},
		"scheduling.k8s.io/priorityclasses": {main: priorityclass.Strategy},
	}
}

var _ rest.RESTCreateStrategy = pod.Strategy
