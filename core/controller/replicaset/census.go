package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/controller/pods"
)

// traits are what a ReplicaSet's status needs to know of one pod that it controls.
type traits uint8

const (
	isActive  traits = 1 << iota
	isReady          // and active
	isLabeled        // and active: has all labels of the template
	isEnding         // terminating
	isStray          // would be active, but does not match the selector (any more)
)

// A census counts the pods that one ReplicaSet controls, by trait. It remembers what it counted each pod
// as, so it can be told of a pod in any state any number of times.
//
//	a pod becomes ready:  of[uid]  isActive|isLabeled  ->  isActive|isLabeled|isReady
//	                      ready    41                  ->  42
type census struct {
	selector labels.Selector
	labels   map[string]string // of the template
	template labels.Selector   // the same

	of                                    map[types.UID]traits
	active, ready, labeled, ending, stray int32
}

// newCensus counts the pods given, all of which rs controls.
func newCensus(rs *appsv1.ReplicaSet, list []*corev1.Pod) (*census, error) {
	sel, err := metav1.LabelSelectorAsSelector(rs.Spec.Selector)
	if err != nil {
		return nil, err
	}
	c := &census{
		selector: sel, labels: rs.Spec.Template.Labels, template: labels.SelectorFromValidatedSet(rs.Spec.Template.Labels),
		of: make(map[types.UID]traits, len(list)),
	}
	for _, p := range list {
		c.count(p)
	}
	return c, nil
}

// count notes the pod's state and reports whether that changed the numbers.
func (c *census) count(p *corev1.Pod) bool {
	t := c.traits(p)
	before, known := c.of[p.UID]
	if known && before == t {
		return false
	}
	c.of[p.UID] = t
	c.add(before, -1)
	c.add(t, 1)
	return true
}

// drop forgets a pod that is gone or has another controller, and reports whether that changed the numbers.
func (c *census) drop(uid types.UID) bool {
	before, known := c.of[uid]
	delete(c.of, uid)
	c.add(before, -1)
	return known
}

func (c *census) add(t traits, n int32) {
	if t&isActive != 0 {
		c.active += n
	}
	if t&isReady != 0 {
		c.ready += n
	}
	if t&isLabeled != 0 {
		c.labeled += n
	}
	if t&isEnding != 0 {
		c.ending += n
	}
	if t&isStray != 0 {
		c.stray += n
	}
}

func (c *census) traits(p *corev1.Pod) (t traits) {
	active := pods.Active(p)
	if !active && !pods.Terminating(p) {
		return 0
	}
	set := labels.Set(p.Labels)
	switch matches := c.selector.Matches(set); {
	case !matches && active:
		return isStray
	case !matches:
		return 0
	case !active:
		return isEnding
	}
	t = isActive
	if pods.Ready(p) {
		t |= isReady
	}
	if c.template.Matches(set) {
		t |= isLabeled
	}
	return t
}
