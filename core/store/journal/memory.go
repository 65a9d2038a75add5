package journal

import "slices"

// A Memory is a Backend that keeps bytes in memory, for tests: it can fail, tear and delay writes.
type Memory struct {
	// Snapshot and Records are what is kept.
	Snapshot []byte
	Records  [][]byte

	// Async makes writes wait for Deliver.
	Async bool
	// Err is what the next Fail writes fail with.
	Err  error
	Fail int
	// Lie makes failing writes take effect all the same.
	Lie bool

	waiting []func()
}

var _ Backend = (*Memory)(nil)

// Load implements Backend.
func (m *Memory) Load(done func(snapshot []byte, records [][]byte, err error)) {
	m.do(func() {
		if err := m.fault(); err != nil {
			done(nil, nil, err)
			return
		}
		done(slices.Clone(m.Snapshot), slices.Clone(m.Records), nil)
	})
}

// Append implements Backend.
func (m *Memory) Append(record []byte, done func(error)) {
	m.do(func() {
		err := m.fault()
		if err == nil || m.Lie {
			m.Records = append(m.Records, slices.Clone(record))
		}
		done(err)
	})
}

// Replace implements Backend.
func (m *Memory) Replace(snapshot []byte, done func(error)) {
	m.do(func() {
		err := m.fault()
		if err == nil || m.Lie {
			m.Snapshot, m.Records = slices.Clone(snapshot), nil
		}
		done(err)
	})
}

// Close implements Backend.
func (m *Memory) Close() {}

// Deliver lets the oldest n waiting calls happen. It returns how many there were.
func (m *Memory) Deliver(n int) int {
	n = min(n, len(m.waiting))
	now := m.waiting[:n]
	m.waiting = slices.Clone(m.waiting[n:])
	for _, f := range now {
		f()
	}
	return n
}

// Crash forgets the calls that wait, as if the program had ended.
func (m *Memory) Crash() { m.waiting = nil }

func (m *Memory) do(f func()) {
	if m.Async {
		m.waiting = append(m.waiting, f)
		return
	}
	f()
}

func (m *Memory) fault() error {
	if m.Fail == 0 {
		return nil
	}
	m.Fail--
	return m.Err
}
