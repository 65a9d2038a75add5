package apply_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"terrarium/core/apiserver"
	"terrarium/core/apply"
	"terrarium/core/cluster"
	"terrarium/core/kinds"
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: nginx:1.7.9
`

// A bench is an applier over a young cluster in which time stands still.
type bench struct {
	*testing.T
	*apply.Applier
	cluster *cluster.Cluster
}

func newBench(t *testing.T) *bench {
	t.Helper()
	c := cluster.New(cluster.Config{CheckMutation: true})
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	c.Loop.Run(c.Now().Add(5 * time.Second)) // the default service account is there
	return &bench{t, apply.New(apply.Config{Kinds: c.Kinds, Codec: c.Codec, User: "admin", Write: c.Serve, Read: c.API.ServeREST}), c}
}

func (b *bench) apply(text string) apply.Answer { return b.Apply(apply.Request{Text: text}) }

// verbs applies the text and returns what became of its documents.
func (b *bench) verbs(text string) []string {
	b.Helper()
	answer := b.apply(text)
	if len(answer.Errors)+len(answer.Conflicts) > 0 {
		b.Fatalf("errors %v, conflicts %v", answer.Errors, answer.Conflicts)
	}
	var verbs []string
	for _, r := range answer.Results {
		verbs = append(verbs, r.Resource+"/"+r.Name+" "+r.Verb)
	}
	return verbs
}

// patch changes an object behind the editor's back.
func (b *bench) patch(path, body string) {
	b.Helper()
	resp := b.cluster.Serve(&apiserver.RESTRequest{Method: "PATCH", Path: path, ContentType: "application/merge-patch+json", Body: []byte(body)})
	if resp.Code != 200 {
		b.Fatalf("%d %s", resp.Code, resp.Body)
	}
}

func (b *bench) revision() kinds.Revision { return b.cluster.Store.Revision() }

func TestCreateConfiguredUnchanged(t *testing.T) {
	b := newBench(t)
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  namespace: kube-system\ndata:\n  a: \"1\"\n  b: \"2\"\n"
	steps := []struct {
		name, text string
		want       []string
	}{
		{"two documents", deployment + "---\n" + config, []string{"deployments.apps/web created", "configmaps/c created"}},
		{"again", deployment + "---\n" + config, []string{"deployments.apps/web unchanged", "configmaps/c unchanged"}},
		{"one changed", strings.ReplaceAll(deployment, "1.7.9", "1.9.1") + "---\n" + config, []string{"deployments.apps/web configured", "configmaps/c unchanged"}},
		{"a key taken away", strings.ReplaceAll(config, "  b: \"2\"\n", ""), []string{"configmaps/c configured"}},
		{"comments only", "# nothing\n---\n", nil},
	}
	for _, s := range steps {
		if d := cmp.Diff(s.want, b.verbs(s.text)); d != "" {
			t.Fatalf("%s (-want +got):\n%s", s.name, d)
		}
	}
	live, _, _ := b.Live("configmaps", "kube-system", "c")
	if strings.Contains(live.Text, "b:") {
		t.Errorf("the key taken away is still there:\n%s", live.Text)
	}
}

func TestApplyKeepsWhatOthersSet(t *testing.T) {
	b := newBench(t)
	text := strings.Replace(deployment, "  replicas: 2\n", "", 1)
	b.verbs(text)
	b.patch("/apis/apps/v1/namespaces/default/deployments/web", `{"spec":{"replicas":5},"metadata":{"labels":{"team":"a"}}}`)
	b.verbs(strings.ReplaceAll(text, "1.7.9", "1.9.1"))
	live, _, _ := b.Live("deployments.apps", "default", "web")
	for _, want := range []string{"replicas: 5", "team: a", "nginx:1.9.1"} {
		if !strings.Contains(live.Text, want) {
			t.Errorf("%q is lost:\n%s", want, live.Text)
		}
	}
}

func TestMissingAnnotationIsWarnedOf(t *testing.T) {
	b := newBench(t)
	body := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}`
	b.cluster.Serve(&apiserver.RESTRequest{Method: "POST", Path: "/api/v1/namespaces/default/configmaps", Body: []byte(body)})
	answer := b.apply(body)
	if len(answer.Results) != 1 || len(answer.Results[0].Warnings) != 1 ||
		!strings.HasPrefix(answer.Results[0].Warnings[0], "resource configmaps/c is missing the kubectl.kubernetes.io/last-applied-configuration annotation") {
		t.Errorf("got %+v, want a warning", answer)
	}
}

