package journal

import "terrarium/core/kinds"

// keepKeys bounds the memory that a set keeps when it is emptied.
const keepKeys = 1000

// A keySet is a set of keys in the order they were added.
type keySet struct {
	list []kinds.Key
	has  map[kinds.Key]struct{}
}

func (s *keySet) add(key kinds.Key) {
	if s.has == nil {
		s.has = make(map[kinds.Key]struct{})
	}
	if _, ok := s.has[key]; !ok {
		s.has[key] = struct{}{}
		s.list = append(s.list, key)
	}
}

// take empties the set.
func (s *keySet) take() []kinds.Key {
	list := s.list
	s.list = nil
	if len(s.has) > keepKeys {
		s.has = nil
	}
	clear(s.has)
	return list
}

// putBack adds keys in front.
func (s *keySet) putBack(keys []kinds.Key) {
	later := s.take()
	for _, key := range keys {
		s.add(key)
	}
	for _, key := range later {
		s.add(key)
	}
}
