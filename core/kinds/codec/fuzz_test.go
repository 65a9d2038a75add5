package codec_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
)

// seeds are inputs from which the fuzzers start.
func seeds() []string {
	return []string{
		deployment,
		pod,
		`{"apiVersion":"v1","kind":"Pod","spec":{"hostPID":true,"hostPID":1}}`,
		"apiVersion: v1\nkind: List\nitems:\n- &a {kind: Pod, <<: {apiVersion: v1}}\n- *a\n",
		"a: &a [*a]\n---\n? {a: b}\n: [c, \"\\u0000\", !!binary xx, 0o7, -.inf, '']\n...\n%YAML 1.1\n",
		"apiVersion: v1\nkind: Secret\ndata: {a: aGk=}\nstringData:\n  b: |+\n   x\n\n# c\n",
	}
}

// decodeAny decodes data every way and checks what must hold whatever the bytes: no panic, no endless work,
// places inside the text, and what was decoded can be encoded and decoded again.
func decodeAny(t *testing.T, c *codec.Codec, data []byte) {
	start := time.Now()
	docs, err := codec.Documents(data)
	if err != nil {
		return
	}
	for _, d := range docs {
		items, err := d.Items()
		if err != nil {
			items = []codec.Document{d}
		}
		for _, item := range items {
			obj, gvk, found, err := c.DecodeDocument(item, nil, true)
			for _, f := range found {
				if f.Line < 1 || f.Column < 1 || f.Line > len(data)+1 || f.Message == "" {
					t.Errorf("no place: %+v for %v in\n%q", f, err, data)
				}
			}
			if err != nil {
				continue
			}
			out, err := c.YAML(obj)
			if err != nil {
				t.Fatalf("%v of %q", err, data)
			}
			if _, again, found, err := c.Decode(out, nil, true); err != nil || found != nil || again != gvk {
				t.Fatalf("%v %v %v\n%s\nof %q", again, found, err, out, data)
			}
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v for %q", took, data)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	c := codec.New(all.Registry())
	f.Fuzz(func(t *testing.T, data []byte) { decodeAny(t, c, data) })
}

// What FuzzDecode does, for a fixed while and without coverage: good documents with a few bad bytes.
func TestDecodeMutations(t *testing.T) {
	c := codec.New(all.Registry())
	seeds := seeds()
	pieces := strings.Split("\n|\t| |: |- |#|---\n|...\n|&a |*a|<<: |!!binary |[|]|{|}|,|'|\"|\\|\x00|\xff|\ufeff|%|@|`|?|>|~|null|1e999|0x|9999999999999999999|true|é|\u2028", "|")
	for seed := range uint64(mutations) {
		r := rand.New(rand.NewPCG(seed, 4))
		data := []byte(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(4) {
			at := r.IntN(len(data) + 1)
			end := min(len(data), at+r.IntN(r.IntN(20)+1))
			insert := pieces[r.IntN(len(pieces))]
			if r.IntN(4) == 0 {
				from := r.IntN(len(data) + 1)
				insert = string(data[from:min(len(data), from+r.IntN(40))])
			}
			data = append(append(append([]byte{}, data[:at]...), insert...), data[end:]...)
		}
		decodeAny(t, c, data)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

const mutations = 2000

func FuzzDecodeStored(f *testing.F) {
	c := codec.New(all.Registry())
	f.Add("deployments.apps", storedDeployment(f, c))
	f.Add("pods", []byte("\x01\x02v1\x0a\x02\x0a\x00"))
	f.Fuzz(func(t *testing.T, resource string, data []byte) { decodeStored(t, c, resource, data) })
}

func TestDecodeStoredMutations(t *testing.T) {
	c := codec.New(all.Registry())
	good := storedDeployment(t, c)
	for seed := range uint64(10 * mutations) {
		r := rand.New(rand.NewPCG(seed, 5))
		data := append([]byte{}, good...)
		for range 1 + r.IntN(4) {
			data[r.IntN(len(data))] = byte(r.IntN(256))
		}
		decodeStored(t, c, "deployments.apps", data[:r.IntN(len(data)+1)])
	}
}

func storedDeployment(t testing.TB, c *codec.Codec) []byte {
	obj, _, _, err := c.Decode([]byte(deployment), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := c.EncodeStored(obj)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

func decodeStored(t *testing.T, c *codec.Codec, resource string, data []byte) {
	obj, err := c.DecodeStored(resource, data)
	if err != nil {
		return
	}
	if _, err := c.EncodeStored(obj); err != nil {
		t.Errorf("%v of %q", err, data)
	}
}