func TestProblemsNameLineAndField(t *testing.T) {
	ok := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ok\n---\n"
	tests := []struct {
		name, text string
		want       []apply.Problem
	}{
		{"unknown field", ok + strings.Replace(deployment, "image:", "imag:", 1),
			[]apply.Problem{{22, 9, 2, "spec.template.spec.containers[0].imag", `unknown field "spec.template.spec.containers[0].imag"`}}},
		{"refused by validation", ok + strings.Replace(deployment, "replicas: 2", "replicas: -2", 1),
			[]apply.Problem{{11, 3, 2, "spec.replicas", "Invalid value: -2: must be greater than or equal to 0"}}},
		{"no name", "apiVersion: v1\nkind: Pod\n", []apply.Problem{{1, 1, 1, "metadata.name", "resource name may not be empty"}}},
		{"unknown kind", "apiVersion: v1\nkind: Pot\nmetadata:\n  name: x\n",
			[]apply.Problem{{2, 7, 1, "kind", `no matches for kind "Pot" in version "v1"`}}},
		{"a namespace that does not exist", ok + "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  namespace: nowhere\n",
			[]apply.Problem{{9, 3, 2, "", `namespaces "nowhere" not found`}}},
		{"binary", "a: \x00", []apply.Problem{{1, 4, 0, "", "yaml: control characters are not allowed"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			before := b.revision()
			answer := b.apply(tt.text)
			if d := cmp.Diff(tt.want, answer.Errors); d != "" {
				t.Errorf("problems (-want +got):\n%s", d)
			}
			if b.revision() != before {
				t.Errorf("something was applied")
			}
			dry := b.Apply(apply.Request{Text: tt.text, DryRun: true})
			if d := cmp.Diff(answer.Errors, dry.Errors); d != "" {
				t.Errorf("a dry run finds other problems (-want +got):\n%s", d)
			}
		})
	}
}

func TestHostileTextsChangeNothing(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n---\n"
	tests := map[string]string{
		"5 MB":                pod + strings.Repeat("a: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"\n", 120_000),
		"10,000 deep":         pod + "a: " + strings.Repeat("[", 10_000),
		"10,000 deep, closed": pod + "a: " + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "\n",
		"10,000 deep blocks":  pod + strings.Repeat("- ", 10_000) + "x",
		"anchor bomb":         pod + "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n",
		"not YAML":            pod + "a: b: c",
		"bad UTF-8":           pod + "a: \xff",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			before := b.revision()
			answer := b.apply(text)
			if len(answer.Errors) == 0 || answer.Errors[0].Message == "" || answer.Errors[0].Line == 0 {
				t.Errorf("got %+v, want a problem with a line and a message", answer)
			}
			if b.revision() != before {
				t.Errorf("something was applied")
			}
		})
	}
}

func TestDryRunLeavesNoTrace(t *testing.T) {
	b, untouched := newBench(t), newBench(t)
	spans := len(b.cluster.Trace.Spans(0))
	for range 3 {
		b.Apply(apply.Request{Text: deployment, DryRun: true})
		b.Diff(apply.Request{Text: deployment})
	}
	if got := len(b.cluster.Trace.Spans(0)); got != spans {
		t.Errorf("%d spans, want %d", got, spans)
	}
	b.verbs(deployment)
	untouched.verbs(deployment)
	if got, want := b.cluster.Trace.Hash(), untouched.cluster.Trace.Hash(); got != want {
		t.Errorf("after dry runs the trace is %s, want %s as without", got, want)
	}
}

func TestEdit(t *testing.T) {
	b := newBench(t)
	b.verbs(deployment)
	base, _, ok := b.Live("deployments.apps", "default", "web")
	if !ok {
		t.Fatal("the deployment is not there")
	}
	if strings.Contains(base.Text, "last-applied") || strings.Contains(base.Text, "uid") || strings.Contains(base.Text, "status") {
		t.Errorf("the text to edit shows what nobody edits:\n%s", base.Text)
	}
	edited := strings.Replace(base.Text, "replicas: 2", "replicas: 3", 1)
	answer := b.Apply(apply.Request{Text: edited, Base: &base})
	if len(answer.Results) != 1 || answer.Results[0].Verb != apply.Edited {
		t.Fatalf("got %+v, want it edited", answer)
	}
	b.cluster.Loop.Run(b.cluster.Now().Add(5 * time.Second))
	base, _, _ = b.Live("deployments.apps", "default", "web")
	b.verbs(strings.Replace(deployment, "nginx:1.7.9", "nginx:1.9.1", 1))
	b.cluster.Loop.Run(b.cluster.Now().Add(time.Second))
	answer = b.Apply(apply.Request{Text: strings.Replace(base.Text, "replicas: 3", "replicas: 4", 1), Base: &base, DryRun: true})
	if len(answer.Conflicts) != 1 {
		t.Errorf("got %+v, want a conflict with the apply before", answer)
	}
	base, _, _ = b.Live("deployments.apps", "default", "web")
	b.cluster.Loop.Run(b.cluster.Now().Add(time.Second))
	answer = b.Apply(apply.Request{Text: strings.Replace(base.Text, "replicas: 2", "replicas: 6", 1), Base: &base})
	if len(answer.Results) != 1 || answer.Results[0].Verb != apply.Edited {
		t.Errorf("got %+v, want no conflict with what the deployment controller wrote", answer)
	}
}

