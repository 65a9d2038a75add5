package informer_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/apiserver"
	"terrarium/core/client"
	"terrarium/core/informer"
	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
	"terrarium/core/loop"
	"terrarium/core/store"
	"terrarium/core/trace"
)

type world struct {
	loop  *loop.Loop
	store *store.Store
	maps  client.Resource[*corev1.ConfigMap]
	inf   *informer.Informer[*corev1.ConfigMap]
	heard []string
}

func newWorld(t *testing.T, cfg informer.Config) *world {
	t.Helper()
	w := &world{loop: loop.New(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 1), store: store.New(store.Config{CheckMutation: true})}
	kinds := all.Registry()
	api := apiserver.New(apiserver.Config{
		Loop: w.loop, Trace: trace.NewRecorder(w.loop, trace.Config{}), Store: w.store, Kinds: kinds, Codec: codec.New(kinds),
	})
	c := client.New(api, "test")
	if _, err := c.Namespaces().Create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}); err != nil {
		t.Fatal(err)
	}
	w.maps = c.ConfigMaps()
	cfg.Name, cfg.Loop = "test", w.loop
	w.inf = informer.New(cfg, "configmaps", w.maps)
	w.inf.AddHandler(func(ev informer.Event[*corev1.ConfigMap]) {
		w.heard = append(w.heard, fmt.Sprintf("%s %s %s", ev.Type, ev.New.Name, ev.New.Data["v"]))
	})
	return w
}

func (w *world) put(t *testing.T, name, value string) {
	t.Helper()
	obj := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Data: map[string]string{"v": value}}
	_, err := w.maps.Update(obj)
	if err != nil {
		_, err = w.maps.Create(obj)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) remove(t *testing.T, name string) {
	t.Helper()
	if err := w.maps.Delete("default", name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (w *world) settle() { w.loop.Run(w.loop.Now().Add(time.Minute)) }

func (w *world) expect(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, w.heard); diff != "" {
		t.Errorf("the handler heard (-want +got):\n%s", diff)
	}
	w.heard = nil
}

func TestHandlersHearEveryChange(t *testing.T) {
	w := newWorld(t, informer.Config{})
	w.put(t, "a", "1")
	w.inf.Start()
	w.settle()
	w.expect(t, "ADDED a 1")
	w.put(t, "a", "2")
	w.put(t, "a", "3")
	w.put(t, "b", "1")
	w.remove(t, "a")
	w.settle()
	w.expect(t, "MODIFIED a 2", "MODIFIED a 3", "DELETED a 3", "ADDED b 1")
	w.inf.AddHandler(func(ev informer.Event[*corev1.ConfigMap]) { w.heard = append(w.heard, "late "+ev.Key.Name) })
	w.expect(t, "late b")
}

func TestCopyLagsByTheLatency(t *testing.T) {
	w := newWorld(t, informer.Config{Latency: loop.Range{Min: time.Second, Max: time.Second}})
	w.inf.Start()
	w.settle()
	w.put(t, "a", "1")
	w.loop.Run(w.loop.Now().Add(900 * time.Millisecond))
	w.expect(t)
	if q := w.inf.Queue(); len(q) != 1 || q[0].Deltas[0] != "ADDED" {
		t.Errorf("the queue shows %v, want the change that is on its way", q)
	}
	w.loop.Run(w.loop.Now().Add(200 * time.Millisecond))
	w.expect(t, "ADDED a 1")
}

func TestRelistFindsWhatWasMissed(t *testing.T) {
	w := newWorld(t, informer.Config{})
	for _, n := range []string{"changes", "goes", "stays"} {
		w.put(t, n, "1")
	}
	w.inf.Start()
	w.settle()
	w.heard = nil
	w.inf.DropWatch()
	w.put(t, "changes", "2")
	w.put(t, "comes", "1")
	w.remove(t, "goes")
	w.store.Compact(w.store.Revision())
	w.settle()
	w.expect(t, "DELETED goes 1", "MODIFIED changes 2", "ADDED comes 1", "SYNC stays 1")
	w.put(t, "comes", "2")
	w.settle()
	w.expect(t, "MODIFIED comes 2")
}

func TestReaderThatFellBehindListsAgain(t *testing.T) {
	w := newWorld(t, informer.Config{Latency: loop.Range{Min: time.Second, Max: time.Second}})
	w.inf.Start()
	w.settle()
	w.put(t, "a", "1")
	w.put(t, "a", "2")
	w.store.Compact(w.store.Revision())
	w.settle()
	w.expect(t, "ADDED a 2")
}

func TestResync(t *testing.T) {
	w := newWorld(t, informer.Config{Resync: 45 * time.Second})
	w.put(t, "a", "1")
	w.inf.Start()
	w.settle()
	w.expect(t, "ADDED a 1", "SYNC a 1")
}

// TestModel compares the copy with the store after random changes, dropped watches and compactions, and
// an index with what a scan finds.
func TestModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	w := newWorld(t, informer.Config{Latency: loop.Range{Min: 0, Max: 10 * time.Millisecond}})
	byValue := func(m *corev1.ConfigMap) []string { return []string{m.Data["v"]} }
	w.inf.AddIndex("value", byValue)
	w.inf.Start()
	for range 300 {
		switch r.IntN(10) {
		case 0:
			w.inf.DropWatch()
		case 1:
			w.store.Compact(w.store.Revision() - 1)
		case 2, 3:
			name := fmt.Sprint(r.IntN(10))
			if _, err := w.maps.Get("default", name); err == nil {
				w.remove(t, name)
			}
		default:
			w.put(t, fmt.Sprint(r.IntN(10)), fmt.Sprint(r.IntN(3)))
		}
		w.loop.Run(w.loop.Now().Add(time.Duration(r.IntN(8)) * time.Millisecond))
	}
	w.settle()
	want, _, err := w.maps.List("default", nil)
	if err != nil {
		t.Fatal(err)
	}
	got := w.inf.Lister().List("default", nil)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("seed %d: the copy differs from the store (-store +copy):\n%s", seed, diff)
	}
	for v := range 3 {
		var scan []*corev1.ConfigMap
		for _, m := range want {
			if m.Data["v"] == fmt.Sprint(v) {
				scan = append(scan, m)
			}
		}
		if diff := cmp.Diff(scan, w.inf.Lister().ByIndex("value", fmt.Sprint(v))); diff != "" && len(scan) > 0 {
			t.Fatalf("seed %d: index value %d (-scan +index):\n%s", seed, v, diff)
		}
	}
}
