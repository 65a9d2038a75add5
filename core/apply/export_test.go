package apply_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/apiserver"
	"terrarium/core/apply"
	"terrarium/core/cluster"
)

// export waits until controllers have done what they do, and exports.
func (b *bench) export() apply.Exported {
	b.Helper()
	b.cluster.Loop.Run(b.cluster.Now().Add(time.Minute))
	out, err := apply.Export(b.cluster.Client, b.cluster.Codec, b.cluster.Now())
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// documents is an exported text without its header, which tells the time.
func documents(text string) string {
	for strings.HasPrefix(text, "#") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// again applies the text to a new cluster and returns what that one exports.
func again(t *testing.T, text string) apply.Exported {
	t.Helper()
	next := newBench(t)
	next.verbs(text)
	return next.export()
}

func (b *bench) request(method, path, body string) {
	b.Helper()
	resp := b.cluster.Serve(&apiserver.RESTRequest{Method: method, Path: path, ContentType: "application/json", Body: []byte(body)})
	if resp.Code >= 300 {
		b.Fatalf("%s %s: %d %s", method, path, resp.Code, resp.Body)
	}
}

func TestExportOfAnEmptyCluster(t *testing.T) {
	got := newBench(t).export()
	want := apply.Exported{Text: "# A Terrarium cluster as it was at 2026-01-01T00:01:05Z of its own time.\n# There was nothing in it but what every cluster has.\n"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if verbs := newBench(t).verbs(got.Text); len(verbs) > 0 {
		t.Errorf("applying it does %v", verbs)
	}
}

const pods = `apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: shop}
spec:
  serviceAccountName: seller
  priorityClassName: urgent
  containers: [{name: c, image: nginx}]
---
apiVersion: v1
kind: Pod
metadata: {name: plain, namespace: shop}
spec:
  containers: [{name: c, image: nginx}]
`

const others = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: urgent}
value: 1000
---
apiVersion: v1
kind: Node
metadata: {name: big, labels: {disk: ssd}, annotations: {rack: "7"}}
spec:
  unschedulable: true
  taints: [{key: gpu, value: "yes", effect: NoSchedule}]
status:
  capacity: {cpu: "64", memory: 256Gi, pods: "500", example.com/gpu: "8"}
---
apiVersion: v1
kind: Node
metadata: {name: small}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: a}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: seller, namespace: shop}
---
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: shop}
stringData: {password: "hunter2"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: /data}
  claimRef: {namespace: default, name: claim, uid: old, resourceVersion: "7"}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: hostile
  annotations: {"example.com/a": "<script>alert(1)</script> & \"'"}
data:
  separator: "a\n---\nkind: Pod\n...\n"
  leading: "\n  indented\n\ttab\n"
  trailing: "a \n\n"
  number: "0123"
  bool: "no"
  nothing: "null"
  tilde: "~"
  time: 2026-01-01
  anchor: "&a *b !!c %d @e ` + "`" + `f # g: h"
  control: "a\x01\x1b[31m\x7f\u0085\u2028\ufeff\r\nb"
  emoji: "🌱 \u202e"
  empty: ""
