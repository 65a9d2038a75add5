package scenario

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"rsc.io/script"

	"terrarium/core/cluster"
	"terrarium/core/kinds"
	"terrarium/core/node"
)

// nodes are the commands about machines.
func (s *Session) nodes() map[string]script.Cmd {
	patched := func(body string) func(*script.State, *cluster.Cluster, []string) (string, error) {
		return func(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
			for _, name := range args {
				if err := change(c, "node/"+name, options{}, types.MergePatchType, "", body); err != nil {
					return "", err
				}
			}
			return "", nil
		}
	}
	power := func(value string) string {
		return `{"metadata":{"annotations":{"` + node.PowerAnnotation + `":` + value + `}}}`
	}
	return map[string]script.Cmd{
		"stop-node":  s.command("name...", "take the power off machines", patched(power(`"off"`))),
		"start-node": s.command("name...", "give machines power again", patched(power(`null`))),
		"cordon":     s.command("name...", "mark nodes as unschedulable", patched(`{"spec":{"unschedulable":true}}`)),
		"uncordon":   s.command("name...", "mark nodes as schedulable", patched(`{"spec":{"unschedulable":null}}`)),
		"add-nodes":  s.command("n", "let machines join", s.addNodes),
	}
}

func (s *Session) addNodes(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	if len(args) != 1 {
		return "", usage(nil)
	}
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", err
	}
	var names []string
	err = act(c, kinds.Key{Resource: "nodes"}, func() error { names, err = c.Park.Join(n, nil); return err })
	return strings.Join(names, " ") + "\n", err
}
