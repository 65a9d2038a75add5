package apps

import (
	"bytes"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func controllerRevisions() kinds.Strategy {
	return kinds.Strategy{
		Validate:       validateRevision,
		ValidateUpdate: validateRevisionUpdate,
	}
}

// validateRevision checks a new revision: its data is a JSON object.
//
// Models pkg/apis/apps/validation ValidateControllerRevisionCreate.
func validateRevision(obj kinds.Object) field.ErrorList {
	r := obj.(*appsv1.ControllerRevision)
	var e check.Errors
	e.NonNegative(nil, "revision", r.Revision)
	var data any
	if r.Data.Raw == nil {
		e.Required(nil, "data", "data is mandatory")
	} else if err := json.Unmarshal(r.Data.Raw, &data); err != nil {
		e.Invalid(nil, "data", "<value omitted>", "error parsing data: "+err.Error())
	} else if data == nil {
		e.Required(nil, "data", "data is mandatory")
	} else if _, ok := data.(map[string]any); !ok {
		e.Required(nil, "data", "data must be a valid JSON object")
	}
	return e.List()
}

func validateRevisionUpdate(obj, old kinds.Object) field.ErrorList {
	r, was := obj.(*appsv1.ControllerRevision), old.(*appsv1.ControllerRevision)
	var e check.Errors
	e.NonNegative(nil, "revision", r.Revision)
	if !bytes.Equal(r.Data.Raw, was.Data.Raw) {
		e.Invalid(nil, "data", r.Data, "field is immutable")
	}
	return e.List()
}
