package apiserver_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/apiserver"
	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
	"terrarium/core/loop"
	"terrarium/core/store"
	"terrarium/core/trace"
)

// A world is an API server over an empty store, with the default namespace and its service account.
type world struct {
	t     *testing.T
	loop  *loop.Loop
	store *store.Store
	api   *apiserver.Server
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, loop: loop.New(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 1)}
	w.store = store.New(store.Config{CheckMutation: true})
	kinds := all.Registry()
	w.api = apiserver.New(apiserver.Config{
		Loop: w.loop, Trace: trace.NewRecorder(w.loop, trace.Config{}), Store: w.store, Kinds: kinds, Codec: codec.New(kinds),
	})
	w.do("POST", "/api/v1/namespaces", `{"metadata":{"name":"default"}}`, 201)
	w.do("POST", "/api/v1/namespaces/default/serviceaccounts", `{"metadata":{"name":"default"}}`, 201)
	return w
}

// rest makes a request; for PATCH the content type is put before the body: "merge {...}".
func (w *world) rest(method, path, body string) *apiserver.RESTResponse {
	req := &apiserver.RESTRequest{User: "admin", Method: method, Path: path, Body: []byte(body)}
	if method == "PATCH" {
		kind, rest, _ := strings.Cut(body, " ")
		req.ContentType, req.Body = map[string]string{
			"merge": "application/merge-patch+json", "strategic": "application/strategic-merge-patch+json", "json": "application/json-patch+json",
		}[kind], []byte(rest)
	}
	return w.api.ServeREST(req)
}

// do makes a request that must be answered with code, and returns the answer.
func (w *world) do(method, path, body string, code int) map[string]any {
	w.t.Helper()
	resp := w.rest(method, path, body)
	if resp.Code != code {
		w.t.Fatalf("%s %s: %d, want %d: %s", method, path, resp.Code, code, resp.Body)
	}
	var out map[string]any
	if err := json.Unmarshal(resp.Body, &out); err != nil {
		w.t.Fatalf("%s %s: the answer is no JSON: %v: %s", method, path, err, resp.Body)
	}
	return out
}

// at returns the value at a dotted path of an answer.
func at(obj map[string]any, path string) any {
	var v any = obj
	for _, p := range strings.Split(path, ".") {
		m, _ := v.(map[string]any)
		v = m[p]
	}
	return v
}

const (
	pods        = "/api/v1/namespaces/default/pods"
	configMaps  = "/api/v1/namespaces/default/configmaps"
	deployments = "/apis/apps/v1/namespaces/default/deployments"
	pod         = `{"metadata":{"name":"a","labels":{"app":"x"}},"spec":{"containers":[{"name":"c","image":"nginx"}]}}`
	deployment  = `{"metadata":{"name":"d"},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[{"name":"c","image":"nginx"}]}}}}`
)

