package scenario

import (
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"terrarium/core/cluster"
	"terrarium/core/controller/pods"
	"terrarium/core/store"
)

// A rule holds at every revision, or the script fails.
type rule struct {
	text     string
	count    func(*corev1.Pod) bool
	holds    func(n int) bool
	counted  map[string]bool // by namespace/name
	selector labels.Selector
	worst    string
}

// measures are what a rule may count.
func measure(name string) (func(*corev1.Pod) bool, error) {
	switch name {
	case "pods": // that are not being deleted and have not ended
		return pods.Active, nil
	case "ready":
		return func(p *corev1.Pod) bool { return pods.Active(p) && pods.Ready(p) }, nil
	}
	return nil, fmt.Errorf("cannot count %q: want pods or ready", name)
}

func comparison(op, text string) (func(int) bool, error) {
	want, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	switch op {
	case "<=":
		return func(n int) bool { return n <= want }, nil
	case ">=":
		return func(n int) bool { return n >= want }, nil
	}
	return nil, fmt.Errorf("cannot compare by %q: want <= or >=", op)
}

// addRule makes a rule of "ready app=web >= 3" and counts what is there already.
func (s *Session) addRule(args []string) error {
	count, err := measure(args[0])
	if err != nil {
		return err
	}
	sel, err := labels.Parse(args[1])
	if err != nil {
		return err
	}
	holds, err := comparison(args[2], args[3])
	if err != nil {
		return err
	}
	r := &rule{text: fmt.Sprintf("%s of %s %s %s", args[0], args[1], args[2], args[3]), count: count, holds: holds, selector: sel, counted: map[string]bool{}}
	all, _, err := s.cluster.Client.Pods().List("", sel)
	if err != nil {
		return err
	}
	for _, p := range all {
		if count(p) {
			r.counted[p.Namespace+"/"+p.Name] = true
		}
	}
	if n := len(r.counted); !holds(n) {
		return fmt.Errorf("%s does not hold to begin with: it is %d", r.text, n)
	}
	s.rules = append(s.rules, r)
	return nil
}

// committed keeps the rules' counts; it is called inside each commit.
func (s *Session) committed(ev store.Event) {
	pod, ok := ev.Object.(*corev1.Pod)
	if !ok || len(s.rules) == 0 {
		return
	}
	for _, r := range s.rules {
		key := pod.Namespace + "/" + pod.Name
		if ev.Type != store.Deleted && r.selector.Matches(labels.Set(pod.Labels)) && r.count(pod) {
			r.counted[key] = true
		} else {
			delete(r.counted, key)
		}
		if n := len(r.counted); !r.holds(n) && r.worst == "" {
			r.worst = fmt.Sprintf("at revision %d, %s, %s was broken: it was %d (%s)", ev.Revision, s.since(), r.text, n, pod.Name)
			s.broken = append(s.broken, r.worst)
		}
	}
}

func (s *Session) since() string {
	return "second " + strconv.FormatFloat(s.cluster.Now().Sub(cluster.Epoch()).Seconds(), 'f', 3, 64)
}

func (s *Session) dropRules() { s.rules = slices.Delete(s.rules, 0, len(s.rules)) }
