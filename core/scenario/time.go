package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"rsc.io/script"

	"terrarium/core/cluster"
)

// times are the commands about time.
func (s *Session) times() map[string]script.Cmd {
	return map[string]script.Cmd{
		"advance": s.command("duration", "let virtual time pass", func(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
			if len(args) != 1 {
				return "", usage(nil)
			}
			d, err := time.ParseDuration(args[0])
			if err == nil {
				c.Loop.Run(c.Now().Add(d))
			}
			return "", err
		}),
		"wait": s.command("duration kind/name path value | duration kind/name gone | duration count kind [-l sel] n",
			"let virtual time pass until something is so, at most the duration", s.wait),
		"now": s.command("", "print the seconds of virtual time since the beginning", func(_ *script.State, c *cluster.Cluster, _ []string) (string, error) {
			return fmt.Sprintf("%.3f\n", c.Now().Sub(cluster.Epoch()).Seconds()), nil
		}),
		"always": s.command("pods|ready selector <=|>= n | off",
			"from now on, at every revision, the number of active (or ready) pods is within a bound", func(_ *script.State, _ *cluster.Cluster, args []string) (string, error) {
				switch {
				case len(args) == 1 && args[0] == "off":
					s.dropRules()
					return "", nil
				case len(args) == 4:
					return "", s.addRule(args)
				}
				return "", usage(nil)
			}),
		"trace-hash": s.command("", "print the hash of all that happened", func(_ *script.State, c *cluster.Cluster, _ []string) (string, error) {
			return c.Trace.Hash() + "\n", nil
		}),
	}
}

// until runs tasks until holds, which is asked again after each change of the store; it reports false when
// the limit passed first.
func until(c *cluster.Cluster, limit time.Duration, holds func() bool) bool {
	end := c.Now().Add(limit)
	for rev := c.Store.Revision(); ; {
		if holds() {
			return true
		}
		for c.Store.Revision() == rev {
			if _, ok := c.Loop.Step(end); !ok {
				c.Loop.AdvanceTo(end)
				return holds()
			}
		}
		rev = c.Store.Revision()
	}
}

func (s *Session) wait(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	opts, rest, err := parse(args)
	if err != nil || len(rest) < 3 {
		return "", usage(err)
	}
	limit, err := time.ParseDuration(rest[0])
	if err != nil {
		return "", err
	}
	holds, state, err := waitCondition(c, opts, rest[1:])
	if err != nil {
		return "", err
	}
	if !until(c, limit, holds) {
		return "", errors.New("after " + rest[0] + ": " + state())
	}
	return "", nil
}

// waitCondition returns what to wait for, and how to say what there is instead.
func waitCondition(c *cluster.Cluster, opts options, args []string) (holds func() bool, state func() string, err error) {
	if args[0] == "count" {
		t, err := find(c, opts, args[1])
		if err != nil {
			return nil, nil, err
		}
		want, err := strconv.Atoi(args[len(args)-1])
		count := func() int { objs, _ := t.list(c); return len(objs) }
		return func() bool { return count() == want }, func() string { return fmt.Sprintf("there are %d %s", count(), args[1]) }, err
	}
	t, err := find(c, opts, args[0])
	if err != nil {
		return nil, nil, err
	}
	if args[1] == "gone" {
		gone := func() bool { _, err := t.get(c); return apierrors.IsNotFound(err) }
		return gone, func() string { return args[0] + " is still there" }, nil
	}
	if len(args) != 3 {
		return nil, nil, usage(nil)
	}
	read := func() string {
		values, _ := fields(c, t, args[1])
		return strings.Join(values, " ")
	}
	_, err = steps(args[1])
	return func() bool { return read() == args[2] }, func() string { return args[0] + " has " + args[1] + " " + strconv.Quote(read()) }, err
}
