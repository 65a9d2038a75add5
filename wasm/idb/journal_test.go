//go:build js && wasm

package idb

import (
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
	"terrarium/core/store"
	"terrarium/core/store/journal"
)

type podCodec struct{}

func (podCodec) Encode(obj kinds.Object) ([]byte, error) { return obj.(*corev1.Pod).Marshal() }

func (podCodec) Decode(_ string, data []byte) (kinds.Object, error) {
	p := &corev1.Pod{}
	return p, p.Unmarshal(data)
}

// open restores a cluster's store.
func (o *owner) open(t testing.TB, name string) (*store.Store, *journal.Journal, *Backend) {
	t.Helper()
	var j *journal.Journal
	s := store.New(store.Config{OnCommit: func(ev store.Event) { j.Commit(ev) }})
	b := o.backend(name)
	j = journal.New(s, b, podCodec{}, journal.Config{})
	if err := o.wait(func(done func(error)) { j.Restore(func(_ bool, err error) { done(err) }) }); err != nil {
		t.Fatal(err)
	}
	return s, j, b
}

// TestThousandPods keeps 1,000 pods, then brings them back from records and from a snapshot.
func TestThousandPods(t *testing.T) {
	o := newOwner()
	s, j, b := o.open(t, t.Name())
	for i := range 1000 {
		key := kinds.Key{Resource: "pods", Namespace: "default", Name: "nginx-deployment-5d59d67564-" + strconv.Itoa(i)}
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
		p.Annotations = map[string]string{"about": strings.Repeat("as long as a real one ", 50)}
		if _, err := s.Create(key, p, 0); err != nil {
			t.Fatal(err)
		}
		if i%20 == 19 {
			j.Flush()
		}
		if i == 499 {
			o.durable(t, j, s.Revision())
		}
	}
	begin := time.Now()
	j.Flush()
	o.durable(t, j, s.Revision())
	t.Logf("durable after %v", time.Since(begin).Round(time.Millisecond))
	b.Close()
	for range 2 {
		begin = time.Now()
		o.kept(t, t.Name())
		t.Logf("read in %v", time.Since(begin).Round(time.Millisecond))
		begin = time.Now()
		s, j, b = o.open(t, t.Name())
		t.Logf("%d pods restored in %v", s.Count("pods", ""), time.Since(begin).Round(time.Millisecond))
		if s.Count("pods", "") != 1000 || s.Revision() != 1000 {
			t.Fatalf("got %d pods at revision %d", s.Count("pods", ""), s.Revision())
		}
		b.Close()
	}
}

func (o *owner) durable(t *testing.T, j *journal.Journal, rev kinds.Revision) {
	t.Helper()
	if err := o.wait(func(done func(error)) { j.WhenDurable(rev, done) }); err != nil {
		t.Fatal(err)
	}
}
