package patch

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"terrarium/core/kinds/all"
)

// Strategic patches do what apimachinery's do, whatever the objects and patches.
func TestLikeUpstream(t *testing.T) {
	r := all.Registry()
	for seed := range uint64(2000) {
		g := generator{rand.New(rand.NewPCG(seed, 3))}
		name := []string{"pods", "deployments.apps", "services", "serviceaccounts", "nodes"}[seed%5]
		kind := r.ByName(name)
		meta, err := strategicpatch.NewPatchMetaFromStruct(kind.New())
		if err != nil {
			t.Fatal(err)
		}
		last, modified, current := g.object(name), g.object(name), g.object(name)
		patch := g.object(name)
		g.direct(patch)
		l, m, c, p := marshal(last), marshal(modified), marshal(current), marshal(patch)

		compare := func(what string, got []byte, gotErr error, want []byte, wantErr error) {
			t.Helper()
			if (gotErr == nil) != (wantErr == nil) {
				t.Fatalf("seed %d: %s: error %v, want %v\nlast %s\nmodified %s\ncurrent %s\npatch %s", seed, what, gotErr, wantErr, l, m, c, p)
			}
			if wantErr == nil {
				if diff := cmp.Diff(decode(want), decode(got)); diff != "" {
					t.Fatalf("seed %d: %s (-want +got):\n%s\nlast %s\nmodified %s\ncurrent %s\npatch %s", seed, what, diff, l, m, c, p)
				}
			}
		}
		got, gotErr := Strategic(c, p, kind)
		want, wantErr := upstream(func() ([]byte, error) {
			return strategicpatch.StrategicMergePatch(c, p, kind.New())
		})
		compare("strategic", got, gotErr, want, wantErr)

		got, gotErr = TwoWay(c, m, kind)
		want, wantErr = upstream(func() ([]byte, error) {
			return strategicpatch.CreateTwoWayMergePatch(c, m, kind.New())
		})
		compare("two-way", got, gotErr, want, wantErr)

		got, gotErr = ThreeWay(l, m, c, kind)
		want, wantErr = upstream(func() ([]byte, error) {
			return strategicpatch.CreateThreeWayMergePatch(l, m, c, meta, true)
		})
		compare("three-way", got, gotErr, want, wantErr)
		if gotErr == nil {
			// What was made can be applied, and then there is nothing left to do.
			applied, err := Strategic(c, got, kind)
			if err != nil {
				t.Fatalf("seed %d: applying %s: %v", seed, got, err)
			}
			again, err := ThreeWay(m, m, applied, kind)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			want, err := strategicpatch.CreateThreeWayMergePatch(m, m, applied, meta, true)
			compare("again", again, nil, want, err)
		}

		got, gotErr = ThreeWay(l, m, c, nil)
		want, wantErr = upstream(func() ([]byte, error) {
			return jsonmergepatch.CreateThreeWayJSONMergePatch(l, m, c)
		})
		if wantErr == nil {
			compare("JSON three-way", got, gotErr, want, wantErr)
		}
	}
}

func upstream(f func() ([]byte, error)) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

func decode(data []byte) (v any) {
	if err := json.Unmarshal(data, &v); err != nil {
		panic(err)
	}
	return v
}

// A generator makes small objects that have much in common.
type generator struct{ *rand.Rand }

func (g generator) chance(n int) bool { return g.IntN(n) == 0 }

func (g generator) some(m map[string]any, key string, v func() any) {
	if g.chance(2) {
		m[key] = v()
	}
}

func (g generator) name() any { return string(rune('a' + g.IntN(4))) }

// strings returns sorted strings: of others upstream sorts the original in place before it compares, and then
// sends an order that is there already.
func (g generator) strings() any {
	list := []any{}
	for _, s := range "abcd" {
		if g.chance(2) {
			list = append(list, string(s))
		}
	}
	return list
}

func (g generator) labels() any {
	m := map[string]any{}
	for range g.IntN(4) {
		m[g.name().(string)] = g.name()
	}
	return m
}

// listOf returns some elements; v gets numbers that do not repeat.
func (g generator) listOf(v func(n int) any) any {
	list := []any{}
	for _, n := range g.Perm(4)[:g.IntN(4)] {
		list = append(list, v(n))
	}
	return list
}

func (g generator) named(more func(m map[string]any)) func() any {
	return func() any {
		return g.listOf(func(n int) any {
			m := map[string]any{"name": string(rune('a' + n))}
			if more != nil {
				more(m)
			}
			return m
		})
	}
}

