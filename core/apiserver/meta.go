package apiserver

import (
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
)

func validateMeta(kind *kinds.Kind, obj kinds.Object) field.ErrorList {
	name := apivalidation.ValidateNameFunc(kind.Strategy.ValidateName)
	if name == nil {
		name = apivalidation.NameIsDNSSubdomain
	}
	return apivalidation.ValidateObjectMetaAccessor(obj, kind.Namespaced, name, field.NewPath("metadata"))
}

func validateMetaUpdate(obj, old kinds.Object) field.ErrorList {
	return apivalidation.ValidateObjectMetaAccessorUpdate(obj, old, field.NewPath("metadata"))
}