// TestErrors holds the answers to requests that cannot be met, in upstream's words.
func TestErrors(t *testing.T) {
	tests := []struct {
		name, method, path, body string
		code                     int
		reason                   metav1.StatusReason
		message                  string
	}{
		{"absent", "GET", pods + "/none", "", 404, "NotFound", `pods "none" not found`},
		{"absent outside the core group", "GET", deployments + "/none", "", 404, "NotFound", `deployments.apps "none" not found`},
		{"no such resource", "GET", "/api/v1/things", "", 404, "NotFound", "the server could not find the requested resource"},
		{"no such path", "GET", "/nonsense", "", 404, "NotFound", "the server could not find the requested resource"},
		{"twice", "POST", configMaps, `{"metadata":{"name":"here"}}`, 409, "AlreadyExists", `configmaps "here" already exists`},
		{"no namespace", "POST", "/api/v1/namespaces/none/configmaps", `{"metadata":{"name":"a"}}`, 404, "NotFound", `namespaces "none" not found`},
		{"another namespace", "POST", configMaps, `{"metadata":{"name":"a","namespace":"b"}}`, 400, "BadRequest", "the namespace of the provided object does not match the namespace sent on the request"},
		{"with a revision", "POST", configMaps, `{"metadata":{"name":"a","resourceVersion":"1"}}`, 400, "BadRequest", "resourceVersion should not be set on objects to be created"},
		{"stale", "PUT", configMaps + "/here", `{"metadata":{"name":"here","resourceVersion":"1"}}`, 409, "Conflict", `Operation cannot be fulfilled on configmaps "here": the object has been modified; please apply your changes to the latest version and try again`},
		{"another uid", "PUT", configMaps + "/here", `{"metadata":{"name":"here","uid":"u"}}`, 409, "Conflict", ""},
		{"another name", "PUT", configMaps + "/here", `{"metadata":{"name":"there"}}`, 400, "BadRequest", "the name of the object (there) does not match the name on the URL (here)"},
		{"bad label", "POST", configMaps, `{"metadata":{"name":"a","labels":{"-":"x"}}}`, 422, "Invalid", ""},
		{"bad selector", "GET", pods + "?labelSelector=%21%21", "", 400, "BadRequest", ""},
		{"unknown field selector", "GET", pods + "?fieldSelector=spec.color%3Dred", "", 400, "BadRequest", ""},
		{"a field that upstream does not select by", "GET", "/apis/apps/v1/replicasets?fieldSelector=status.replicas%3D1", "", 400, "BadRequest", ""},
		{"a namespace by another name of its name", "GET", "/api/v1/namespaces?fieldSelector=name%3Ddefault", "", 400, "BadRequest", ""},
		{"nothing to read", "GET", "/api/v1/namespaces/default/serviceaccounts/default/token", "", 405, "MethodNotAllowed", `get token is not supported on resources of kind "serviceaccounts"`},
		{"unknown field, strict", "POST", pods + "?fieldValidation=Strict", `{"metadata":{"name":"a"},"spec":{"colour":1,"containers":[{"name":"c","image":"i"}]}}`, 400, "BadRequest", ""},
		{"unsupported patch", "PATCH", configMaps + "/here", "none {}", 415, "UnsupportedMediaType", ""},
		{"delete with another uid", "DELETE", configMaps + "/here", `{"preconditions":{"uid":"u"}}`, 409, "Conflict", ""},
		{"default namespace", "DELETE", "/api/v1/namespaces/default", "", 403, "Forbidden", `namespaces "default" is forbidden: this namespace may not be deleted`},
		{"future", "GET", configMaps + "?resourceVersion=9999&resourceVersionMatch=Exact", "", 504, "Timeout", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.do("POST", configMaps, `{"metadata":{"name":"here"}}`, 201)
			before := w.store.Revision()
			got := w.do(tt.method, tt.path, tt.body, tt.code)
			if got["reason"] != string(tt.reason) || tt.message != "" && got["message"] != tt.message {
				t.Errorf("got %v: %v\nwant %v: %v", got["reason"], got["message"], tt.reason, tt.message)
			}
			if w.store.Revision() != before {
				t.Error("a request that failed changed the store")
			}
		})
	}
}

func TestCreateCompletesMetadata(t *testing.T) {
	w := newWorld(t)
	got := w.do("POST", pods, strings.Replace(pod, `"name":"a"`, `"generateName":"a-","uid":"mine","deletionTimestamp":"2020-01-01T00:00:00Z"`, 1), 201)
	name, _ := at(got, "metadata.name").(string)
	if len(name) != len("a-")+5 || !strings.HasPrefix(name, "a-") {
		t.Errorf("generated name %q, want a- and five characters", name)
	}
	if uid, _ := at(got, "metadata.uid").(string); len(uid) != 36 || uid[14] != '4' {
		t.Errorf("uid %q, want a version 4 UUID", uid)
	}
	if at(got, "metadata.deletionTimestamp") != nil || at(got, "metadata.creationTimestamp") != "2026-01-01T00:00:00Z" {
		t.Errorf("timestamps: %v", got["metadata"])
	}
	if at(got, "spec.serviceAccountName") != "default" || at(got, "spec.restartPolicy") != "Always" || at(got, "status.phase") != "Pending" {
		t.Errorf("the pod was not completed: %v", got)
	}
}

func TestStatusIsApart(t *testing.T) {
	w := newWorld(t)
	w.do("POST", deployments, deployment, 201)
	got := w.do("PATCH", deployments+"/d", `merge {"spec":{"replicas":3},"status":{"replicas":9}}`, 200)
	if at(got, "spec.replicas") != 3.0 || at(got, "status.replicas") != nil || at(got, "metadata.generation") != 2.0 {
		t.Errorf("after a patch of spec and status: %v %v", got["spec"], got["status"])
	}
	got = w.do("PATCH", deployments+"/d/status", `merge {"spec":{"replicas":7},"status":{"replicas":9}}`, 200)
	if at(got, "spec.replicas") != 3.0 || at(got, "status.replicas") != 9.0 || at(got, "metadata.generation") != 2.0 {
		t.Errorf("after a patch of the status: %v %v", got["spec"], got["status"])
	}
}

