package check

import (
	"bytes"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/equality"
)

// Equal reports whether two values mean the same (nil and empty lists do). Values that share their parts,
// as a shallow copy does, are found equal without looking into them.
func Equal[T any](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return identical(a, b) || equality.Semantic.DeepEqual(a, b)
}

// identical reports whether two values are the same bit for bit, pointers included. Unequal padding only
// makes it say no.
func identical[T any](a, b *T) bool {
	size := unsafe.Sizeof(*a)
	return bytes.Equal(
		unsafe.Slice((*byte)(unsafe.Pointer(a)), size),
		unsafe.Slice((*byte)(unsafe.Pointer(b)), size))
}
