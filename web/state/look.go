package state

import "strings"

// A Look is how a pod's tile is drawn. Phases are many (kubectl's STATUS column); looks are few, and each
// has a shape of its own, so that color is never needed to tell them apart.
type Look uint8

const (
	Waiting  Look = iota // no node yet
	Starting             // on a node, containers not started
	Warming              // running, not ready
	Running              // running and ready
	Done                 // ended well
	Failing              // crashed, cannot be pulled, evicted, ...
	Stopping             // being deleted
	Lost                 // nobody knows: its node is silent
	Looks    = int(Lost) + 1
)

// Name returns the class and glyph name of the look.
func (l Look) Name() string {
	return [Looks]string{"wait", "start", "warm", "run", "done", "fail", "stop", "lost"}[l]
}

// Title returns the name a person reads.
func (l Look) Title() string {
	return [Looks]string{"Pending", "Starting", "Not ready", "Running", "Completed", "Failing", "Terminating", "Unknown"}[l]
}

// LookOf returns the look of a pod in a phase, as kubectl's STATUS column names it.
func LookOf(phase string, ready, placed bool) Look {
	switch phase {
	case "Running":
		if ready {
			return Running
		}
		return Warming
	case "Completed", "Succeeded":
		return Done
	case "Terminating":
		return Stopping
	case "Unknown":
		return Lost
	case "ContainerCreating", "PodInitializing", "Pulling":
		return Starting
	case "Pending", "SchedulingGated", "":
		if placed {
			return Starting
		}
		return Waiting
	}
	if rest, ok := strings.CutPrefix(phase, "Init:"); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return Starting // "Init:0/2"; "Init:Error" fails
	}
	return Failing
}
