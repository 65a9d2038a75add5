package cluster

import (
	"terrarium/core/controller"
	"terrarium/core/controller/deployment"
	"terrarium/core/controller/garbagecollector"
	"terrarium/core/controller/namespace"
	"terrarium/core/controller/nodelifecycle"
	"terrarium/core/controller/podgc"
	"terrarium/core/controller/replicaset"
	"terrarium/core/controller/rootcacertpublisher"
	"terrarium/core/controller/serviceaccount"
	"terrarium/core/controller/tainteviction"
)

// Controllers are those of kube-controller-manager.
type Controllers struct {
	ServiceAccount   *serviceaccount.Controller
	RootCA           *rootcacertpublisher.Controller
	Deployment       *deployment.Controller
	ReplicaSet       *replicaset.Controller
	NodeLifecycle    *nodelifecycle.Controller
	TaintEviction    *tainteviction.Controller
	PodGC            *podgc.Controller
	Namespace        *namespace.Controller
	GarbageCollector *garbagecollector.Controller
}

// newControllers builds them. The garbage collector comes last: it joins the informers that the others
// have asked for.
func newControllers(deps controller.Deps, rootCA string) *Controllers {
	return &Controllers{
		ServiceAccount:   serviceaccount.New(deps),
		RootCA:           rootcacertpublisher.New(deps, rootCA),
		Deployment:       deployment.New(deps),
		ReplicaSet:       replicaset.New(deps),
		NodeLifecycle:    nodelifecycle.New(deps),
		TaintEviction:    tainteviction.New(deps),
		PodGC:            podgc.New(deps),
		Namespace:        namespace.New(deps),
		GarbageCollector: garbagecollector.New(deps),
	}
}
