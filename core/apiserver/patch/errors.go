package patch

import (
	"errors"
	"fmt"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What can be wrong with a strategic merge patch.
//
// Models apimachinery pkg/util/mergepatch errors.go.
var (
	errBadDocument      = errors.New("invalid JSON document")
	errListOfLists      = errors.New("lists of lists are not supported")
	errBadPrimitiveList = errors.New("invalid patch format of primitive list")
	errBadRetainKeys    = errors.New("invalid patch format of retainKeys")
	errBadElementOrder  = errors.New("invalid patch format of setElementOrder list")
	errUnsupported      = errors.New("strategic merge patch format is not supported")
)

// statusOf gives an error of a strategic merge the code that kube-apiserver answers with.
func statusOf(err error) error {
	switch err {
	case nil:
		return nil
	case errBadDocument, errBadPrimitiveList, errBadRetainKeys, errBadElementOrder, errUnsupported:
		return apierrors.NewBadRequest(err.Error())
	case errListOfLists:
		return unprocessable(err)
	}
	return err
}

func noMergeKey(m map[string]any, key string) error {
	return fmt.Errorf("map: %v does not contain declared merge key: %s", m, key)
}

func badType[T any](got any) error {
	return fmt.Errorf("expected a %s, but received a %s", reflect.TypeFor[T](), reflect.TypeOf(got))
}

func badDirective(directive any, in map[string]any) error {
	return fmt.Errorf("unknown patch type: %s in map: %v", directive, in)
}

// as returns v as a T, or the error that it is none.
func as[T any](v any) (T, error) {
	t, ok := v.(T)
	if !ok {
		return t, badType[T](v)
	}
	return t, nil
}
