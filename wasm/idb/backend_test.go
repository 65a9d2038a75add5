//go:build js && wasm

package idb

import (
	"bytes"
	"errors"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/store/journal"
	"terrarium/wasm/jsutil"
)

// An owner is the thread that answers are posted to.
type owner struct{ posted chan func() }

func newOwner() *owner { return &owner{make(chan func(), 100)} }

func (o *owner) backend(name string) *Backend {
	return New(Config{Name: name, Post: func(f func()) { o.posted <- f }, OpenTimeout: time.Minute})
}

// wait runs what is posted until do's callback has been called.
func (o *owner) wait(do func(done func(error))) (err error) {
	answered := false
	do(func(e error) { answered, err = true, e })
	for !answered {
		(<-o.posted)()
	}
	return err
}

func (o *owner) append(t testing.TB, b *Backend, record string) {
	t.Helper()
	if err := o.wait(func(done func(error)) { b.Append([]byte(record), done) }); err != nil {
		t.Fatal(err)
	}
}

// kept returns what a new backend loads.
func (o *owner) kept(t testing.TB, name string) string {
	t.Helper()
	b := o.backend(name)
	text, err := o.load(b)
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	return text
}

func (o *owner) load(b *Backend) (text string, err error) {
	err = o.wait(func(done func(error)) {
		b.Load(func(snapshot []byte, records [][]byte, err error) {
			text = string(snapshot) + "|" + string(bytes.Join(records, []byte(" ")))
			done(err)
		})
	})
	return text, err
}

func reason(err error) Reason {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

func expect(t testing.TB, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestKeeps(t *testing.T) {
	o := newOwner()
	b := o.backend(t.Name())
	text, err := o.load(b)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "a new database", text, "|")
	for _, r := range []string{"a", "b", "c"} {
		o.append(t, b, r)
	}
	expect(t, "records", o.kept(t, t.Name()), "|a b c")
	if err := o.wait(func(done func(error)) { b.Replace([]byte("ABC"), done) }); err != nil {
		t.Fatal(err)
	}
	expect(t, "snapshot", o.kept(t, t.Name()), "ABC|")
	b.Append([]byte("d"), func(error) {})
	b.Append([]byte("e"), func(error) {})
	b.Close()
	if err := o.wait(func(done func(error)) { b.Append([]byte("f"), done) }); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("after Close: got %v", err)
	}
	expect(t, "both, up to Close", o.kept(t, t.Name()), "ABC|d e")

	next := o.backend(t.Name())
	o.load(next)
	o.append(t, next, "g")
	expect(t, "goes on", o.kept(t, t.Name()), "ABC|d e g")
	next.Close()
	if err := o.wait(next.Clear); err != nil {
		t.Fatal(err)
	}
	if err := o.wait(func(done func(error)) { next.Replace(nil, done) }); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("after Close and Clear: got %v", err)
	}
	expect(t, "cleared", o.kept(t, t.Name()), "|")
}

// TestDeleted deletes the database under the backend, as clearing the site's data does.
func TestDeleted(t *testing.T) {
	o := newOwner()
	b := o.backend(t.Name())
	o.load(b)
	o.append(t, b, "a")
	await(t, `new Promise((ok, no) => { const r = indexedDB.deleteDatabase("`+t.Name()+`"); r.onsuccess = ok; r.onerror = no; })`)
	for range 2 {
		if err := o.wait(func(done func(error)) { b.Append([]byte("b"), done) }); reason(err) != Gone {
			t.Fatalf("got %v, want gone", err)
		}
	}
	if err := o.wait(func(done func(error)) { b.Replace([]byte("AB"), done) }); err != nil {
		t.Fatal(err)
	}
	o.append(t, b, "c")
	expect(t, "saved anew", o.kept(t, t.Name()), "AB|c")
}

