package check

import "slices"

// A Set tells names that were seen before. Up to eight it costs no allocation.
type Set struct {
	few  [8]string
	n    int
	many map[string]struct{}
}

// Add puts s into the set and reports whether it was new.
func (s *Set) Add(name string) bool {
	if s.Has(name) {
		return false
	}
	switch {
	case s.n < len(s.few):
		s.few[s.n] = name
		s.n++
	case s.many == nil:
		s.many = map[string]struct{}{name: {}}
	default:
		s.many[name] = struct{}{}
	}
	return true
}

// Has reports whether s was added.
func (s *Set) Has(name string) bool {
	if slices.Contains(s.few[:s.n], name) {
		return true
	}
	_, ok := s.many[name]
	return ok
}
