package codec

import (
	"errors"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
)

// A FieldError is something wrong at one place of the input.
type FieldError struct {
	Path         string // as in messages of kube-apiserver: "spec.containers[0].image"; empty when it is no field
	Line, Column int    // from 1; Column counts characters
	Message      string // `unknown field "spec.foo"`
}

// An Error is an input that cannot be decoded, and where.
type Error struct {
	FieldError
	text string // the whole message as upstream words it
}

func (e *Error) Error() string { return e.text }

// Strict returns the unknown and duplicate fields as the one error that kube-apiserver makes of them, or nil.
func Strict(found []FieldError) error {
	if len(found) == 0 {
		return nil
	}
	errs := make([]error, len(found))
	for i, f := range found {
		errs[i] = errors.New(f.Message)
	}
	return runtime.NewStrictDecodingError(errs)
}

// yamlError returns the error for YAML that is no YAML or has no meaning in JSON.
func yamlError(line, column int, message string) *Error {
	text := "error converting YAML to JSON: yaml: "
	if line > 0 {
		text += "line " + strconv.Itoa(line) + ": "
	}
	return &Error{FieldError{Line: line, Column: column, Message: "yaml: " + message}, text + message}
}
