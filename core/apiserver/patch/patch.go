// Package patch applies patches to objects in JSON: JSON Patch, JSON Merge Patch and Kubernetes' strategic
// merge patch, and makes the three-way patch of kubectl apply.
//
// Everything goes in and comes out as JSON text. Errors that are the client's are Status errors with
// kube-apiserver's words and codes.
//
// Strategic merge is written here rather than taken from apimachinery's strategicpatch, which links the
// OpenAPI libraries and with them 0.7 MB of compressed WebAssembly. Tests compare the two.
package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"
)

// Limits of kube-apiserver.
const (
	maxOperations = 10000           // of a JSON patch
	maxCopied     = 3 * 1024 * 1024 // bytes that the copy operations of a JSON patch may add
)

// JSON applies a JSON patch (RFC 6902).
//
// Models apiserver pkg/endpoints/handlers jsonPatcher.applyJSPatch.
func JSON(original, patch []byte) ([]byte, error) {
	ops, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if len(ops) > maxOperations {
		return nil, apierrors.NewRequestEntityTooLargeError(
			fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", maxOperations, len(ops)))
	}
	atomic.StoreInt64(&jsonpatch.AccumulatedCopySizeLimit, maxCopied) // the library has it as a variable only
	patched, err := applyOps(ops, original)
	if err != nil {
		return nil, unprocessable(err)
	}
	return patched, nil
}

// applyOps turns a panic of the library, which some senseless patches cause, into an error.
func applyOps(ops jsonpatch.Patch, original []byte) (patched []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("json patch cannot be applied: %v", p)
		}
	}()
	return ops.Apply(original)
}

// Merge applies a JSON merge patch (RFC 7386).
func Merge(original, patch []byte) ([]byte, error) {
	patched, err := jsonpatch.MergePatch(original, patch)
	if errors.Is(err, jsonpatch.ErrBadJSONPatch) {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return patched, err
}

// StrictErrors returns what is unknown or duplicate in the patch itself. What is unknown in the object that
// comes of it is found when that is decoded.
func StrictErrors(kind types.PatchType, patch []byte) ([]error, error) {
	var target any = &map[string]any{}
	if kind == types.JSONPatchType {
		target = &[]operation{}
	}
	found, err := kjson.UnmarshalStrict(patch, target)
	switch {
	case err != nil && kind == types.StrategicMergePatchType:
		return nil, apierrors.NewBadRequest(err.Error())
	case err != nil:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	case kind == types.JSONPatchType:
		for i, e := range found {
			found[i] = fmt.Errorf("json patch %w", e)
		}
	}
	return found, nil
}

// An operation is what an element of a JSON patch may hold.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

func unprocessable(err error) error {
	return apierrors.NewGenericServerResponse(422, "", schema.GroupResource{}, "", err.Error(), 0, false)
}

// object decodes JSON that has to be an object; nothing is an empty one.
func object(data []byte) (map[string]any, error) {
	m := map[string]any{}
	if len(data) == 0 {
		return m, nil
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &m); err != nil {
		return nil, errBadDocument
	}
	if m == nil {
		m = map[string]any{}
	}
	return m, nil
}

func encode(m map[string]any) ([]byte, error) { return json.Marshal(m) }
