package owner

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

var setKind = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ReplicaSet"}

func owned(name, app string, controller types.UID) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "a", UID: types.UID(name), Labels: map[string]string{"app": app}}}
	if controller != "" {
		yes := true
		p.OwnerReferences = []metav1.OwnerReference{{UID: controller, Controller: &yes}}
	}
	return p
}

func TestClaim(t *testing.T) {
	set := &metav1.ObjectMeta{Name: "set", Namespace: "a", UID: "set"}
	ending := &metav1.ObjectMeta{Name: "set", Namespace: "a", UID: "set", DeletionTimestamp: &metav1.Time{}}
	gone := apierrors.NewNotFound(schema.GroupResource{Resource: "pods"}, "p")
	going := owned("going", "web", "")
	going.DeletionTimestamp = &metav1.Time{}
	far := owned("far", "web", "")
	far.Namespace = "b"
	tests := []struct {
		name      string
		owner     *metav1.ObjectMeta
		pod       *corev1.Pod
		live      *metav1.ObjectMeta
		patchErr  error
		wantOwned bool
		wantPatch string
		wantErr   bool
	}{
		{"keeps its own", set, owned("p", "web", "set"), set, nil, true, "", false},
		{"leaves another's", set, owned("p", "web", "other"), set, nil, false, "", false},
		{"adopts", set, owned("p", "web", ""), set, nil, true,
			`{"metadata":{"uid":"p","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"set","uid":"set","controller":true,"blockOwnerDeletion":true}]}}`, false},
		{"leaves what it does not select", set, owned("p", "db", ""), set, nil, false, "", false},
		{"leaves what is being deleted", set, going, set, nil, false, "", false},
		{"leaves other namespaces", set, far, set, nil, false, "", false},
		{"releases", set, owned("p", "db", "set"), set, nil, false,
			`{"metadata":{"uid":"p","ownerReferences":[{"$patch":"delete","uid":"set"}]}}`, false},
		{"a pod that is gone is no error", set, owned("p", "web", ""), set, gone, false, "-", false},
		{"nor is a release that comes too late", set, owned("p", "db", "set"), set, gone, false, "-", false},
		{"another error is one", set, owned("p", "web", ""), set, errors.New("no"), false, "-", true},
		{"does not adopt once it is being deleted live", set, owned("p", "web", ""), ending, nil, false, "", true},
		{"nor when it is another by now", set, owned("p", "web", ""), &metav1.ObjectMeta{Name: "set", UID: "new"}, nil, false, "", true},
		{"being deleted it keeps", ending, owned("p", "web", "set"), set, nil, true, "", false},
		{"but neither adopts", ending, owned("p", "web", ""), set, nil, false, "", false},
		{"nor releases", ending, owned("p", "db", "set"), set, nil, false, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			patched := ""
			claim := Claim[*corev1.Pod]{
				Owner: tt.owner, Kind: setKind, Selector: labels.SelectorFromSet(labels.Set{"app": "web"}),
				Live:  func() (metav1.Object, error) { return tt.live, nil },
				Patch: func(_ *corev1.Pod, patch []byte) error { patched = string(patch); return tt.patchErr },
			}
			got, err := claim.Run([]*corev1.Pod{tt.pod})
			if (err != nil) != tt.wantErr || (len(got) == 1) != tt.wantOwned {
				t.Errorf("got %d owned, error %v; want owned %v, error %v", len(got), err, tt.wantOwned, tt.wantErr)
			}
			if tt.wantPatch != "-" {
				if diff := cmp.Diff(tt.wantPatch, patched); diff != "" {
					t.Errorf("patch (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestClaimAsksOnce(t *testing.T) {
	asked := 0
	claim := Claim[*corev1.Pod]{
		Owner: &metav1.ObjectMeta{Name: "set", Namespace: "a", UID: "set"}, Kind: setKind, Selector: labels.Everything(),
		Live:  func() (metav1.Object, error) { asked++; return nil, errors.New("the API is away") },
		Patch: func(*corev1.Pod, []byte) error { t.Error("adopted without leave"); return nil },
	}
	if _, err := claim.Run([]*corev1.Pod{owned("p", "web", ""), owned("q", "web", "")}); err == nil || asked != 1 {
		t.Errorf("asked %d times, error %v; want once and an error", asked, err)
	}
}
