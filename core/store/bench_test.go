package store_test

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

// BenchmarkCommits creates pods and updates each three times, as a rollout does.
func BenchmarkCommits(b *testing.B) {
	b.ReportAllocs()
	s := store.New(store.Config{})
	commits := 0
	for b.Loop() {
		key := podKey("default", "nginx-deployment-5d59d67564-"+strconv.Itoa(commits))
		p := pod(key, "")
		s.Create(key, p, 0)
		for range 3 {
			next := *p
			next.Status.Phase = corev1.PodRunning
			s.Update(key, &next, 0, 0)
			p = &next
		}
		if commits += 4; commits%4000 == 0 {
			b.StopTimer()
			s = store.New(store.Config{})
			b.StartTimer()
		}
	}
	b.ReportMetric(float64(commits)/b.Elapsed().Seconds(), "commits/s")
}

// BenchmarkWatch pulls a thousand changes through each of five cursors.
func BenchmarkWatch(b *testing.B) {
	s := store.New(store.Config{})
	fill(b, s, 1000, "pods", "default")
	events := 0
	for b.Loop() {
		for range 5 {
			c, err := s.Watch("pods", "", 0, nil)
			if err != nil {
				b.Fatal(err)
			}
			for _, ok, _ := c.Next(); ok; _, ok, _ = c.Next() {
				events++
			}
			c.Close()
		}
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkFanOut commits under fifty idle cursors, all of which are woken and pulled.
func BenchmarkFanOut(b *testing.B) {
	s := store.New(store.Config{})
	key := podKey("default", "a")
	s.Create(key, pod(key, ""), 0)
	var cursors []*store.Cursor
	for range 50 {
		c, err := s.Watch("pods", "", s.Revision(), func() {})
		if err != nil {
			b.Fatal(err)
		}
		cursors = append(cursors, c)
	}
	events := 0
	for b.Loop() {
		s.Update(key, pod(key, ""), 0, 0)
		for _, c := range cursors {
			for _, ok, _ := c.Next(); ok; _, ok, _ = c.Next() {
				events++
			}
		}
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkList(b *testing.B) {
	s := store.New(store.Config{})
	fill(b, s, 1000, "pods", "default")
	fill(b, s, 10000, "events", "default")
	for _, tt := range []struct {
		name string
		list func() int
	}{
		{"live", func() int { objs, _ := s.List("pods", "default"); return len(objs) }},
		{"past", func() int { objs, _, _ := s.ListAt("pods", "default", 1000, kinds.Key{}, 0); return len(objs) }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			objects := 0
			for b.Loop() {
				objects += tt.list()
			}
			b.ReportMetric(float64(objects)/b.Elapsed().Seconds(), "objects/s")
		})
	}
}