`

// What people made comes back the same, whatever is in it.
func TestExportRoundTrip(t *testing.T) {
	b := newBench(t)
	b.verbs(others)
	b.verbs(deployment)
	b.cluster.Loop.Run(b.cluster.Now().Add(5 * time.Second))
	b.verbs(pods)
	for _, name := range []string{"null", "yes", "1e3", "0x1f", "2026-01-01", "1.0"} {
		b.request("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"`+name+`","labels":{"on":"no","1":""}},"data":{"`+name+`":"`+name+`"}}`)
	}
	b.patch("/api/v1/namespaces/default", `{"metadata":{"labels":{"team":"b"}}}`)
	b.patch("/api/v1/namespaces/default/serviceaccounts/default", `{"imagePullSecrets":[{"name":"registry"}]}`)
	b.patch("/apis/apps/v1/namespaces/default/deployments/web", `{"spec":{"replicas":5}}`)
	first := b.export()
	second := again(t, first.Text)
	if d := cmp.Diff(documents(first.Text), documents(second.Text)); d != "" {
		t.Errorf("after the way through a new cluster (-first +second):\n%s", d)
	}
	if first.Objects != 21 || first.Secrets != 1 {
		t.Errorf("%d objects and %d Secrets, want 21 and 1:\n%s", first.Objects, first.Secrets, first.Text)
	}
	for _, want := range []string{"replicas: 5", "cpu: \"64\"", "example.com/gpu: \"8\"", "disk: ssd", "team: b", "# Secrets are in it"} {
		if !strings.Contains(first.Text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	for _, not := range []string{"conditions:", "nodeName", "uid", "resourceVersion", "creationTimestamp", "last-applied", "deployment.kubernetes.io", "ReplicaSet", "node.kubernetes.io/unschedulable", "podCIDR", "beta.kubernetes.io", "kube-root-ca"} {
		if strings.Contains(first.Text, not) {
			t.Errorf("it has %q:\n%s", not, first.Text)
		}
	}
}

// The same objects give the same text.
func TestExportLeavesNoTrace(t *testing.T) {
	b := newBench(t)
	b.verbs(deployment)
	one := b.export()
	hash, revision := b.cluster.Trace.Hash(), b.revision()
	two, err := apply.Export(b.cluster.Client, b.cluster.Codec, b.cluster.Now())
	if err != nil || one != two {
		t.Errorf("twice at one time: %v (-one +two)\n%s", err, cmp.Diff(one, two))
	}
	b.cluster.Loop.Run(b.cluster.Now())
	if b.cluster.Trace.Hash() != hash || b.revision() != revision {
		t.Error("exporting left a trace")
	}
}

func TestExported(t *testing.T) {
	const pod = `{"metadata":{"name":"p"%s},"spec":{"containers":[{"name":"c","image":"nginx"}]%s}}`
	make := func(meta, spec string) func(b *bench) {
		return func(b *bench) {
			b.request("POST", "/api/v1/namespaces/default/pods", strings.Replace(strings.Replace(pod, "%s", meta, 1), "%s", spec, 1))
		}
	}
	tests := []struct {
		name string
		do   func(b *bench)
		want []string // kind/name, in order
	}{
		{"pods of a Deployment, its events and its ReplicaSet", func(b *bench) { b.verbs(deployment) }, []string{"Deployment/web"}},
		{"a pod", make("", ""), []string{"Pod/p"}},
		{"a pod that a controller owns", func(b *bench) {
			b.verbs(deployment)
			b.cluster.Loop.Run(b.cluster.Now().Add(time.Second))
			list, _, _ := b.cluster.Client.Pods().List("default", nil)
			if len(list) != 2 {
				b.Fatalf("%d pods", len(list))
			}
			b.request("DELETE", "/apis/apps/v1/namespaces/default/deployments/web?propagationPolicy=Orphan", "")
		}, []string{"ReplicaSet/web-577b766cc7"}},
		{"a Lease and Endpoints", func(b *bench) {
			b.request("POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases", `{"metadata":{"name":"l"}}`)
			b.request("POST", "/api/v1/namespaces/default/endpoints", `{"metadata":{"name":"e"}}`)
		}, nil},
		{"an object that is being deleted", func(b *bench) {
			b.request("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"c","finalizers":["example.com/wait"]}}`)
			b.request("DELETE", "/api/v1/namespaces/default/configmaps/c", "")
		}, nil},
		{"a namespace that is being deleted, and what is in it", func(b *bench) {
			b.request("POST", "/api/v1/namespaces", `{"metadata":{"name":"spare"}}`)
			b.request("POST", "/api/v1/namespaces/spare/configmaps", `{"metadata":{"name":"c","finalizers":["example.com/wait"]}}`)
			b.request("DELETE", "/api/v1/namespaces/spare", "")
		}, nil},
		{"a namespace", func(b *bench) { b.request("POST", "/api/v1/namespaces", `{"metadata":{"name":"spare"}}`) }, []string{"Namespace/spare"}},
		{"a pod in a namespace needs its account", func(b *bench) {
			b.request("POST", "/api/v1/namespaces", `{"metadata":{"name":"spare"}}`)
			b.cluster.Loop.Run(b.cluster.Now().Add(time.Second))
			b.request("POST", "/api/v1/namespaces/spare/pods", `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"nginx"}]}}`)
		}, []string{"Namespace/spare", "ServiceAccount/default", "Pod/p"}},
		{"an object in kube-system", func(b *bench) {
			b.request("POST", "/api/v1/namespaces/kube-system/configmaps", `{"metadata":{"name":"c"}}`)
		}, []string{"ConfigMap/c"}},
		{"a machine without power", func(b *bench) {
			b.request("POST", "/api/v1/nodes", `{"metadata":{"name":"m","annotations":{"terrarium.dev/power":"off"}}}`)
		}, []string{"Node/m"}},
		{"an owner that is no controller is not kept", func(b *bench) {
			b.request("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"a"}}`)
			a, err := b.cluster.Client.ConfigMaps().Get("default", "a")
			if err != nil {
				b.Fatal(err)
			}
			b.request("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"b","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"`+string(a.UID)+`"}]}}`)
		}, []string{"ConfigMap/a", "ConfigMap/b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			tt.do(b)
			out := b.export()
			if d := cmp.Diff(tt.want, named(out.Text)); d != "" {
				t.Errorf("documents (-want +got):\n%s\n%s", d, out.Text)
			}
			if d := cmp.Diff(documents(out.Text), documents(again(t, out.Text).Text)); d != "" {
				t.Errorf("after the way through a new cluster (-first +second):\n%s", d)
			}
		})
	}
}

// named lists the documents of an exported text.
func named(text string) []string {
	var out []string
	kind := ""
	inMeta := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "kind: "):
			kind = strings.TrimPrefix(line, "kind: ")
		case !strings.HasPrefix(line, " "):
			inMeta = line == "metadata:"
		case inMeta && strings.HasPrefix(line, "  name: "):
			out = append(out, kind+"/"+strings.TrimPrefix(line, "  name: "))
		}
	}
	return out
}

// A node that somebody chose for a pod is the person's; one that the scheduler chose is not.
func TestExportOfNodeNames(t *testing.T) {
	b := newBench(t)
	b.verbs("apiVersion: v1\nkind: Node\nmetadata: {name: here}\n")
	b.cluster.Loop.Run(b.cluster.Now().Add(20 * time.Second))
	text := "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME}\nspec:\n  SPEC\n  containers: [{name: c, image: nginx}]\n"
	b.verbs(strings.NewReplacer("NAME", "chosen", "SPEC", "nodeName: here").Replace(text))
	b.verbs(strings.NewReplacer("NAME", "scheduled", "SPEC", "").Replace(text))
	out := b.export()
	for _, name := range []string{"chosen", "scheduled"} {
		if pod, err := b.cluster.Client.Pods().Get("default", name); err != nil || pod.Spec.NodeName != "here" {
			t.Fatalf("%s: %+v, %v", name, pod, err)
		}
	}
	if n := strings.Count(out.Text, "nodeName: here"); n != 1 {
		t.Errorf("%d pods keep their node, want the one that was told:\n%s", n, out.Text)
	}
	if d := cmp.Diff(documents(out.Text), documents(again(t, out.Text).Text)); d != "" {
		t.Errorf("after the way through a new cluster (-first +second):\n%s", d)
	}
}

// Applied to a new cluster whose first nodes have the same names, it changes nothing of them.
func TestExportOverFirstNodes(t *testing.T) {
	three := func() *bench {
		c := cluster.New(cluster.Config{Nodes: 3, CheckMutation: true})
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		c.Loop.Run(c.Now().Add(5 * time.Second))
		return &bench{t, apply.New(apply.Config{Kinds: c.Kinds, Codec: c.Codec, User: "admin", Write: c.Serve, Read: c.API.ServeREST}), c}
	}
	b := three()
	b.verbs(deployment)
	first := b.export()
	next := three()
	next.verbs(first.Text)
	if d := cmp.Diff(documents(first.Text), documents(next.export().Text)); d != "" {
		t.Errorf("(-first +second):\n%s", d)
	}
}
