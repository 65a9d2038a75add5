package core

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

const immutableSet = "field is immutable when `immutable` is set"

func configMaps() kinds.Strategy {
	return kinds.Strategy{
		Validate:       validateConfigMap,
		ValidateUpdate: validateConfigMapUpdate,
	}
}

// validateConfigMap checks keys and size.
//
// Models pkg/apis/core/validation ValidateConfigMap.
func validateConfigMap(obj kinds.Object) field.ErrorList {
	c := obj.(*corev1.ConfigMap)
	var e check.Errors
	size := 0
	data := check.Root("data")
	for _, k := range check.Keys(c.Data) {
		key := data.Key(k)
		e.ConfigMapKey(&key, "", k)
		if _, twice := c.BinaryData[k]; twice {
			e.Invalid(&key, "", k, "duplicate of key present in binaryData")
		}
		size += len(c.Data[k])
	}
	data = check.Root("binaryData")
	for _, k := range check.Keys(c.BinaryData) {
		key := data.Key(k)
		e.ConfigMapKey(&key, "", k)
		size += len(c.BinaryData[k])
	}
	if size > corev1.MaxSecretSize {
		whole := check.Root("")
		e.TooLong(&whole, "", corev1.MaxSecretSize)
	}
	return e.List()
}

func validateConfigMapUpdate(obj, old kinds.Object) field.ErrorList {
	c, was := obj.(*corev1.ConfigMap), old.(*corev1.ConfigMap)
	var e check.Errors
	if isTrue(was.Immutable) {
		if !isTrue(c.Immutable) {
			e.Forbidden(nil, "immutable", immutableSet)
		}
		if !reflect.DeepEqual(c.Data, was.Data) {
			e.Forbidden(nil, "data", immutableSet)
		}
		if !reflect.DeepEqual(c.BinaryData, was.BinaryData) {
			e.Forbidden(nil, "binaryData", immutableSet)
		}
	}
	e.Add(validateConfigMap(c)...)
	return e.List()
}

func isTrue(b *bool) bool { return b != nil && *b }
