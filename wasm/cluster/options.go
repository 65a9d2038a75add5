package main

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"time"

	"terrarium/core/cluster"
)

// Options are what a page's address may ask of a new cluster. One that is restored keeps what it has,
// but for speed and pause.
type options struct {
	config cluster.Config
	speed  float64 // 0: as the clock begins
	paused bool
}

// parseOptions reads ?seed=N&start=RFC3339&nodes=N&profile=instant&speed=X|max&paused=1.
func parseOptions(query string) (options, error) {
	o := options{config: cluster.Config{Nodes: 3}}
	if len(query) > 0 && query[0] == '?' {
		query = query[1:]
	}
	q, err := url.ParseQuery(query)
	if err != nil {
		return o, err
	}
	for _, read := range []func(url.Values) error{o.readSeed, o.readStart, o.readNodes, o.readProfile, o.readSpeed} {
		if err := read(q); err != nil {
			return o, err
		}
	}
	o.paused = q.Get("paused") == "1"
	return o, nil
}

func (o *options) readSeed(q url.Values) (err error) {
	if v := q.Get("seed"); v != "" {
		if o.config.Seed, err = strconv.ParseUint(v, 10, 64); err != nil {
			return fmt.Errorf("seed %q is not a number", v)
		}
		return nil
	}
	o.config.Seed = uint64(time.Now().UnixNano())
	return nil
}

func (o *options) readStart(q url.Values) (err error) {
	v := q.Get("start")
	if v == "" {
		o.config.Start = time.Now().UTC().Truncate(time.Second)
		return nil
	}
	if o.config.Start, err = time.Parse(time.RFC3339, v); err != nil {
		return fmt.Errorf("start %q is not a time like 2026-01-01T00:00:00Z", v)
	}
	return nil
}

func (o *options) readNodes(q url.Values) error {
	v := q.Get("nodes")
	if v == "" {
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > 5000 {
		return fmt.Errorf("nodes %q is not a number from 0 to 5000", v)
	}
	o.config.Nodes = n
	return nil
}

func (o *options) readProfile(q url.Values) error {
	switch v := q.Get("profile"); v {
	case "", "realistic":
		o.config.Profile = cluster.Realistic()
	case "instant":
		o.config.Profile = cluster.Instant()
	default:
		return fmt.Errorf("profile %q is neither realistic nor instant", v)
	}
	return nil
}

func (o *options) readSpeed(q url.Values) (err error) {
	switch v := q.Get("speed"); v {
	case "":
	case "max":
		o.speed = math.Inf(1)
	default:
		if o.speed, err = strconv.ParseFloat(v, 64); err != nil {
			return fmt.Errorf("speed %q is neither a number nor max", v)
		}
	}
	return nil
}
