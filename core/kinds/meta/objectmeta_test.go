package meta

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
)

// edits are what may be odd about metadata, each by itself.
var edits = map[string]func(*metav1.ObjectMeta){
	"good":                  func(*metav1.ObjectMeta) {},
	"no name":               func(m *metav1.ObjectMeta) { m.Name = "" },
	"a name with capitals":  func(m *metav1.ObjectMeta) { m.Name = "Web" },
	"a long name":           func(m *metav1.ObjectMeta) { m.Name = strings.Repeat("a", 254) },
	"a prefix with a dash":  func(m *metav1.ObjectMeta) { m.GenerateName = "web-" },
	"a bad prefix":          func(m *metav1.ObjectMeta) { m.GenerateName = "web_" },
	"no namespace":          func(m *metav1.ObjectMeta) { m.Namespace = "" },
	"a bad namespace":       func(m *metav1.ObjectMeta) { m.Namespace = "a.b" },
	"a bad label":           func(m *metav1.ObjectMeta) { m.Labels = map[string]string{"a b": "c d"} },
	"a bad annotation":      func(m *metav1.ObjectMeta) { m.Annotations = map[string]string{"a b": "c d"} },
	"an annotation in caps": func(m *metav1.ObjectMeta) { m.Annotations = map[string]string{"Example.com/A": ""} },
	"large annotations":     func(m *metav1.ObjectMeta) { m.Annotations = map[string]string{"a": strings.Repeat("x", 262144)} },
	"a negative generation": func(m *metav1.ObjectMeta) { m.Generation = -1 },
	"a finalizer":           func(m *metav1.ObjectMeta) { m.Finalizers = []string{"example.com/x"} },
	"a bad finalizer":       func(m *metav1.ObjectMeta) { m.Finalizers = []string{"a/b c"} },
	"both propagations":     func(m *metav1.ObjectMeta) { m.Finalizers = []string{"orphan", "foregroundDeletion"} },
	"another UID":           func(m *metav1.ObjectMeta) { m.UID = "other" },
	"another name":          func(m *metav1.ObjectMeta) { m.Name = "other" },
	"another namespace":     func(m *metav1.ObjectMeta) { m.Namespace = "other" },
	"another creation":      func(m *metav1.ObjectMeta) { m.CreationTimestamp.Time = m.CreationTimestamp.Add(time.Hour) },
	"a deletion":            func(m *metav1.ObjectMeta) { m.DeletionTimestamp = &m.CreationTimestamp },
	"a grace period":        func(m *metav1.ObjectMeta) { m.DeletionGracePeriodSeconds = ptr.To[int64](1) },
	"no version":            func(m *metav1.ObjectMeta) { m.ResourceVersion = "" },
	"an owner": func(m *metav1.ObjectMeta) {
		m.OwnerReferences = []metav1.OwnerReference{owner("apps/v1", "ReplicaSet", "a", "u")}
	},
	"an owner without parts": func(m *metav1.ObjectMeta) { m.OwnerReferences = []metav1.OwnerReference{{}} },
	"an odd owner":           func(m *metav1.ObjectMeta) { m.OwnerReferences = []metav1.OwnerReference{owner("a/b/c", "x", "a", "u")} },
	"an owner of no version": func(m *metav1.ObjectMeta) { m.OwnerReferences = []metav1.OwnerReference{owner("apps/", "x", "a", "u")} },
	"an event as owner": func(m *metav1.ObjectMeta) {
		m.OwnerReferences = []metav1.OwnerReference{owner("v1", "Event", "a", "u")}
	},
	"two controllers": func(m *metav1.ObjectMeta) {
		m.OwnerReferences = []metav1.OwnerReference{owner("v1", "A", "a", "u"), owner("v1", "B", "b", "v")}
	},
	"managed fields": func(m *metav1.ObjectMeta) {
		m.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "a", Operation: "Apply", FieldsType: "FieldsV1"}}
	},
	"bad managed fields": func(m *metav1.ObjectMeta) {
		m.ManagedFields = []metav1.ManagedFieldsEntry{{Operation: "Guess", FieldsType: "Other", Manager: "\x00"}}
	},
}

func owner(version, kind, name string, uid types.UID) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: version, Kind: kind, Name: name, UID: uid, Controller: ptr.To(true)}
}

func base() *metav1.ObjectMeta {
	return &metav1.ObjectMeta{
		Name: "web", Namespace: "default", UID: "u", ResourceVersion: "1", Generation: 1,
		CreationTimestamp: metav1.Unix(1700000000, 0), Labels: map[string]string{"app": "web"},
	}
}

// TestAgrees asks apimachinery, which upstream asks, about the same metadata.
func TestAgrees(t *testing.T) {
	at := field.NewPath("metadata")
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			m := base()
			edit(m)
			same(t, "create", ValidateObjectMeta(m, true, nil), apivalidation.ValidateObjectMeta(m, true, apivalidation.NameIsDNSSubdomain, at))
			same(t, "create in no namespace", ValidateObjectMeta(m, false, nil), apivalidation.ValidateObjectMeta(m, false, apivalidation.NameIsDNSSubdomain, at))
			same(t, "update", ValidateObjectMetaUpdate(m, base()), apivalidation.ValidateObjectMetaUpdate(m, base(), at))
			deleted := base()
			deleted.DeletionTimestamp = &deleted.CreationTimestamp
			same(t, "update of what is deleted", ValidateObjectMetaUpdate(m, deleted), apivalidation.ValidateObjectMetaUpdate(m, deleted, at))
		})
	}
}

// TestAgreesOnRandom makes several edits at once.
func TestAgreesOnRandom(t *testing.T) {
	names := slices.Sorted(maps.Keys(edits))
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	for range 300 {
		m, old := base(), base()
		for range 3 {
			edits[names[r.IntN(len(names))]](m)
			if r.IntN(3) == 0 {
				edits[names[r.IntN(len(names))]](old)
			}
		}
		at := field.NewPath("metadata")
		same(t, "create", ValidateObjectMeta(m, true, nil), apivalidation.ValidateObjectMeta(m, true, apivalidation.NameIsDNSSubdomain, at))
		same(t, "update", ValidateObjectMetaUpdate(m, old), apivalidation.ValidateObjectMetaUpdate(m, old, at))
	}
}

func same(t *testing.T, what string, got, want field.ErrorList) {
	t.Helper()
	if text(got) != text(want) {
		t.Errorf("%s:\n got %s\nwant %s", what, text(got), text(want))
	}
}

func text(errs field.ErrorList) string {
	if len(errs) == 0 {
		return ""
	}
	return errs.ToAggregate().Error()
}

// Kubernetes' own objects may have only its own short finalizers.
func TestFinalizerNames(t *testing.T) {
	m := base()
	m.Finalizers = []string{"kubernetes", "example.com/x", "short"}
	want := `metadata.finalizers[2]: Invalid value: "short": name is neither a standard finalizer name nor is it fully qualified`
	if got := text(ValidateObjectMeta(m, true, nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkValidateObjectMeta(b *testing.B) {
	m := base()
	edits["an owner"](m)
	b.ReportAllocs()
	for b.Loop() {
		if errs := ValidateObjectMeta(m, true, nil); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}
