package scheduling

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
	"terrarium/core/kinds/core"
)

// strategies returns how objects of each resource of the group are treated.
func strategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{"priorityclasses": priorityClasses()}
}

func priorityClasses() kinds.Strategy {
	return kinds.Strategy{
		Default:        defaultPriorityClass,
		Validate:       validatePriorityClass,
		ValidateUpdate: validatePriorityClassUpdate,
	}
}

func defaultPriorityClass(obj kinds.Object) {
	if pc := obj.(*schedulingv1.PriorityClass); pc.PreemptionPolicy == nil {
		policy := corev1.PreemptLowerPriority
		pc.PreemptionPolicy = &policy
	}
}

// The priorities that are reserved, and what is reserved for.
const (
	systemPrefix   = "system-"
	highestForUser = 1_000_000_000
	systemCritical = 2 * highestForUser
)

// systemClasses are the classes whose names begin with systemPrefix, and their values.
func systemClasses() map[string]int32 {
	return map[string]int32{"system-node-critical": systemCritical + 1000, "system-cluster-critical": systemCritical}
}

// validatePriorityClass checks a priority class.
//
// Models pkg/apis/scheduling/validation ValidatePriorityClass.
func validatePriorityClass(obj kinds.Object) field.ErrorList {
	pc := obj.(*schedulingv1.PriorityClass)
	var e check.Errors
	if strings.HasPrefix(pc.Name, systemPrefix) {
		if wrong := unlikeSystem(pc); wrong != "" {
			e.Forbidden(nil, "metadata.name", "priority class names with '"+systemPrefix+"' prefix are reserved for system use only. error: "+wrong)
		}
	} else if pc.Value > highestForUser {
		e.Forbidden(nil, "value", fmt.Sprintf("maximum allowed value of a user defined priority is %v", highestForUser))
	}
	core.PreemptionPolicy(&e, nil, pc.PreemptionPolicy)
	return e.List()
}

// unlikeSystem says how pc differs from the system's class of its name. Models IsKnownSystemPriorityClass.
func unlikeSystem(pc *schedulingv1.PriorityClass) string {
	value, known := systemClasses()[pc.Name]
	switch {
	case !known:
		return pc.Name + " is not a known system priority class"
	case pc.Value != value:
		return fmt.Sprintf("value of %v PriorityClass must be %v", pc.Name, value)
	case pc.GlobalDefault:
		return fmt.Sprintf("globalDefault of %v PriorityClass must be %v", pc.Name, false)
	}
	return ""
}

// Models ValidatePriorityClassUpdate.
func validatePriorityClassUpdate(obj, old kinds.Object) field.ErrorList {
	pc, was := obj.(*schedulingv1.PriorityClass), old.(*schedulingv1.PriorityClass)
	var e check.Errors
	if pc.Value != was.Value {
		e.Forbidden(nil, "value", "may not be changed in an update.")
	}
	e.Add(apivalidation.ValidateImmutableField(pc.PreemptionPolicy, was.PreemptionPolicy, field.NewPath("preemptionPolicy"))...)
	return e.List()
}
