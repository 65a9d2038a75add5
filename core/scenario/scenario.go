// Package scenario runs scripts against a cluster: what a person would type, with virtual time.
//
// A script is a txtar file: commands in its comment, one a line, and the files they use. The language is
// rsc.io/script's (! for "must fail", stdout, cmp, grep, ...); the commands on clusters are in verbs.go,
// look.go, time.go and nodes.go, and `help` lists them.
//
//	apply web.yaml
//	wait 30s deployment/web '.status.availableReplicas' 2
//	stop-node node-1
//	advance 6m
//	events pod
//	stdout TaintManagerEviction
//	-- web.yaml --
//	...
//
// It promises: a script with the same seed has the same history each time; `trace-hash` shows it.
package scenario

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"rsc.io/script"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"terrarium/core/client"
	"terrarium/core/cluster"
	"terrarium/core/kinds"
)

// A Session is one script's cluster.
type Session struct {
	cfg     cluster.Config
	cluster *cluster.Cluster
	rules   []*rule
	broken  []string // rules that were broken, as a person reads it
}

// New returns a session whose cluster is built from cfg when the script first needs it.
func New(cfg cluster.Config) *Session { return &Session{cfg: cfg} }

// settle is how long a new cluster runs before a script sees it: its nodes have joined by then.
const settle = 15 * time.Second

// start builds the cluster, if there is none yet.
func (s *Session) start() (*cluster.Cluster, error) {
	if s.cluster != nil {
		return s.cluster, nil
	}
	s.cluster = cluster.New(s.cfg)
	s.cluster.OnCommit(s.committed)
	if err := s.cluster.Start(); err != nil {
		return nil, err
	}
	s.cluster.Loop.Run(s.cluster.Now().Add(settle))
	return s.cluster, nil
}

// Engine returns the script engine with the session's commands.
func (s *Session) Engine() *script.Engine {
	cmds := script.DefaultCmds()
	for _, name := range []string{"exec", "sleep", "wait", "cd", "chmod", "mkdir", "symlink"} {
		delete(cmds, name) // a script has no time but the cluster's, and no machine but its nodes
	}
	cmds["save"] = script.Command(script.CmdUsage{Summary: "set a variable to what the last command printed", Args: "name"}, save)
	for _, group := range []map[string]script.Cmd{s.verbs(), s.rolloutVerbs(), s.looks(), s.times(), s.nodes()} {
		maps.Copy(cmds, group)
	}
	return &script.Engine{Cmds: cmds, Conds: script.DefaultConds()}
}

func save(st *script.State, args ...string) (script.WaitFunc, error) {
	if len(args) != 1 {
		return nil, usage(nil)
	}
	return nil, st.Setenv(args[0], strings.TrimSpace(st.Stdout()))
}

// command wraps a function that returns what it prints. It gets the arguments as they stand.
func (s *Session) command(args, summary string, run func(st *script.State, c *cluster.Cluster, args []string) (string, error)) script.Cmd {
	return script.Command(script.CmdUsage{Summary: summary, Args: args}, func(st *script.State, args ...string) (script.WaitFunc, error) {
		c, err := s.start()
		if err != nil {
			return nil, err
		}
		out, err := run(st, c, args)
		if err == nil && len(s.broken) > 0 {
			err = errors.New(s.broken[0])
		}
		return func(*script.State) (string, string, error) { return out, errorText(err), err }, nil
	})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error() + "\n"
}

// act runs fn as a request of the administrator.
func act(c *cluster.Cluster, about kinds.Key, fn func() error) (err error) {
	c.As(cluster.Admin, about, func() { err = fn() })
	return err
}

// A target is one object, or those of a kind that a selector chooses.
type target struct {
	kind            *kinds.Kind
	namespace, name string
	selector        labels.Selector
}

func (t target) key() kinds.Key { return t.kind.Key(t.namespace, t.name) }

func (t target) api(c *cluster.Cluster) client.Resource[kinds.Object] {
	return client.Any(c.Client, t.kind)
}

func (t target) get(c *cluster.Cluster) (kinds.Object, error) {
	return t.api(c).Get(t.namespace, t.name)
}

// list returns the objects meant, in order of namespace and name.
func (t target) list(c *cluster.Cluster) ([]kinds.Object, error) {
	if t.name != "" {
		obj, err := t.get(c)
		if err != nil {
			return nil, err
		}
		return []kinds.Object{obj}, nil
	}
	objs, _, err := t.api(c).List(t.namespace, t.selector)
	return objs, err
}

// find reads "kind/name", or "kind" for all that opts selects; the name @N is that of the Nth of those.
func find(c *cluster.Cluster, opts options, what string) (target, error) {
	kindName, name := cut(what, '/')
	kind := c.Kinds.ByName(kindName)
	if kind == nil {
		return target{}, fmt.Errorf("the server doesn't have a resource type %q", kindName)
	}
	t := target{kind: kind, name: name}
	if kind.Namespaced && !opts.all {
		t.namespace = corev1.NamespaceDefault
		if opts.namespace != "" {
			t.namespace = opts.namespace
		}
	}
	if opts.selector != "" {
		sel, err := labels.Parse(opts.selector)
		if err != nil {
			return target{}, err
		}
		t.selector = sel
	}
	if strings.HasPrefix(name, "@") {
		return t.nth(c, name)
	}
	return t, nil
}

func (t target) nth(c *cluster.Cluster, name string) (target, error) {
	n, err := strconv.Atoi(name[1:])
	if err != nil {
		return t, err
	}
	t.name = ""
	objs, err := t.list(c)
	if err != nil || n < 0 || n >= len(objs) {
		return t, fmt.Errorf("there are %d %s, no number %d: %v", len(objs), t.kind.Resource, n, err)
	}
	t.namespace, t.name = objs[n].GetNamespace(), objs[n].GetName()
	return t, nil
}

func cut(s string, sep byte) (before, after string) {
	for i := range len(s) {
		if s[i] == sep {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