func (g generator) container(m map[string]any) {
	g.some(m, "image", g.name)
	g.some(m, "args", g.strings)
	g.some(m, "env", g.named(func(m map[string]any) { g.some(m, "value", g.name) }))
	g.some(m, "ports", func() any {
		return g.listOf(func(n int) any {
			m := map[string]any{"containerPort": 80 + n}
			g.some(m, "name", g.name)
			return m
		})
	})
	g.some(m, "resources", func() any { return map[string]any{"limits": map[string]any{"cpu": g.IntN(3)}} })
}

func (g generator) podSpec() any {
	m := map[string]any{}
	g.some(m, "containers", g.named(g.container))
	g.some(m, "nodeName", g.name)
	g.some(m, "nodeSelector", g.labels)
	g.some(m, "tolerations", g.named(nil))
	g.some(m, "imagePullSecrets", g.named(nil))
	g.some(m, "volumes", g.named(func(m map[string]any) {
		if g.chance(2) {
			m["emptyDir"] = map[string]any{"medium": g.name()}
		} else {
			m["secret"] = map[string]any{"secretName": g.name()}
		}
	}))
	return m
}

func (g generator) object(kind string) map[string]any {
	spec := map[string]any{}
	meta := map[string]any{}
	g.some(meta, "labels", g.labels)
	g.some(meta, "finalizers", g.strings)
	g.some(meta, "ownerReferences", func() any {
		return g.listOf(func(n int) any { return map[string]any{"uid": string(rune('a' + n)), "name": g.name()} })
	})
	out := map[string]any{"metadata": meta}
	switch kind {
	case "pods":
		spec = g.podSpec().(map[string]any)
	case "deployments.apps":
		g.some(spec, "replicas", func() any { return g.IntN(3) })
		g.some(spec, "strategy", func() any {
			if g.chance(2) {
				return map[string]any{"type": "Recreate"}
			}
			return map[string]any{"type": "RollingUpdate", "rollingUpdate": map[string]any{"maxSurge": g.IntN(3)}}
		})
		g.some(spec, "template", func() any { return map[string]any{"spec": g.podSpec()} })
	case "services":
		g.some(spec, "selector", g.labels)
		g.some(spec, "externalIPs", g.strings)
		g.some(spec, "ports", func() any {
			return g.listOf(func(n int) any {
				m := map[string]any{"port": 80 + n}
				g.some(m, "protocol", g.name)
				return m
			})
		})
	case "serviceaccounts":
		g.some(out, "secrets", g.named(func(m map[string]any) { g.some(m, "namespace", g.name) }))
		g.some(out, "imagePullSecrets", g.named(nil))
	case "nodes":
		g.some(spec, "podCIDRs", g.strings)
		g.some(spec, "taints", func() any { return g.listOf(func(n int) any { return map[string]any{"key": n, "effect": g.name()} }) })
		out["status"] = map[string]any{"addresses": g.listOf(func(n int) any { return map[string]any{"type": string(rune('a' + n)), "address": g.name()} })}
	}
	if g.chance(20) {
		return out
	}
	out["spec"] = spec
	return out
}

// direct puts directives, nulls and mistakes into a patch.
func (g generator) direct(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			inner := v[key]
			if list, ok := inner.([]any); ok {
				if g.chance(4) {
					order := []any{}
					for _, e := range append(append([]any{}, list...), g.name()) {
						if m, ok := e.(map[string]any); ok {
							id := map[string]any{}
							for _, k := range []string{"name", "uid", "containerPort", "port", "key", "type"} {
								if val, ok := m[k]; ok && !g.chance(30) {
									id[k] = val
								}
							}
							order = append(order, id)
						} else if len(list) == 0 || fmt.Sprintf("%T", list[0]) == "string" {
							order = append(order, e)
						}
					}
					if g.chance(6) {
						g.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
					}
					v["$setElementOrder/"+key] = order
				}
				if g.chance(8) && (len(list) == 0 || fmt.Sprintf("%T", list[0]) == "string") {
					v["$deleteFromPrimitiveList/"+key] = g.strings()
					delete(v, key)
					continue // both would contradict each other
				}
			}
			switch {
			case g.chance(30):
				v[key] = nil
			case g.chance(60):
				v[key] = g.name()
			default:
				g.direct(inner)
			}
		}
		if g.chance(30) {
			v["$patch"] = []any{"delete", "replace", "merge", "x", 1}[g.IntN(5)]
		}
		if g.chance(30) {
			keys := []any{}
			for _, k := range sortedKeys(v) {
				if !g.chance(20) {
					keys = append(keys, k)
				}
			}
			v["$retainKeys"] = keys
		}
	case []any:
		for i := range v {
			if m, ok := v[i].(map[string]any); ok && g.chance(8) {
				m["$patch"] = []any{"delete", "delete", "replace", "merge"}[g.IntN(4)]
			}
			g.direct(v[i])
		}
	}
}
