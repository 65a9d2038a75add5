package wire

// MaxSpeed is the Speed of a clock that runs as fast as the machine can.
const MaxSpeed = 0

// A Status is the state of the cluster's clock and of what is kept.
type Status struct {
	Saved   string // "saved", "saving", "not-saved"
	Message string // what is wrong when not saved

	Now    int64 // virtual, milliseconds since 1970
	Speed  int64 // thousandths: 1000 is real time; or MaxSpeed
	Paused bool

	NextComponent string // of the next task that waits; empty: none
	NextAction    string
	NextObject    string
	NextAt        int64
}

// Status writes a status.
func (e *Encoder) Status(s *Status) []byte {
	e.begin()
	e.word(s.Saved)
	e.word(s.Message)
	e.int(s.Now)
	e.int(s.Speed)
	e.bool(s.Paused)
	e.word(s.NextComponent)
	e.word(s.NextAction)
	e.word(s.NextObject)
	e.int(s.NextAt)
	return e.buf
}

// Status reads a status.
func (d *Decoder) Status(data []byte) (*Status, error) {
	d.begin(data)
	s := &Status{Saved: d.word(), Message: d.word(), Now: d.int(), Speed: d.int(), Paused: d.bool()}
	s.NextComponent, s.NextAction, s.NextObject, s.NextAt = d.word(), d.word(), d.word(), d.int()
	return s, d.end()
}
