package check

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Errors is the list of what is wrong with an object. In every method, at is the place and child a field
// of it ("a.b" for a field of a field), or "" for the place itself.
type Errors struct{ list field.ErrorList }

// List returns what was found, nil when nothing was.
func (e *Errors) List() field.ErrorList { return e.list }

// Len returns how many errors were found.
func (e *Errors) Len() int { return len(e.list) }

// Add appends errors found elsewhere.
func (e *Errors) Add(errs ...*field.Error) { e.list = append(e.list, errs...) }

// Required says that a value is missing.
func (e *Errors) Required(at *Path, child, detail string) {
	e.list = append(e.list, field.Required(at.field(child), detail))
}

// Invalid says that a value is wrong.
func (e *Errors) Invalid(at *Path, child string, value any, detail string) {
	e.list = append(e.list, field.Invalid(at.field(child), value, detail))
}

// InvalidAll says once for each message why a value is wrong.
func (e *Errors) InvalidAll(at *Path, child string, value any, messages []string) {
	for _, m := range messages {
		e.Invalid(at, child, value, m)
	}
}

// Forbidden says that a field must not be set, or must not be set so.
func (e *Errors) Forbidden(at *Path, child, detail string) {
	e.list = append(e.list, field.Forbidden(at.field(child), detail))
}

// NotSupported says that a value is none of the valid ones, which are given in the order to print.
func (e *Errors) NotSupported(at *Path, child string, value any, valid ...string) {
	e.list = append(e.list, field.NotSupported(at.field(child), value, valid))
}

// Duplicate says that a value is there already.
func (e *Errors) Duplicate(at *Path, child string, value any) {
	e.list = append(e.list, field.Duplicate(at.field(child), value))
}

// NotFound says that nothing has the name that a field gives.
func (e *Errors) NotFound(at *Path, child string, value any) {
	e.list = append(e.list, field.NotFound(at.field(child), value))
}

// TooLong says that a value has more than limit bytes.
func (e *Errors) TooLong(at *Path, child string, limit int) {
	e.list = append(e.list, field.TooLong(at.field(child), "", limit))
}

// TooMany says that a list has more than limit elements.
func (e *Errors) TooMany(at *Path, child string, actual, limit int) {
	e.list = append(e.list, field.TooMany(at.field(child), actual, limit))
}

// Internal says that checking itself failed.
func (e *Errors) Internal(at *Path, child string, err error) {
	e.list = append(e.list, field.InternalError(at.field(child), err))
}

// NonNegative checks that a number is not below zero.
func (e *Errors) NonNegative(at *Path, child string, n int64) {
	if n < 0 {
		e.Invalid(at, child, n, "must be greater than or equal to 0")
	}
}

// Positive checks that a number is above zero.
func (e *Errors) Positive(at *Path, child string, n int64) {
	if n <= 0 {
		e.Invalid(at, child, n, "must be greater than zero")
	}
}

// AtMost checks that a number is not above limit; detail says so.
func (e *Errors) AtMost(at *Path, child string, n, limit int32, detail string) {
	if n > limit {
		e.Invalid(at, child, n, detail)
	}
}
