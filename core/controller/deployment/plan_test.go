package deployment

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func TestFenceposts(t *testing.T) {
	tests := []struct {
		surge, unavailable string
		desired            int32
		wantS, wantU       int32
	}{
		{"0%", "0%", 0, 0, 1},
		{"39%", "39%", 10, 4, 3},
		{"25%", "25%", 2, 1, 0},
		{"0%", "1%", 2, 0, 1},
		{"1%", "25%", 1, 1, 0},
		{"1", "0", 10, 1, 0},
		{"0", "20", 10, 0, 20},
		{"100%", "0", 3, 3, 0},
	}
	for _, tt := range tests {
		s, u := intstr.Parse(tt.surge), intstr.Parse(tt.unavailable)
		gotS, gotU, err := fenceposts(&s, &u, tt.desired)
		if err != nil || gotS != tt.wantS || gotU != tt.wantU {
			t.Errorf("fenceposts(%s, %s, %d): got %d, %d, %v, want %d, %d", tt.surge, tt.unavailable, tt.desired, gotS, gotU, err, tt.wantS, tt.wantU)
		}
	}
	bad := intstr.FromString("many")
	if _, _, err := fenceposts(&bad, &bad, 3); err == nil {
		t.Error("no error for a size that is neither a number nor a percentage")
	}
}

