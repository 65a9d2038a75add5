package apiserver

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/meta"
)

func validateMeta(kind *kinds.Kind, obj kinds.Object) field.ErrorList {
	return meta.ValidateObjectMeta(metaOf(obj), kind.Namespaced, kind.Strategy.ValidateName)
}

func validateMetaUpdate(obj, old kinds.Object) field.ErrorList {
	return meta.ValidateObjectMetaUpdate(metaOf(obj), metaOf(old))
}

// metaOf returns the metadata inside an object of k8s.io/api.
func metaOf(obj kinds.Object) *metav1.ObjectMeta {
	return obj.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}
