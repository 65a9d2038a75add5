package kinds

import "reflect"

// guardStatus completes the strategy of a kind whose status is a subresource: what the group does not say
// itself is that status is empty at first, that a write to the object keeps it, and that a write to status
// changes nothing else.
func guardStatus(s *Strategy) {
	if s.PrepareForCreate == nil {
		s.PrepareForCreate = func(obj Object) { status(obj).SetZero() }
	}
	if s.PrepareForUpdate == nil {
		s.PrepareForUpdate = func(obj, old Object) { status(obj).Set(status(old)) }
	}
	if s.PrepareForStatusUpdate == nil {
		s.PrepareForStatusUpdate = keepAllButStatus
	}
}

// Models apiserver pkg/registry/rest ResetObjectMetaForStatus for the metadata.
func keepAllButStatus(obj, old Object) {
	to, from := reflect.ValueOf(obj).Elem(), reflect.ValueOf(old).Elem()
	for i := range to.NumField() {
		switch to.Type().Field(i).Name {
		case "TypeMeta", "ObjectMeta", "Status":
		default:
			to.Field(i).Set(from.Field(i))
		}
	}
	obj.SetDeletionTimestamp(old.GetDeletionTimestamp())
	obj.SetGeneration(old.GetGeneration())
	obj.SetSelfLink(old.GetSelfLink())
	obj.SetLabels(old.GetLabels())
	obj.SetAnnotations(old.GetAnnotations())
	obj.SetFinalizers(old.GetFinalizers())
	obj.SetOwnerReferences(old.GetOwnerReferences())
}

func status(obj Object) reflect.Value { return reflect.ValueOf(obj).Elem().FieldByName("Status") }
