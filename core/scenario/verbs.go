package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"rsc.io/script"

	"terrarium/core/apiserver"
	"terrarium/core/apply"
	"terrarium/core/cluster"
	"terrarium/core/kinds"
	"terrarium/core/kinds/codec"
)

// verbs are the commands that write.
func (s *Session) verbs() map[string]script.Cmd {
	return map[string]script.Cmd{
		"apply":     s.command("file...", "create the objects of YAML files, or patch those that exist", s.apply),
		"create":    s.command("file...", "create the objects of YAML files", s.create),
		"delete":    s.command("kind/name | kind [-l sel] [-cascade background|foreground|orphan] [-grace seconds]", "delete objects", s.delete),
		"scale":     s.command("kind/name replicas", "set an object's scale", s.scale),
		"set-image": s.command("kind/name container=image", "change an image in an object's pod template", s.setImage),
		"patch":     s.command("kind/name [-type merge|json|strategic] [-sub subresource] patch", "patch an object", s.patch),
		"label":     s.command("kind/name key=value|key- ...", "set or remove labels", s.meta("labels")),
		"annotate":  s.command("kind/name key=value|key- ...", "set or remove annotations", s.meta("annotations")),
	}
}

// documents decodes the objects of a file.
func documents(st *script.State, c *cluster.Cluster, file string, each func(codec.Document, kinds.Object, *kinds.Kind) error) error {
	data, err := os.ReadFile(st.Path(file))
	if err != nil {
		return err
	}
	docs, err := codec.Documents(data)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		obj, gvk, found, err := c.Codec.DecodeDocument(doc, nil, true)
		if err == nil && len(found) > 0 {
			err = codec.Strict(found)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		kind := c.Kinds.ByGVK(gvk)
		if kind.Namespaced && obj.GetNamespace() == "" {
			obj.SetNamespace(corev1.NamespaceDefault)
		}
		if err := each(doc, obj, kind); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) create(st *script.State, c *cluster.Cluster, args []string) (out string, err error) {
	for _, file := range args {
		err := documents(st, c, file, func(_ codec.Document, obj kinds.Object, kind *kinds.Kind) error {
			t := target{kind: kind, namespace: obj.GetNamespace(), name: obj.GetName()}
			out += said(kind, obj.GetName(), "created")
			return act(c, t.key(), func() error { _, err := t.api(c).Create(obj); return err })
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// said is how kubectl reports what it did.
func said(kind *kinds.Kind, name, verb string) string {
	resource := kind.Singular
	if kind.GVK.Group != "" {
		resource += "." + kind.GVK.Group
	}
	return resource + "/" + name + " " + verb + "\n"
}

// apply does what the editor's Apply does: the objects of a file, all or none, as `kubectl apply`.
func (s *Session) apply(st *script.State, c *cluster.Cluster, args []string) (out string, err error) {
	read := func(rr *apiserver.RESTRequest) *apiserver.RESTResponse { return c.API.ServeREST(rr) }
	applier := apply.New(apply.Config{Kinds: c.Kinds, Codec: c.Codec, User: cluster.Admin, Write: c.Serve, Read: read})
	for _, file := range args {
		data, err := os.ReadFile(st.Path(file))
		if err != nil {
			return out, err
		}
		answer := applier.Apply(apply.Request{Text: string(data)})
		for _, r := range answer.Results {
			out += said(c.Kinds.ByStorageResource(r.Resource), r.Name, r.Verb)
		}
		for _, p := range answer.Errors {
			return out, fmt.Errorf("%s:%d: %s: %s", file, p.Line, p.Field, p.Message)
		}
	}
	return out, nil
}

func (s *Session) delete(_ *script.State, c *cluster.Cluster, args []string) (out string, err error) {
	opts, rest, err := parse(args, "cascade", "grace")
	if err != nil {
		return "", err
	}
	var del metav1.DeleteOptions
	if how, ok := opts.set["cascade"]; ok {
		policy := metav1.DeletionPropagation(strings.ToUpper(how[:1]) + how[1:])
		del.PropagationPolicy = &policy
	}
	if text, ok := opts.set["grace"]; ok {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "", err
		}
		del.GracePeriodSeconds = &n
	}
	for _, what := range rest {
		t, err := find(c, opts, what)
		if err != nil {
			return out, err
		}
		objs, err := t.list(c)
		if err != nil {
			return out, err
		}
		for _, o := range objs {
			one := target{kind: t.kind, namespace: o.GetNamespace(), name: o.GetName()}
			if err := act(c, one.key(), func() error { return one.api(c).Delete(one.namespace, one.name, del) }); err != nil {
				return out, err
			}
			out += said(t.kind, o.GetName(), "deleted")
		}
	}
	return out, nil
}

// change patches one object.
func change(c *cluster.Cluster, what string, opts options, pt types.PatchType, sub string, body any) error {
	t, err := find(c, opts, what)
	if err != nil {
		return err
	}
	data, ok := body.(string)
	if !ok {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		data = string(encoded)
	}
	return act(c, t.key(), func() error {
		_, err := t.api(c).Patch(t.namespace, t.name, pt, []byte(data), sub)
		return err
	})
}

func (s *Session) scale(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	opts, rest, err := parse(args)
	if err != nil || len(rest) != 2 {
		return "", usage(err)
	}
	return "", change(c, rest[0], opts, types.MergePatchType, "scale", `{"spec":{"replicas":`+rest[1]+`}}`)
}

func usage(err error) error {
	if err == nil {
		return errors.New("wrong number of arguments: see help")
	}
	return err
}

func (s *Session) setImage(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	opts, rest, err := parse(args)
	if err != nil || len(rest) != 2 {
		return "", usage(err)
	}
	name, image := cut(rest[1], '=')
	containers := []any{map[string]any{"name": name, "image": image}}
	return "", change(c, rest[0], opts, types.StrategicMergePatchType, "",
		map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": containers}}}})
}

func (s *Session) patch(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	opts, rest, err := parse(args, "type", "sub")
	if err != nil || len(rest) != 2 {
		return "", usage(err)
	}
	types := map[string]types.PatchType{"": types.MergePatchType, "merge": types.MergePatchType, "json": types.JSONPatchType, "strategic": types.StrategicMergePatchType}
	pt, ok := types[opts.set["type"]]
	if !ok {
		return "", fmt.Errorf("there is no patch type %q", opts.set["type"])
	}
	return "", change(c, rest[0], opts, pt, opts.set["sub"], rest[1])
}

// meta returns the command that sets or removes labels or annotations.
func (s *Session) meta(field string) func(*script.State, *cluster.Cluster, []string) (string, error) {
	return func(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
		opts, rest, err := parse(args)
		if err != nil || len(rest) < 2 {
			return "", usage(err)
		}
		values := map[string]any{}
		for _, pair := range rest[1:] {
			key, value, set := strings.Cut(pair, "=")
			if set {
				values[key] = value
			} else {
				values[strings.TrimSuffix(pair, "-")] = nil
			}
		}
		return "", change(c, rest[0], opts, types.MergePatchType, "", map[string]any{"metadata": map[string]any{field: values}})
	}
}