func TestPatches(t *testing.T) {
	for name, patch := range map[string]string{
		"merge":     `merge {"spec":{"template":{"spec":{"containers":[{"name":"c","image":"httpd"}]}}}}`,
		"strategic": `strategic {"spec":{"template":{"spec":{"containers":[{"name":"c","image":"httpd"}]}}}}`,
		"json":      `json [{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"httpd"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.do("POST", deployments, deployment, 201)
			got := w.do("PATCH", deployments+"/d", patch, 200)
			spec := at(got, "spec.template.spec").(map[string]any)["containers"].([]any)[0].(map[string]any)
			if spec["image"] != "httpd" {
				t.Errorf("image %v, want httpd", spec["image"])
			}
			before := w.store.Revision()
			w.do("PATCH", deployments+"/d", patch, 200)
			if w.store.Revision() != before {
				t.Error("a patch that changes nothing made a revision")
			}
		})
	}
}

func TestScale(t *testing.T) {
	w := newWorld(t)
	w.do("POST", deployments, deployment, 201)
	got := w.do("GET", deployments+"/d/scale", "", 200)
	if at(got, "spec.replicas") != 1.0 || at(got, "status.selector") != "app=x" {
		t.Errorf("scale is %v", got)
	}
	w.do("PATCH", deployments+"/d/scale", `merge {"spec":{"replicas":4}}`, 200)
	if got := w.do("GET", deployments+"/d", "", 200); at(got, "spec.replicas") != 4.0 {
		t.Errorf("replicas %v, want 4", at(got, "spec.replicas"))
	}
	w.do("PATCH", deployments+"/d/scale", `merge {"spec":{"replicas":-1}}`, 422)
}

func TestFinalizersHoldADeletion(t *testing.T) {
	w := newWorld(t)
	w.do("POST", configMaps, `{"metadata":{"name":"a","finalizers":["example.com/hold"]}}`, 201)
	if got := w.do("DELETE", configMaps+"/a", "", 200); at(got, "metadata.deletionTimestamp") == nil {
		t.Errorf("the object waits without a deletionTimestamp: %v", got)
	}
	w.do("PATCH", configMaps+"/a", `merge {"metadata":{"finalizers":["example.com/hold","example.com/new"]}}`, 422)
	w.do("PATCH", configMaps+"/a", `merge {"metadata":{"finalizers":null}}`, 200)
	w.do("GET", configMaps+"/a", "", 404)
}

func TestPropagationBecomesAFinalizer(t *testing.T) {
	for policy, want := range map[string]string{"Orphan": "orphan", "Foreground": "foregroundDeletion"} {
		w := newWorld(t)
		w.do("POST", deployments, deployment, 201)
		got := w.do("DELETE", deployments+"/d", `{"propagationPolicy":"`+policy+`"}`, 200)
		if f, _ := at(got, "metadata.finalizers").([]any); len(f) != 1 || f[0] != want {
			t.Errorf("%s: finalizers %v, want %s", policy, f, want)
		}
	}
	w := newWorld(t)
	w.do("POST", deployments, deployment, 201)
	w.do("DELETE", deployments+"/d", `{"propagationPolicy":"Background"}`, 200)
	w.do("GET", deployments+"/d", "", 404)
}

func TestPodGrace(t *testing.T) {
	w := newWorld(t)
	w.do("POST", pods, pod, 201)
	w.do("POST", pods+"/a/binding", `{"metadata":{"name":"a"},"target":{"kind":"Node","name":"n"}}`, 201)
	w.do("POST", pods+"/a/binding", `{"metadata":{"name":"a"},"target":{"kind":"Node","name":"m"}}`, 409)
	got := w.do("DELETE", pods+"/a", "", 200)
	if at(got, "metadata.deletionTimestamp") != "2026-01-01T00:00:30Z" {
		t.Errorf("deletionTimestamp %v, want in 30 s", at(got, "metadata.deletionTimestamp"))
	}
	got = w.do("DELETE", pods+"/a", `{"gracePeriodSeconds":5}`, 200)
	if at(got, "metadata.deletionTimestamp") != "2026-01-01T00:00:05Z" {
		t.Errorf("a shorter grace: deletionTimestamp %v, want in 5 s", at(got, "metadata.deletionTimestamp"))
	}
	w.do("DELETE", pods+"/a?gracePeriodSeconds=0", "", 200)
	w.do("GET", pods+"/a", "", 404)
}

func TestDryRunChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.do("POST", configMaps, `{"metadata":{"name":"here"}}`, 201)
	before := w.store.Revision()
	w.do("POST", configMaps+"?dryRun=All", `{"metadata":{"name":"a"}}`, 201)
	w.do("PATCH", configMaps+"/here?dryRun=All", `merge {"data":{"a":"b"}}`, 200)
	w.do("DELETE", configMaps+"/here?dryRun=All", "", 200)
	w.do("POST", configMaps+"?dryRun=All", `{"metadata":{"name":"here"}}`, 409)
	if w.store.Revision() != before {
		t.Error("a dry run made a revision")
	}
}

func TestPriorityClasses(t *testing.T) {
	const classes = "/apis/scheduling.k8s.io/v1/priorityclasses"
	w := newWorld(t)
	if got := w.do("POST", pods, pod, 201); at(got, "spec.priority") != 0.0 {
		t.Errorf("without classes the priority is %v, want 0", at(got, "spec.priority"))
	}
	w.do("POST", classes, `{"metadata":{"name":"high"},"value":1000,"globalDefault":true}`, 201)
	w.do("POST", classes, `{"metadata":{"name":"low"},"value":10,"globalDefault":true}`, 201)
	w.do("POST", classes, `{"metadata":{"name":"other"},"value":5}`, 201)
	got := w.do("POST", pods, strings.Replace(pod, `"name":"a"`, `"name":"b"`, 1), 201)
	if at(got, "spec.priority") != 10.0 || at(got, "spec.priorityClassName") != "low" {
		t.Errorf("priority %v of class %v, want 10 of low", at(got, "spec.priority"), at(got, "spec.priorityClassName"))
	}
	named := strings.Replace(strings.Replace(pod, `"name":"a"`, `"name":"c"`, 1), `"spec":{`, `"spec":{"priorityClassName":"high",`, 1)
	if got := w.do("POST", pods, named, 201); at(got, "spec.priority") != 1000.0 {
		t.Errorf("priority %v, want 1000", at(got, "spec.priority"))
	}
	w.do("POST", pods, strings.Replace(named, `"high"`, `"none"`, 1), 403)
}

// TestEventsExpire an hour after they were last written, to the minute, each by its own time.
func TestEventsExpire(t *testing.T) {
	const events = "/api/v1/namespaces/default/events"
	w := newWorld(t)
	w.api.ExpireEvents()
	create := func(name string) {
		w.do("POST", events, `{"metadata":{"name":"`+name+`"},"involvedObject":{"namespace":"default"},"reason":"R","type":"Normal"}`, 201)
	}
	after := func(d time.Duration, want ...string) {
		t.Helper()
		w.loop.Run(w.loop.Now().Add(d))
		var got []string
		for _, item := range w.do("GET", events, "", 200)["items"].([]any) {
			got = append(got, at(item.(map[string]any), "metadata.name").(string))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: got events %q, want %q", w.loop.Now(), got, want)
		}
	}
	create("a")
	after(20*time.Minute, "a")
	create("b")
	after(39*time.Minute, "a", "b")
	after(2*time.Minute, "b")
	w.do("PATCH", events+"/b", `merge {"lastTimestamp":"`+w.loop.Now().Format(time.RFC3339)+`"}`, 200)
	after(59*time.Minute, "b")
	create("c")
	after(2*time.Minute, "c")
	after(62 * time.Minute)
	create("d")
	after(59*time.Minute, "d")
	after(2 * time.Minute)
}

// TestAccept: a list can be had as a table, the answer to a question cannot.
func TestAccept(t *testing.T) {
	const table = "application/json;as=Table;v=v1;g=meta.k8s.io"
	w := newWorld(t)
	for _, tt := range []struct {
		method, path, accept string
		code                 int
	}{
		{"GET", pods, table, 200},
		{"GET", pods, "text/html", 406},
		{"GET", pods, "application/json;as=Nonsense;v=v1,application/json", 200},
		{"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "application/json", 201},
		{"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", table, 406},
		{"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", table + ",application/json", 201},
	} {
		body := ""
		if tt.method == "POST" {
			body = `{"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}}`
		}
		resp := w.api.ServeREST(&apiserver.RESTRequest{User: "admin", Method: tt.method, Path: tt.path, Accept: tt.accept, Body: []byte(body)})
		if resp.Code != tt.code {
			t.Errorf("%s %s, Accept %s: got %d, want %d: %s", tt.method, tt.path, tt.accept, resp.Code, tt.code, resp.Body)
		}
	}
}