func TestNewSize(t *testing.T) {
	tests := []struct {
		name       string
		strategy   appsv1.DeploymentStrategyType
		n, old, is int32
		surge      string
		want       int32
	}{
		{"can not grow: the rest is already at the most", appsv1.RollingUpdateDeploymentStrategyType, 2, 1, 1, "0", 1},
		{"grows by what there is room for", appsv1.RollingUpdateDeploymentStrategyType, 6, 4, 0, "3", 5},
		{"never beyond what is wanted", appsv1.RollingUpdateDeploymentStrategyType, 6, 0, 4, "3", 6},
		{"all at once", appsv1.RecreateDeploymentStrategyType, 3, 1, 1, "0", 3},
		{"percent, rounded up", appsv1.RollingUpdateDeploymentStrategyType, 10, 10, 0, "25%", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := aDeployment(tt.n, tt.surge, "0")
			d.Spec.Strategy.Type = tt.strategy
			fresh := aSet("new", 2, tt.is, 0)
			if got := newSize(d, []*appsv1.ReplicaSet{aSet("old", 1, tt.old, 0), fresh}, tt.is); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestPlanScale(t *testing.T) {
	tests := []struct {
		name  string
		d     *appsv1.Deployment
		fresh *appsv1.ReplicaSet
		old   []*appsv1.ReplicaSet
		want  []string
	}{
		{"one set up", aDeployment(12, "0", "1"), withMax(aSet("new", 2, 10, 10), 10, 10), nil, []string{"new 10>12"}},
		{"one set down", aDeployment(5, "0", "1"), withMax(aSet("new", 2, 10, 10), 10, 10), nil, []string{"new 10>5"}},
		{"one old set", aDeployment(12, "0", "1"), nil, []*appsv1.ReplicaSet{withMax(aSet("old", 1, 10, 10), 10, 10)}, []string{"old 10>12"}},
		{"nothing active: the fresh one", aDeployment(4, "0", "1"), aSet("new", 3, 0, 0),
			[]*appsv1.ReplicaSet{aSet("a", 1, 0, 0), aSet("b", 2, 0, 0)}, []string{"new 0>4"}},
		{"nothing active, none fresh: the newest", aDeployment(4, "0", "1"), nil,
			[]*appsv1.ReplicaSet{aSet("a", 1, 0, 0), aSet("b", 2, 0, 0)}, []string{"b 0>4"}},
		{"in proportion: 5 and 5 of 10 to 20", aDeployment(20, "0", "1"), withMax(aSet("new", 2, 5, 5), 10, 10),
			[]*appsv1.ReplicaSet{withMax(aSet("old", 1, 5, 5), 10, 10)}, []string{"new 5>10", "old 5>10"}},
		{"in proportion down: older ones first", aDeployment(4, "0", "1"), withMax(aSet("new", 2, 5, 5), 10, 10),
			[]*appsv1.ReplicaSet{withMax(aSet("old", 1, 5, 5), 10, 10)}, []string{"old 5>2", "new 5>2"}},
		{"leftovers go to the largest", aDeployment(50, "0", "1"), withMax(aSet("new", 3, 6, 6), 10, 10),
			[]*appsv1.ReplicaSet{withMax(aSet("old", 1, 3, 3), 10, 10), withMax(aSet("older", 0, 1, 1), 10, 10)},
			[]string{"new 6>30", "old 3>15", "older 1>5"}},
		{"within the surge", aDeployment(15, "3", "2"), withMax(aSet("new", 2, 8, 8), 10, 13),
			[]*appsv1.ReplicaSet{withMax(aSet("old", 1, 5, 5), 10, 13)}, []string{"new 8>11", "old 5>7"}},
		{"to zero", aDeployment(0, "0", "1"), withMax(aSet("new", 2, 2, 2), 5, 5),
			[]*appsv1.ReplicaSet{withMax(aSet("old", 1, 3, 3), 5, 5)}, []string{"old 3>0", "new 2>0"}},
		{"fresh is saturated: the others go", aDeployment(5, "0", "1"), withMax(aSet("new", 2, 5, 5), 5, 5),
			[]*appsv1.ReplicaSet{aSet("old", 1, 2, 2)}, []string{"old 2>0"}},
		{"size noted only", aDeployment(10, "0", "1"), withMax(aSet("new", 2, 5, 5), 9, 10),
			[]*appsv1.ReplicaSet{withMax(aSet("old", 1, 5, 5), 9, 10)}, []string{"old 5>5", "new 5>5"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := text(planScale(tt.d, sets{fresh: tt.fresh, old: tt.old}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlanRolling(t *testing.T) {
	tests := []struct {
		name  string
		d     *appsv1.Deployment
		fresh *appsv1.ReplicaSet
		old   []*appsv1.ReplicaSet
		want  []string
	}{
		{"the fresh set grows first", aDeployment(10, "2", "2"), aSet("new", 2, 0, 0), []*appsv1.ReplicaSet{aSet("old", 1, 10, 10)}, []string{"new 0>2"}},
		{"then the old one shrinks to what must be available", aDeployment(10, "2", "2"), aSet("new", 2, 2, 0),
			[]*appsv1.ReplicaSet{aSet("old", 1, 10, 10)}, []string{"old 10>8"}},
		{"fresh pods that never start stop it", aDeployment(10, "3", "2"), aSet("new", 2, 5, 0), []*appsv1.ReplicaSet{aSet("old", 1, 8, 8)}, nil},
		{"unhealthy old pods go at once", aDeployment(10, "3", "2"), aSet("new", 2, 3, 3),
			[]*appsv1.ReplicaSet{aSet("old", 1, 10, 6)}, []string{"old 10>6", "old 6>5"}},
		{"nothing available to spare: only unhealthy ones go", aDeployment(10, "0", "2"), aSet("new", 2, 0, 0),
			[]*appsv1.ReplicaSet{aSet("old", 1, 10, 8)}, []string{"old 10>8"}},
		{"oldest first", aDeployment(10, "0", "4"), aSet("new", 3, 0, 0),
			[]*appsv1.ReplicaSet{aSet("b", 2, 8, 8), aSet("a", 1, 2, 2)}, []string{"a 2>0", "b 8>6"}},
		{"a set that is still shrinking counts pods that go", aDeployment(10, "3", "2"), aSet("new", 2, 5, 5),
			[]*appsv1.ReplicaSet{aSet("old", 1, 8, 10)}, nil},
		{"too large a fresh set shrinks", aDeployment(3, "1", "1"), aSet("new", 2, 5, 5), nil, []string{"new 5>3"}},
		{"done", aDeployment(3, "1", "1"), aSet("new", 2, 3, 3), []*appsv1.ReplicaSet{aSet("old", 1, 0, 0)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := text(planRolling(tt.d, sets{fresh: tt.fresh, old: tt.old}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlanCleanup(t *testing.T) {
	limit := func(n int32) *appsv1.Deployment {
		d := aDeployment(1, "1", "0")
		d.Spec.RevisionHistoryLimit = &n
		return d
	}
	old := []*appsv1.ReplicaSet{
		withRevision(aSet("c", 1, 0, 0), "3"), withRevision(aSet("a", 2, 0, 0), "1"), withRevision(aSet("b", 3, 0, 0), "2"),
	}
	busy := withRevision(aSet("busy", 0, 1, 1), "1")
	ending := withRevision(aSet("ending", 0, 0, 0), "1")
	now := epoch
	ending.DeletionTimestamp = &now
	behind := withRevision(aSet("behind", 0, 0, 0), "1")
	behind.Generation = 2
	tests := []struct {
		name string
		d    *appsv1.Deployment
		old  []*appsv1.ReplicaSet
		want []string
	}{
		{"within the limit", limit(3), old, nil},
		{"lowest revisions go", limit(1), old, []string{"a", "b"}},
		{"all go", limit(0), old, []string{"a", "b", "c"}},
		{"not one with pods", limit(0), []*appsv1.ReplicaSet{busy}, nil},
		{"one that goes already does not count", limit(3), append(old, ending), nil},
		{"not one whose status is behind", limit(0), []*appsv1.ReplicaSet{behind}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, rs := range planCleanup(tt.d, tt.old) {
				got = append(got, rs.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSortOut(t *testing.T) {
	d := aDeployment(1, "1", "0")
	other, first, second := aSet("old", 1, 1, 1), aSet("x", 2, 1, 1), aSet("y", 3, 1, 1)
	first.Spec.Template, second.Spec.Template = withHash(&d.Spec.Template, "aaa"), withHash(&d.Spec.Template, "bbb")
	current := func(rs *appsv1.ReplicaSet) bool { return equalTemplates(&rs.Spec.Template, &d.Spec.Template) }
	got := sortOut([]*appsv1.ReplicaSet{second, other, first}, current)
	if got.fresh != first {
		t.Errorf("fresh: got %v, want the oldest set of the template", got.fresh)
	}
	if len(got.old) != 2 || got.old[0] != other || got.old[1] != second {
		t.Errorf("old: got %v", got.old)
	}
	if s := sortOut([]*appsv1.ReplicaSet{other}, current); s.fresh != nil || len(s.all()) != 1 {
		t.Errorf("no set of the template: got %v", s)
	}
}

func TestScaled(t *testing.T) {
	d := aDeployment(3, "1", "0")
	for _, tt := range []struct {
		name string
		set  *appsv1.ReplicaSet
		want bool
	}{
		{"same size", withMax(aSet("new", 1, 3, 3), 3, 4), false},
		{"other size", withMax(aSet("new", 1, 3, 3), 2, 3), true},
		{"not noted", aSet("new", 1, 3, 3), false},
		{"not active", withMax(aSet("new", 1, 0, 0), 2, 3), false},
	} {
		if got := (sets{fresh: tt.set}).scaled(d); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