func TestConflict(t *testing.T) {
	b := newBench(t)
	b.verbs(deployment)
	base, _, _ := b.Live("deployments.apps", "default", "web")
	b.patch("/apis/apps/v1/namespaces/default/deployments/web", `{"spec":{"replicas":5,"minReadySeconds":7}}`)

	text := strings.Replace(strings.Replace(base.Text, "replicas: 2", "replicas: 3", 1), "nginx:1.7.9", "nginx:1.9.1", 1)
	answer := b.Apply(apply.Request{Text: text, Base: &base})
	if len(answer.Conflicts) != 1 || len(answer.Results) != 0 {
		t.Fatalf("got %+v, want one conflict", answer)
	}
	c := answer.Conflicts[0]
	want := apply.Conflict{
		Line: 1, Kind: "Deployment", Namespace: "default", Name: "web",
		Message: `Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`,
		Changed: []apply.Change{{"spec.minReadySeconds", "", "7"}, {"spec.replicas", "2", "5"}},
		Both:    []string{"spec.replicas"},
	}
	if d := cmp.Diff(want, c, cmpopts.IgnoreFields(apply.Conflict{}, "Live", "Merged", "Base")); d != "" {
		t.Errorf("conflict (-want +got):\n%s", d)
	}
	for _, line := range []string{"replicas: 3", "minReadySeconds: 7", "nginx:1.9.1"} {
		if !strings.Contains(c.Merged, line) {
			t.Errorf("the merge lost %q:\n%s", line, c.Merged)
		}
	}
	if answer := b.Apply(apply.Request{Text: c.Merged, Base: &c.Base}); len(answer.Results) != 1 || answer.Results[0].Verb != apply.Edited {
		t.Fatalf("applying the merge gives %+v", answer)
	}
	live, _, _ := b.Live("deployments.apps", "default", "web")
	if live.Text != c.Merged {
		t.Errorf("after the merge (-want +got):\n%s", cmp.Diff(c.Merged, live.Text))
	}
	if answer := b.Apply(apply.Request{Text: text, Base: &base, Force: true}); len(answer.Results) != 1 {
		t.Errorf("forced, got %+v", answer)
	}
}

func TestDiff(t *testing.T) {
	b := newBench(t)
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: \"1\"\n"
	b.verbs(config)
	got := b.Diff(apply.Request{Text: strings.Replace(config, `"1"`, `"2"`, 1) + "---\n" + strings.Replace(config, "name: c", "name: d", 1)})
	want := apply.Differences{Documents: []apply.Difference{
		{
			Line: 1, Kind: "ConfigMap", Namespace: "default", Name: "c", Verb: apply.Configured,
			Live: "apiVersion: v1\ndata:\n  a: \"1\"\nkind: ConfigMap\nmetadata:\n  name: c\n  namespace: default\n",
			Next: "apiVersion: v1\ndata:\n  a: \"2\"\nkind: ConfigMap\nmetadata:\n  name: c\n  namespace: default\n",
		},
		{
			Line: 8, Kind: "ConfigMap", Namespace: "default", Name: "d", Verb: apply.Created,
			Next: "apiVersion: v1\ndata:\n  a: \"1\"\nkind: ConfigMap\nmetadata:\n  name: d\n  namespace: default\n",
		},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("differences (-want +got):\n%s", d)
	}
}

// Every manifest of the editor's menu is valid.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../web/src/examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b := newBench(t)
			if dry := b.Apply(apply.Request{Text: string(text), DryRun: true}); len(dry.Errors) > 0 {
				t.Errorf("dry run: %+v", dry.Errors)
			}
			if diff := b.Diff(apply.Request{Text: string(text)}); len(diff.Errors) > 0 {
				t.Errorf("diff: %+v", diff.Errors)
			}
			for range 2 {
				b.verbs(string(text))
			}
		})
	}
}
