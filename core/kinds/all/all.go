// Package all puts the kinds of every API group together.
package all

import (
	"slices"

	"terrarium/core/kinds"
	"terrarium/core/kinds/admissionregistration"
	"terrarium/core/kinds/apiserverinternal"
	"terrarium/core/kinds/apps"
	"terrarium/core/kinds/authentication"
	"terrarium/core/kinds/authorization"
	"terrarium/core/kinds/autoscaling"
	"terrarium/core/kinds/batch"
	"terrarium/core/kinds/certificates"
	"terrarium/core/kinds/coordination"
	"terrarium/core/kinds/core"
	"terrarium/core/kinds/discovery"
	"terrarium/core/kinds/events"
	"terrarium/core/kinds/flowcontrol"
	"terrarium/core/kinds/lifecycle"
	"terrarium/core/kinds/networking"
	"terrarium/core/kinds/node"
	"terrarium/core/kinds/policy"
	"terrarium/core/kinds/rbac"
	"terrarium/core/kinds/resource"
	"terrarium/core/kinds/scheduling"
	"terrarium/core/kinds/storage"
	"terrarium/core/kinds/storagemigration"
)

// Registry returns a new registry of every built-in kind, in the order in which kube-apiserver 1.37
// advertises them.
//
// Differs: a kind that has no GA version yet is served in its most stable one. kube-apiserver serves those
// only when asked to (--runtime-config).
func Registry() *kinds.Registry {
	return kinds.NewRegistry(slices.Concat(
		core.Kinds(),
		apps.Kinds(),
		events.Kinds(),
		authentication.Kinds(),
		authorization.Kinds(),
		autoscaling.Kinds(),
		batch.Kinds(),
		certificates.Kinds(),
		networking.Kinds(),
		policy.Kinds(),
		rbac.Kinds(),
		storage.Kinds(),
		admissionregistration.Kinds(),
		scheduling.Kinds(),
		coordination.Kinds(),
		node.Kinds(),
		discovery.Kinds(),
		resource.Kinds(),
		flowcontrol.Kinds(),
		apiserverinternal.Kinds(),
		storagemigration.Kinds(),
		lifecycle.Kinds(),
	))
}
