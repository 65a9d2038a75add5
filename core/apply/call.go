package apply

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/apiserver"
	"terrarium/core/apiserver/patch"
	"terrarium/core/kinds"
)

// Codes of answers; package net/http would cost the page a megabyte.
const (
	codeOK       = 200
	codeNotFound = 404
	codeConflict = 409
)

const (
	strategicPatch = "application/strategic-merge-patch+json"
	// conflictRetries is how often a patch is made anew when the object changed meanwhile.
	//
	// Models k8s.io/kubectl pkg/cmd/apply maxPatchRetry.
	conflictRetries = 5
)

// A call is the way of one document through the API server.
type call struct {
	*Applier
	doc    *document
	base   *Base
	force  bool
	dryRun bool

	live, after []byte // JSON of the object before and after; live is nil when it did not exist
	verb        string // empty: refused
	warnings    []string
	problems    []Problem
	status      metav1.Status // of the refusal
	conflict    *Conflict
	revision    kinds.Revision
}

// apply sends the document.
//
// Models k8s.io/kubectl pkg/cmd/apply ApplyOptions.applyOneObject.
func (c *call) apply() {
	for range conflictRetries {
		c.problems, c.warnings, c.status = nil, nil, metav1.Status{}
		switch resp := c.get(); {
		case resp.Code == codeNotFound:
			c.create()
		case resp.Code != codeOK:
			c.refuse(resp)
		case c.base != nil:
			c.live = resp.Body
			c.edit()
		default:
			c.live = resp.Body
			c.patch()
		}
		if c.conflict != nil || c.status.Code != codeConflict {
			return
		}
	}
}

// modified is the document with the annotation that remembers it, and the document alone.
//
// Models k8s.io/kubectl pkg/util GetModifiedConfiguration.
func (c *call) modified() (data []byte, annotated map[string]any) {
	obj := maps.Clone(c.doc.plain)
	m := maps.Clone(meta(obj))
	annotations, _ := m["annotations"].(map[string]any)
	annotations = maps.Clone(annotations)
	if annotations == nil {
		annotations = make(map[string]any)
	}
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	m["annotations"] = annotations
	obj["metadata"] = m
	annotations[corev1.LastAppliedConfigAnnotation] = string(encode(obj)) + "\n"
	return encode(obj), obj
}

func (c *call) create() {
	body, _ := c.modified()
	if resp := c.send("POST", c.path(""), "application/json", body, "kubectl-client-side-apply"); c.took(resp) {
		c.verb = Created
	}
}

func (c *call) patch() {
	live, err := object(c.live)
	if err != nil {
		c.fail(err)
		return
	}
	annotations, _ := meta(live)["annotations"].(map[string]any)
	last, ok := annotations[corev1.LastAppliedConfigAnnotation].(string)
	if !ok {
		c.warnings = append(c.warnings, "resource "+c.doc.kind.Resource+"/"+c.doc.key.Name+
			" is missing the "+corev1.LastAppliedConfigAnnotation+" annotation which is required by kubectl apply."+
			" kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply."+
			" The missing annotation will be patched automatically.")
	}
	modified, _ := c.modified()
	diff, err := patch.ThreeWay([]byte(last), modified, c.live, c.doc.kind)
	if err != nil {
		c.fail(err)
		return
	}
	if string(diff) == "{}" {
		c.verb, c.after = Unchanged, c.live
		return
	}
	if resp := c.send("PATCH", c.path(c.doc.key.Name), strategicPatch, diff, "kubectl-client-side-apply"); c.took(resp) {
		c.verb = Configured
	}
}

// edit sends what the text changes of the object it was opened from.
//
// Models k8s.io/kubectl pkg/cmd/util/editor visitToPatch. Differs: unless nothing that is edited changed since,
// the patch names the resourceVersion that was opened, so that the server refuses it; the last-applied
// annotation stays as it is.
func (c *call) edit() {
	base, err := c.baseObject()
	if err != nil {
		c.fail(err)
		return
	}
	live, err := object(c.live)
	if err != nil {
		c.fail(err)
		return
	}
	change, err := patch.TwoWay(encode(base), encode(c.doc.plain), c.doc.kind)
	if err != nil {
		c.fail(err)
		return
	}
	if string(change) == "{}" {
		c.verb, c.after = Unchanged, c.live
		return
	}
	now := c.baseOf(live)
	theirs := changedBetween(base, live)
	body := change
	if !c.force {
		version := c.base.ResourceVersion
		if len(theirs) == 0 {
			version = now.ResourceVersion
		}
		if body, err = withVersion(change, version); err != nil {
			c.fail(err)
			return
		}
	}
	resp := c.send("PATCH", c.path(c.doc.key.Name), strategicPatch, body, "kubectl-edit")
	switch {
	case resp.Code == codeConflict && len(theirs) > 0:
		c.conflict = c.compare(conflicting{base, live, change, now, theirs}, resp)
	case c.took(resp):
		c.verb = Edited
	}
}

