package image

import (
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/loop"
)

// maxReported is how many images a node's status lists.
const maxReported = 50

// A Pulled is the outcome of a pull.
type Pulled struct {
	Image Image
	Err   error
	Took  time.Duration // of the pull itself
}

// A Store holds the images of one node and pulls what is missing.
//
// Differs: pods that want an image which is being pulled wait for that pull; upstream's kubelet pulls it
// again, one after the other.
type Store struct {
	loop      *loop.Loop
	catalogue *Catalogue
	takes     loop.Range
	luck      *rand.Rand

	present map[string]Image // by full reference
	pulling map[string]*pull
	version int // changes with present
}

type pull struct {
	started time.Time
	waiting []func(Pulled)
	timer   *loop.Timer
}

// NewStore returns the empty image store of a node; a pull takes what is drawn from takes.
func NewStore(l *loop.Loop, c *Catalogue, takes loop.Range, luck *rand.Rand) *Store {
	return &Store{loop: l, catalogue: c, takes: takes, luck: luck, present: make(map[string]Image), pulling: make(map[string]*pull)}
}

// Find returns the image if it is on the node.
func (s *Store) Find(name string) (Image, bool) {
	ref, err := Parse(name)
	if err != nil {
		return Image{}, false
	}
	img, ok := s.present[ref.String()]
	return img, ok
}

// Restore puts an image on the node that was there before.
func (s *Store) Restore(name string) {
	if img, err := s.catalogue.Find(name); err == nil {
		s.add(img)
	}
}

// Pull fetches an image and calls done, later, with the outcome.
func (s *Store) Pull(name string, done func(Pulled)) {
	key := name
	if ref, err := Parse(name); err == nil {
		key = ref.String()
	}
	if p := s.pulling[key]; p != nil {
		p.waiting = append(p.waiting, done)
		return
	}
	p := &pull{started: s.loop.Now(), waiting: []func(Pulled){done}}
	s.pulling[key] = p
	img, err := s.catalogue.Find(name)
	d := s.takes.Draw(s.luck)
	if err != nil || s.has(key) {
		d /= 4 // only the registry is asked
	}
	p.timer = s.loop.After(d, loop.Label{Component: "kubelet", Action: "image pull ends", Object: name}, func() {
		delete(s.pulling, key)
		if err == nil {
			s.add(img)
		}
		for _, f := range p.waiting {
			f(Pulled{img, err, s.loop.Now().Sub(p.started)})
		}
	})
}

func (s *Store) has(key string) bool { _, ok := s.present[key]; return ok }

func (s *Store) add(img Image) {
	if key := img.Reference.String(); !s.has(key) {
		s.present[key] = img
		s.version++
	}
}

// Stop ends every pull without a word, as when the machine loses power. Images stay.
func (s *Store) Stop() {
	for _, p := range s.pulling { // any order: stopping a timer is silent
		p.timer.Stop()
	}
	clear(s.pulling)
}

// Version changes whenever the images on the node do.
func (s *Store) Version() int { return s.version }

// Report lists the images as a node's status does, the largest first.
func (s *Store) Report() []corev1.ContainerImage {
	out := make([]corev1.ContainerImage, 0, len(s.present))
	for name, img := range s.present {
		out = append(out, corev1.ContainerImage{Names: []string{img.ID(), name}, SizeBytes: img.Size})
	}
	slices.SortFunc(out, func(a, b corev1.ContainerImage) int {
		if a.SizeBytes != b.SizeBytes {
			return int(b.SizeBytes - a.SizeBytes)
		}
		return slices.Compare(a.Names, b.Names)
	})
	return out[:min(len(out), maxReported)]
}
