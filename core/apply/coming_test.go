package apply_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/apply"
)

// A text may make a pod and what the pod needs to be admitted, in that order.
func TestTextMakesWhatItsPodNeeds(t *testing.T) {
	const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n---\n"
	const class = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 10\n---\n"
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {serviceAccountName: a, priorityClassName: high, containers: [{name: c, image: nginx}]}\n---\n"
	tests := []struct{ name, text, want string }{
		{"both", account + class + pod, ""},
		{"no account", class + pod, `serviceaccount "a" not found`},
		{"no class", account + strings.Replace(pod, "serviceAccountName: a, ", "", 1), "no PriorityClass with name high was found"},
		{"too late", pod + account + class, `serviceaccount "a" not found`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			before := b.revision()
			diff := b.Diff(apply.Request{Text: tt.text})
			dry := b.Apply(apply.Request{Text: tt.text, DryRun: true})
			if b.revision() != before {
				t.Error("a dry run changed something")
			}
			if d := cmp.Diff(dry.Errors, diff.Errors); d != "" {
				t.Errorf("a difference finds other problems (-dry run +difference):\n%s", d)
			}
			answer := b.apply(tt.text)
			if d := cmp.Diff(dry.Errors, answer.Errors); d != "" {
				t.Errorf("an apply finds other problems (-dry run +apply):\n%s", d)
			}
			switch {
			case tt.want == "" && (len(answer.Errors) > 0 || len(answer.Results) != 3):
				t.Errorf("got %+v", answer)
			case tt.want != "" && (len(answer.Errors) != 1 || !strings.Contains(answer.Errors[0].Message, tt.want)):
				t.Errorf("got %+v, want %q", answer.Errors, tt.want)
			case tt.want != "" && b.revision() != before:
				t.Error("something was applied")
			}
		})
	}
}
