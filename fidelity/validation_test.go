package fidelity

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/capabilities"

	"terrarium/core/kinds"
	"terrarium/core/kinds/all"
	"terrarium/core/kinds/core"
	"terrarium/core/kinds/kindtest"
)

var update = flag.Bool("update", false, "write Kubernetes' answers into the files of cases")

// TestValidation runs the cases of all groups through Kubernetes' defaults, strategies and validation and
// through ours: the errors and warnings must be the same, word for word, and so must the stored object.
func TestValidation(t *testing.T) {
	for _, s := range subjects(t) {
		f := s.file
		for i := range f.Cases {
			c := &f.Cases[i]
			t.Run(f.Resource+"/"+c.Name, func(t *testing.T) { compare(t, s, c) })
		}
		if *update {
			if err := os.WriteFile(f.Path, []byte(f.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A subject is a file of cases and who answers them.
type subject struct {
	file   *kindtest.File
	kind   *kinds.Kind // our answers
	theirs upstream    // Kubernetes'
}

func subjects(t *testing.T) (list []subject) {
	capabilities.ResetForTest()
	capabilities.Setup(true, 0)
	files, err := filepath.Glob("../core/kinds/*/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	byName := upstreams()
	for _, name := range files {
		group := filepath.Base(filepath.Dir(filepath.Dir(name)))
		inGroup := slices.DeleteFunc(slices.Clone(all.Registry().List()), func(k *kinds.Kind) bool { return groupFolder(k.GVK.Group) != group })
		if len(inGroup) == 0 {
			continue // data of other tests
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := kindtest.Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		kind := kindtest.Kind(f.Resource, inGroup, core.SubresourceStrategies())
		if kind == nil {
			t.Fatalf("%s: no kind %s/%s", name, group, f.Resource)
		}
		u, ok := byName[kind.GVK.Group+"/"+f.Resource]
		if !ok {
			t.Fatalf("%s: no strategy of Kubernetes for %s/%s", name, kind.GVK.Group, f.Resource)
		}
		list = append(list, subject{file: f, kind: kind, theirs: u})
	}
	return list
}

// groupFolder returns the folder of a group's kinds.
func groupFolder(group string) string {
	if group == "" {
		return "core"
	}
	first, _, _ := strings.Cut(group, ".")
	return first
}

func compare(t *testing.T, s subject, c *kindtest.Case) {
	f := s.file
	theirs, want := ask(t, s, *c)
	ours, got, err := kindtest.Run(s.kind, f, *c)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 { // Kubernetes ranges over maps: the order may be ours another time
		if slices.Equal(want, got) {
			break
		}
		theirs, want = ask(t, s, *c)
	}
	if *update {
		c.Want = want
	}
	if diff := cmp.Diff(want, c.Want); diff != "" {
		t.Errorf("%s:%d: the file differs from Kubernetes (-kubernetes +file):\n%s", f.Path, c.Line, diff)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:%d: our answer differs (-kubernetes +ours):\n%s", f.Path, c.Line, diff)
	}
	if slices.ContainsFunc(want, func(s string) bool { return !strings.HasPrefix(s, "! ") }) {
		return // refused: nothing is stored
	}
	if diff := cmp.Diff(stored(t, theirs), stored(t, ours)); diff != "" {
		t.Errorf("%s:%d: the stored object differs (-kubernetes +ours):\n%s", f.Path, c.Line, diff)
	}
}

// ask makes the write of a case in Kubernetes' own code.
func ask(t *testing.T, s subject, c kindtest.Case) (runtime.Object, []string) {
	kind, u := s.kind, s.theirs
	object, old, err := s.file.Objects(c)
	if err != nil {
		t.Fatal(err)
	}
	var said recorder
	ctx := warning.WithWarningRecorder(genericapirequest.NewDefaultContext(), &said)
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		APIGroup: kind.GVK.Group, APIVersion: kind.GVK.Version, Resource: kind.Resource, IsResourceRequest: true,
	})
	obj := internal(t, kind, object)
	var errs field.ErrorList
	var warnings []string
	if c.Op == kindtest.Create {
		u.main.PrepareForCreate(ctx, obj)
		if errs = u.main.Validate(ctx, obj); len(errs) == 0 {
			errs = validation.ValidateObjectMetaAccessor(metaOf(t, obj), u.main.NamespaceScoped(), path.ValidatePathSegmentName, field.NewPath("metadata"))
		}
		if len(errs) == 0 {
			warnings = u.main.WarningsOnCreate(ctx, obj)
		}
		u.main.Canonicalize(obj)
	} else {
		errs, warnings = askUpdate(ctx, u, c.Op, obj, internal(t, kind, old))
	}
	lines := kindtest.Errors(errs)
	if len(errs) == 0 {
		for _, w := range append(said, warnings...) {
			lines = append(lines, "! "+w)
		}
	}
	return external(t, kind, obj), lines
}

func askUpdate(ctx context.Context, u upstream, op kindtest.Op, obj, old runtime.Object) (field.ErrorList, []string) {
	var s updater = u.main
	if op == kindtest.Status {
		s = u.status
	}
	s.PrepareForUpdate(ctx, obj, old)
	m, _ := meta.Accessor(obj)
	was, _ := meta.Accessor(old)
	errs := s.ValidateUpdate(ctx, obj, old)
	if len(errs) == 0 {
		errs = validation.ValidateObjectMetaAccessorUpdate(m, was, field.NewPath("metadata"))
	}
	if len(errs) > 0 {
		return errs, nil
	}
	return nil, s.WarningsOnUpdate(ctx, obj, old)
}

// A recorder collects the warnings that Kubernetes gives on the way.
type recorder []string

func (r *recorder) AddWarning(_, text string) { *r = append(*r, text) }

// internal reads an object into the internal type that Kubernetes works on.
func internal(t *testing.T, kind *kinds.Kind, data []byte) runtime.Object {
	obj, err := kindtest.Decode(kind, data)
	if err != nil {
		t.Fatal(err)
	}
	legacyscheme.Scheme.Default(obj)
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	hub, err := legacyscheme.Scheme.UnsafeConvertToVersion(obj, runtime.InternalGroupVersioner)
	if err != nil {
		t.Fatal(err)
	}
	return hub
}

func external(t *testing.T, kind *kinds.Kind, obj runtime.Object) runtime.Object {
	out, err := legacyscheme.Scheme.ConvertToVersion(obj, kind.GVK.GroupVersion())
	if err != nil {
		t.Fatal(err)
	}
	legacyscheme.Scheme.Default(out)
	return out
}

func metaOf(t *testing.T, obj runtime.Object) metav1.Object {
	m, err := meta.Accessor(obj)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stored returns an object as plain JSON without what the request path sets and without times.
func stored(t *testing.T, obj runtime.Object) map[string]any {
	data, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string]any{}
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	delete(tree, "apiVersion")
	delete(tree, "kind")
	if m, ok := tree["metadata"].(map[string]any); ok {
		delete(m, "generation")
		delete(m, "creationTimestamp")
	}
	clean(tree)
	return tree
}

// clean removes times, and what is empty: Kubernetes treats nil and empty alike.
func clean(node any) bool {
	switch n := node.(type) {
	case map[string]any:
		for k, v := range n {
			if k == "lastTransitionTime" || k == "lastPhaseTransitionTime" || clean(v) {
				delete(n, k)
			}
		}
		return false
	case []any:
		for _, v := range n {
			clean(v)
		}
		return len(n) == 0
	}
	return node == nil
}
