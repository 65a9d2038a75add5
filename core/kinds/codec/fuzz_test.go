package codec_test

import (
	"testing"
	"time"

	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
)

// Whatever the bytes: no panic, no endless work, places inside the text, and what was decoded can be encoded
// and decoded again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(deployment))
	f.Add([]byte(`{"apiVersion":"v1","kind":"Pod","spec":{"hostPID":true,"hostPID":1}}`))
	f.Add([]byte("apiVersion: v1\nkind: List\nitems:\n- &a {kind: Pod, <<: {apiVersion: v1}}\n- *a\n"))
	f.Add([]byte("a: &a [*a]\n---\n? {a: b}\n: [c, \"\\u0000\", !!binary xx, 0o7, -.inf, '']\n...\n%YAML 1.1\n"))
	f.Add([]byte("apiVersion: v1\nkind: Secret\ndata: {a: aGk=}\nstringData:\n  b: |+\n   x\n\n# c\n"))
	c := codec.New(all.Registry())
	f.Fuzz(func(t *testing.T, data []byte) {
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
						t.Errorf("no place: %+v", f)
					}
				}
				if err != nil {
					continue
				}
				out, err := c.YAML(obj)
				if err != nil {
					t.Fatal(err)
				}
				if _, again, found, err := c.Decode(out, nil, true); err != nil || found != nil || again != gvk {
					t.Fatalf("%v %v %v\n%s", again, found, err, out)
				}
			}
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func FuzzDecodeStored(f *testing.F) {
	c := codec.New(all.Registry())
	obj, _, _, err := c.Decode([]byte(deployment), nil, true)
	if err != nil {
		f.Fatal(err)
	}
	stored, err := c.EncodeStored(obj)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("deployments.apps", stored)
	f.Add("pods", []byte("\x01\x02v1\x0a\x02\x0a\x00"))
	f.Fuzz(func(t *testing.T, resource string, data []byte) {
		obj, err := c.DecodeStored(resource, data)
		if err != nil {
			return
		}
		if _, err := c.EncodeStored(obj); err != nil {
			t.Error(err)
		}
	})
}
