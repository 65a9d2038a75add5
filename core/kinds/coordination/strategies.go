package coordination

import (
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// strategies returns how objects of each resource of the group are treated.
func strategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{"leases": leases()}
}

func leases() kinds.Strategy {
	return kinds.Strategy{
		PrepareForCreate:      func(obj kinds.Object) { dropElection(obj, nil) },
		PrepareForUpdate:      dropElection,
		Validate:              validateLease,
		ValidateUpdate:        func(obj, _ kinds.Object) field.ErrorList { return validateLease(obj) },
		CreateOnUpdate:        true,
		NoUnconditionalUpdate: true,
	}
}

// dropElection drops the fields of coordinated leader election, which is off by default, unless the old
// lease has them.
func dropElection(obj, old kinds.Object) {
	l := obj.(*coordinationv1.Lease)
	was, _ := old.(*coordinationv1.Lease)
	if was == nil || was.Spec.Strategy == nil {
		l.Spec.Strategy = nil
	}
	if was == nil || was.Spec.PreferredHolder == nil {
		l.Spec.PreferredHolder = nil
	}
}

// validateLease checks a lease.
//
// Models pkg/apis/coordination/validation ValidateLeaseSpec.
func validateLease(obj kinds.Object) field.ErrorList {
	l := obj.(*coordinationv1.Lease)
	var e check.Errors
	spec := check.Root("spec")
	if n := l.Spec.LeaseDurationSeconds; n != nil && *n <= 0 {
		e.Invalid(&spec, "leaseDurationSeconds", *n, "must be greater than 0")
	}
	if n := l.Spec.LeaseTransitions; n != nil && *n < 0 {
		e.Invalid(&spec, "leaseTransitions", *n, "must be greater than or equal to 0")
	}
	return e.List()
}