func TestTwoWriters(t *testing.T) {
	o := newOwner()
	one, two := o.backend(t.Name()), o.backend(t.Name())
	o.load(one)
	o.load(two)
	o.append(t, one, "a")
	if err := o.wait(func(done func(error)) { two.Append([]byte("b"), done) }); reason(err) != Taken {
		t.Fatalf("got %v, want taken", err)
	}
	if err := o.wait(func(done func(error)) { two.Replace([]byte("B"), done) }); reason(err) != Taken {
		t.Fatalf("later: got %v, want taken", err)
	}
	o.append(t, one, "c")
	expect(t, "the first one's", o.kept(t, t.Name()), "|a c")
}

func TestBlocked(t *testing.T) {
	o := newOwner()
	js.Global().Set("name", t.Name())
	await(t, `new Promise(ok => { const r = indexedDB.open(name, 1); r.onsuccess = () => { window.held = r.result; indexedDB.deleteDatabase(name); ok(); }; })`)
	b := o.backend(t.Name())
	b.cfg.OpenTimeout = 200 * time.Millisecond
	if _, err := o.load(b); reason(err) != Blocked {
		t.Errorf("got %v, want blocked", err)
	}
	js.Global().Get("held").Call("close")
	b.cfg.OpenTimeout = time.Minute
	if _, err := o.load(b); err != nil {
		t.Errorf("let go: got %v", err)
	}
}

func TestNewer(t *testing.T) {
	o := newOwner()
	js.Global().Set("name", t.Name())
	await(t, `new Promise(ok => { const r = indexedDB.open(name, 2); r.onsuccess = () => { r.result.close(); ok(); }; })`)
	if _, err := o.load(o.backend(t.Name())); reason(err) != Newer {
		t.Errorf("got %v, want newer", err)
	}
}

// TestFull has the browser refuse to store, in the two ways it does: when asked, and when it commits.
func TestFull(t *testing.T) {
	defer eval(`IDBObjectStore.prototype.add = window.add0`)
	for _, how := range []string{
		`throw new DOMException("over quota", "QuotaExceededError")`,
		`const r = add0.apply(this, args);
			Object.defineProperty(this.transaction, "error", {value: new DOMException("over quota", "QuotaExceededError")});
			r.addEventListener("success", () => this.transaction.abort());
			return r`,
	} {
		o := newOwner()
		b := o.backend(t.Name())
		o.load(b)
		o.append(t, b, "a")
		eval(`window.add0 = IDBObjectStore.prototype.add; IDBObjectStore.prototype.add = function (...args) { ` + how + ` }`)
		if err := o.wait(func(done func(error)) { b.Append([]byte("x"), done) }); reason(err) != Full {
			t.Errorf("got %v, want full", err)
		} else if !strings.Contains(err.Error(), "free some disk space") {
			t.Errorf("got %q", err)
		}
		eval(`IDBObjectStore.prototype.add = window.add0`)
		o.append(t, b, "b")
		expect(t, "the rest", o.kept(t, t.Name()), "|a b")
		o.wait(b.Clear)
	}
}

func eval(code string) { js.Global().Call("eval", code) }

func TestRefused(t *testing.T) {
	eval(`window.opener0 = IDBFactory.prototype.open;
		IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError"); }`)
	defer eval(`IDBFactory.prototype.open = window.opener0`)
	o := newOwner()
	b := o.backend(t.Name())
	if _, err := o.load(b); reason(err) != Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
	if err := o.wait(func(done func(error)) { b.Append(nil, done) }); reason(err) != Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
}

// await runs code that makes a promise and waits for it.
func await(t testing.TB, code string) {
	t.Helper()
	done := make(chan error, 1)
	jsutil.Await(js.Global().Call("eval", code), func(_ js.Value, err error) { done <- err })
	if err := <-done; err != nil {
		t.Fatalf("%v: %s", err, code)
	}
}

func BenchmarkAppend(b *testing.B) {
	o := newOwner()
	backend := o.backend(b.Name())
	o.load(backend)
	record := strings.Repeat("x", 40<<10)
	for b.Loop() {
		o.append(b, backend, record)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
