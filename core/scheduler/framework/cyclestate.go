package framework

// A CycleState carries what plugins work out for one pod from one extension point to the next.
type CycleState struct {
	data       []StateData
	skipFilter uint64 // by position in Framework.filter
	skipScore  uint64
}

// StateData is what a plugin keeps in a CycleState. Clone is called before preemption tries something
// out; data that AddPod and RemovePod do not change may return itself.
type StateData interface{ Clone() StateData }

// NewCycleState returns an empty state.
func NewCycleState() *CycleState { return &CycleState{} }

// Reset empties the state for the next pod.
func (c *CycleState) Reset() {
	clear(c.data)
	c.skipFilter, c.skipScore = 0, 0
}

// Clone returns a copy to try things on.
func (c *CycleState) Clone() *CycleState {
	next := *c
	next.data = make([]StateData, len(c.data))
	for i, d := range c.data {
		if d != nil {
			next.data[i] = d.Clone()
		}
	}
	return &next
}

// Slots numbers the places in the CycleStates of one scheduler.
type Slots struct{ used int }

// A Slot is a place for data of one type in every CycleState.
type Slot[T StateData] struct{ at int }

// NewSlot takes the next free place.
func NewSlot[T StateData](s *Slots) Slot[T] {
	s.used++
	return Slot[T]{s.used - 1}
}

// Set puts d in the slot.
func (s Slot[T]) Set(c *CycleState, d T) {
	for len(c.data) <= s.at {
		c.data = append(c.data, nil)
	}
	c.data[s.at] = d
}

// Get returns what is in the slot.
func (s Slot[T]) Get(c *CycleState) (d T, ok bool) {
	if s.at >= len(c.data) {
		return d, false
	}
	d, ok = c.data[s.at].(T)
	return d, ok
}
