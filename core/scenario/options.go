package scenario

import (
	"fmt"
	"slices"
	"strings"
)

// options are the flags that the commands share.
type options struct {
	namespace string // -n
	all       bool   // -A
	selector  string // -l
	output    string // -o
	set       map[string]string
}

// parse takes flags off the arguments: those above and, with a value, those named in more.
func parse(args []string, more ...string) (opts options, rest []string, err error) {
	opts.set = make(map[string]string)
	for i := 0; i < len(args); i++ {
		flag := args[i]
		if len(flag) < 2 || flag[0] != '-' || flag[1] >= '0' && flag[1] <= '9' {
			rest = append(rest, flag)
			continue
		}
		if flag == "-A" {
			opts.all = true
			continue
		}
		name := strings.TrimLeft(flag, "-")
		into := map[string]*string{"n": &opts.namespace, "l": &opts.selector, "o": &opts.output}[name]
		if into == nil && !slices.Contains(more, name) {
			return opts, nil, fmt.Errorf("unknown flag %s", flag)
		}
		if i++; i == len(args) {
			return opts, nil, fmt.Errorf("flag %s wants a value", flag)
		}
		if into != nil {
			*into = args[i]
		} else {
			opts.set[name] = args[i]
		}
	}
	return opts, rest, nil
}
