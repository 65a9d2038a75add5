package build

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMerge(t *testing.T) {
	tests := []struct {
		name       string
		have, want []segment
	}{
		{"one behind the other", []segment{{8, []byte("ab")}, {10, []byte("c")}}, []segment{{8, []byte("abc")}}},
		{"a gap of zeros", []segment{{8, []byte("ab")}, {12, []byte("c")}}, []segment{{8, []byte("ab\x00\x00c")}}},
		{"too far apart", []segment{{8, []byte("a")}, {10 + maxGap, []byte("b")}}, []segment{{8, []byte("a")}, {10 + maxGap, []byte("b")}}},
		{"backwards", []segment{{8, []byte("a")}, {4, []byte("b")}}, []segment{{4, []byte("b\x00\x00\x00a")}}},
		{"into a gap", []segment{{4, []byte("a")}, {8, []byte("b")}, {6, []byte("c")}}, []segment{{4, []byte("a\x00c\x00b")}}},
		{"none", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := merge(tt.have)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(segment{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMergeSegmentsKeepsMemory merges random programs and compares what they put into memory.
func TestMergeSegmentsKeepsMemory(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var segments []segment
		offset := uint64(rng.IntN(5000))
		for range rng.IntN(200) {
			data := make([]byte, 1+rng.IntN(200))
			for i := range data {
				data[i] = byte(rng.Uint32())
			}
			segments = append(segments, segment{offset, data})
			offset += uint64(len(data)) + uint64(rng.IntN(maxGap/(1+rng.IntN(1000))))
		}
		rng.Shuffle(len(segments), func(i, j int) { segments[i], segments[j] = segments[j], segments[i] })
		merged, err := mergeSegments(programWith(segments))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, err := readSegments(dataOf(t, merged))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(memory(segments), memory(got)); diff != "" {
			t.Fatalf("seed %d: memory differs (-before +after):\n%s", seed, diff)
		}
		if len(segments) > 20 && len(got) > len(segments)/2 {
			t.Errorf("seed %d: %d segments are still %d", seed, len(segments), len(got))
		}
	}
}

func TestMergeSegmentsRefuses(t *testing.T) {
	good := programWith([]segment{{8, []byte("ab")}})
	passive := programWith([]segment{{8, []byte("ab")}})
	passive[len(passive)-7] = 1
	for name, program := range map[string][]byte{
		"no wasm": []byte("#!/bin/sh"), "cut short": good[:len(good)-1], "a passive segment": passive,
		"segments that overlap": programWith([]segment{{8, []byte("ab")}, {9, []byte("c")}}),
	} {
		if _, err := mergeSegments(program); !errors.Is(err, errWasm) {
			t.Errorf("%s: got %v, want %v", name, err, errWasm)
		}
	}
}

// programWith returns a program that has these data and a section of its own that must stay as it is.
func programWith(segments []segment) []byte {
	data := appendSegments(nil, segments)
	out := append([]byte(wasmHeader), 0, 3, 'a', 'b', 'c', dataSection)
	out = binary.AppendUvarint(out, uint64(len(data)))
	return append(out, data...)
}

func dataOf(t *testing.T, program []byte) []byte {
	t.Helper()
	id, body, rest, err := cutSection(program[len(wasmHeader):])
	if err != nil || id != 0 || string(body) != "abc" {
		t.Fatalf("the section before: got %d %q, %v", id, body, err)
	}
	id, body, _, err = cutSection(rest)
	if err != nil || id != dataSection {
		t.Fatalf("the data section: got %d, %v", id, err)
	}
	return body
}

func memory(segments []segment) map[uint64]byte {
	m := map[uint64]byte{}
	for _, s := range segments {
		for i, b := range s.data {
			if at := s.offset + uint64(i); b != 0 {
				m[at] = b
			} else {
				delete(m, at)
			}
		}
	}
	return m
}
