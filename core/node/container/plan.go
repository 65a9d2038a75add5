package container

import (
	"strconv"
	"strings"
	"time"
)

// A plan is what will become of a process.
type plan struct {
	exits   bool
	runs    time.Duration
	code    int32
	stops   time.Duration // negative: it does not listen
	stopped Exit          // how it ends when asked to stop
}

// planOf foresees a process. The command is the container's command and args; where it has no command its
// args are the shell's or the entry point's.
//
// Known are sleep, true, false, exit, echo, printf, date, and a shell (-c) that does these one after
// another; a shell loop and everything else that an image with a shell is told to run goes on for ever.
func planOf(spec Spec) plan {
	b := spec.Image.Behavior
	p := plan{exits: b.Exits, runs: b.Runs, code: b.Code, stops: b.Stops, stopped: exitOf(0)}
	argv := append(append([]string(nil), spec.Container.Command...), spec.Container.Args...)
	if len(argv) == 0 || len(spec.Container.Command) == 0 && !b.Shell {
		return p
	}
	if len(spec.Container.Command) == 0 && !b.Exits {
		return p // arguments of a server
	}
	p = plan{stops: -1, stopped: Exit{Code: codeTerminated, Reason: "Error", Signal: 0}}
	runs, code, ends := foresee(argv)
	p.exits, p.runs, p.code = ends, runs, code
	return p
}

// foresee returns how long a command runs and how it ends; ends is false for one that goes on for ever.
func foresee(argv []string) (runs time.Duration, code int32, ends bool) {
	name := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	switch name {
	case "sh", "bash", "ash":
		for i, a := range argv[1:] {
			if strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") && i+2 < len(argv) {
				return foreseeScript(argv[i+2])
			}
		}
		return 0, 0, true
	case "sleep":
		if len(argv) < 2 {
			return 0, 1, true
		}
		d, forever, ok := sleepTime(argv[1])
		if !ok {
			return 0, 1, true
		}
		return d, 0, !forever
	case "true", "echo", "printf", "date", "ls", "cat", "env", "printenv", "hostname", "pwd", "id", "uname", "touch", "mkdir", "rm", "cp", "mv", "chmod", ":", "export", "set", "cd", "test", "wget", "curl", "nslookup":
		return 0, 0, true
	case "false":
		return 0, 1, true
	case "exit":
		if len(argv) < 2 {
			return 0, 0, true
		}
		n, err := strconv.Atoi(argv[1])
		if err != nil {
			return 0, 2, true
		}
		return 0, int32(n & 0xff), true
	}
	return 0, 0, false
}

// sleepTime reads the argument of sleep: seconds, or a number with s, m, h or d.
func sleepTime(s string) (d time.Duration, forever, ok bool) {
	if s == "" {
		return 0, false, false
	}
	if s == "infinity" || s == "inf" {
		return 0, true, true
	}
	unit := time.Second
	switch s[len(s)-1:] {
	case "s":
		s = s[:len(s)-1]
	case "m":
		s, unit = s[:len(s)-1], time.Minute
	case "h":
		s, unit = s[:len(s)-1], time.Hour
	case "d":
		s, unit = s[:len(s)-1], 24*time.Hour
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < 0 || n > 1e9 {
		return 0, false, false
	}
	return time.Duration(n * float64(unit)), false, true
}

// foreseeScript adds up the commands of a script that is a plain sequence; "&&" and "||" leave out what
// follows as in a shell.
func foreseeScript(script string) (runs time.Duration, code int32, ends bool) {
	for _, word := range []string{"while", "until", "for ", "tail -f", "trap "} {
		if strings.Contains(script, word) {
			return 0, 0, false
		}
	}
	skip := false
	for script != "" {
		command, op, rest := cutCommand(script)
		script = rest
		argv := strings.Fields(command)
		if len(argv) > 0 && argv[0] == "exec" {
			argv = argv[1:]
		}
		if len(argv) > 0 && !skip {
			d, c, ends := foresee(argv)
			if !ends {
				return 0, 0, false
			}
			runs, code = runs+d, c
			if argv[0] == "exit" {
				break
			}
		}
		switch op {
		case "&&":
			skip = code != 0
		case "||":
			skip = code == 0
		default:
			skip = false
		}
	}
	return runs, code, true
}

// cutCommand cuts the first command off a script, at what ends it outside of quotes.
func cutCommand(script string) (command, op, rest string) {
	quote := byte(0)
	for i := range len(script) {
		switch c := script[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ';' || c == '\n':
			return script[:i], ";", script[i+1:]
		case strings.HasPrefix(script[i:], "&&") || strings.HasPrefix(script[i:], "||"):
			return script[:i], script[i : i+2], script[i+2:]
		}
	}
	return script, "", ""
}