// withVersion adds a resourceVersion to a patch.
func withVersion(change []byte, version string) ([]byte, error) {
	m, err := object(change)
	if err != nil {
		return nil, err
	}
	meta(m)["resourceVersion"] = version
	return encode(m), nil
}

// baseObject is the object that was opened, without what is not edited.
func (c *call) baseObject() (map[string]any, error) {
	docs, problems := c.parse(c.base.Text)
	if len(problems) > 0 || len(docs) != 1 {
		return nil, errors.New("the text that the object was opened with cannot be read")
	}
	return docs[0].plain, nil
}

func (c *call) get() *apiserver.RESTResponse {
	return c.cfg.Read(&apiserver.RESTRequest{User: c.cfg.User, Method: "GET", Path: c.path(c.doc.key.Name)})
}

func (c *call) send(method, path, contentType string, body []byte, manager string) *apiserver.RESTResponse {
	query := url.Values{"fieldManager": {manager}, "fieldValidation": {"Strict"}}
	do := c.cfg.Write
	if c.dryRun {
		query.Set("dryRun", "All")
		do = c.cfg.Read
	}
	return do(&apiserver.RESTRequest{User: c.cfg.User, Method: method, Path: path + "?" + query.Encode(), ContentType: contentType, Body: body})
}

// path is that of the object, or of all of its kind where name is empty.
func (c *call) path(name string) string { return pathOf(c.doc.kind, c.doc.key.Namespace, name) }

// pathOf is the path of an object in the API, or of all of its kind and namespace where name is empty.
func pathOf(k *kinds.Kind, namespace, name string) string {
	parts := []string{"", "apis", k.GVK.Group, k.GVK.Version}
	if k.GVK.Group == "" {
		parts = []string{"", "api", k.GVK.Version}
	}
	if k.Namespaced {
		parts = append(parts, "namespaces", url.PathEscape(namespace))
	}
	parts = append(parts, k.Resource)
	if name != "" {
		parts = append(parts, url.PathEscape(name))
	}
	return strings.Join(parts, "/")
}

// took notes what the server answered and reports whether it accepted.
func (c *call) took(resp *apiserver.RESTResponse) bool {
	if resp.Code >= 300 {
		c.refuse(resp)
		return false
	}
	c.after, c.revision = resp.Body, resp.Revision
	c.warnings = append(c.warnings, resp.Warnings...)
	return true
}

// refuse turns the server's Status into problems at their lines.
func (c *call) refuse(resp *apiserver.RESTResponse) {
	c.status = metav1.Status{}
	if err := json.Unmarshal(resp.Body, &c.status); err != nil || c.status.Message == "" {
		c.status.Message = "the server answered " + strconv.Itoa(resp.Code)
	}
	c.status.Code = int32(resp.Code)
	if c.status.Details != nil && c.status.Reason == metav1.StatusReasonInvalid {
		for _, cause := range c.status.Details.Causes {
			c.problems = append(c.problems, c.doc.problem(cause.Field, cause.Message))
		}
	}
	if len(c.problems) == 0 {
		c.problems = []Problem{c.doc.problem("metadata.name", c.status.Message)}
		c.problems[0].Field = ""
	}
}

func (c *call) fail(err error) {
	c.problems = append(c.problems, Problem{Line: c.doc.Line, Column: 1, Doc: c.doc.number, Message: err.Error()})
}

func (c *call) result() Result {
	r := Result{
		Line: c.doc.Line, Kind: c.doc.kind.GVK.Kind, Resource: c.doc.key.Resource, Namespace: c.doc.key.Namespace, Name: c.doc.key.Name,
		Verb: c.verb, Warnings: c.warnings,
	}
	if after, err := object(c.after); err == nil {
		r.ResourceVersion, _ = meta(after)["resourceVersion"].(string)
	}
	return r
}
