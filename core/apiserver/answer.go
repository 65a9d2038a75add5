package apiserver

import (
	"bytes"
	"encoding/json"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
)

// answer encodes the response to a call over the wire in the form it asked for.
func (s *Server) answer(c *restCall, resp *Response, as form) (*RESTResponse, error) {
	out := &RESTResponse{Code: 200, ContentType: "application/json", Warnings: resp.Warnings}
	if resp.Created {
		out.Code = 201
	}
	switch c.Verb {
	case Create, Update, PatchVerb, Delete, DeleteCollection:
		out.Revision = resp.Revision
	}
	var err error
	switch {
	case resp.Watch != nil:
		out.Watch, err = s.newEventEncoder(c, resp.Watch, as)
	case c.Verb == List || c.Verb == DeleteCollection:
		out.Body, err = s.encodeList(c, resp, as)
	case resp.Object == nil:
		out.Body, err = json.Marshal(done(c, nil))
	case c.Verb == Delete && resp.Object.GetDeletionTimestamp() != nil && deletable(c.Kind, resp.Object) && c.Kind.GVK.Kind != "Pod":
		out.Body, err = json.Marshal(done(c, resp.Object))
	default:
		out.Body, err = s.encodeOne(c, resp.Object, as)
	}
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	return out, nil
}

// done is the Status that answers a request whose object is gone, or that was only an order.
func done(c *restCall, obj kinds.Object) *metav1.Status {
	status := &metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess}
	if obj == nil {
		status.Code = 201
		return status
	}
	status.Details = &metav1.StatusDetails{Name: obj.GetName(), Group: c.Kind.GVK.Group, Kind: c.Kind.Resource, UID: obj.GetUID()}
	return status
}

func (s *Server) encodeOne(c *restCall, obj kinds.Object, as form) ([]byte, error) {
	switch as {
	case asTable:
		return json.Marshal(s.table(c, []kinds.Object{obj}, metav1.ListMeta{ResourceVersion: obj.GetResourceVersion()}, true))
	case asMetadata:
		return json.Marshal(metadataOf(obj))
	case asYAML:
		return s.codec.YAML(obj)
	}
	return s.codec.JSON(obj)
}

// encodeList writes a list piece by piece: there is no need to hold it as an object as well.
func (s *Server) encodeList(c *restCall, resp *Response, as form) ([]byte, error) {
	meta := metav1.ListMeta{ResourceVersion: strconv.FormatInt(int64(resp.Revision), 10)}
	if resp.Remaining > 0 {
		n := int64(resp.Remaining)
		meta.Continue = writeContinue(resp.List[len(resp.List)-1], resp.Revision)
		if c.Labels == nil && c.Fields == nil {
			meta.RemainingItemCount = &n
		}
	}
	if as == asTable {
		return json.Marshal(s.table(c, resp.List, meta, true))
	}
	var b bytes.Buffer
	kind, gv := c.Kind.GVK.Kind+"List", c.Kind.GVK.GroupVersion().String()
	if as == asMetadata {
		kind, gv = "PartialObjectMetadataList", "meta.k8s.io/v1"
	}
	head, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	b.WriteString(`{"kind":"` + kind + `","apiVersion":"` + gv + `","metadata":`)
	b.Write(head)
	b.WriteString(`,"items":[`)
	for i, o := range resp.List {
		if i > 0 {
			b.WriteByte(',')
		}
		item, err := s.encodeItem(o, as)
		if err != nil {
			return nil, err
		}
		b.Write(item)
	}
	b.WriteString("]}\n")
	return b.Bytes(), nil
}

// encodeItem is an object inside a list, which upstream writes without apiVersion and kind.
func (s *Server) encodeItem(o kinds.Object, as form) ([]byte, error) {
	if as == asMetadata {
		return json.Marshal(metadataOf(o))
	}
	return json.Marshal(o)
}

func metadataOf(o kinds.Object) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{Kind: "PartialObjectMetadata", APIVersion: "meta.k8s.io/v1"}}
	m.Name, m.GenerateName, m.Namespace = o.GetName(), o.GetGenerateName(), o.GetNamespace()
	m.UID, m.ResourceVersion, m.Generation = o.GetUID(), o.GetResourceVersion(), o.GetGeneration()
	m.CreationTimestamp, m.DeletionTimestamp, m.DeletionGracePeriodSeconds = o.GetCreationTimestamp(), o.GetDeletionTimestamp(), o.GetDeletionGracePeriodSeconds()
	m.Labels, m.Annotations = o.GetLabels(), o.GetAnnotations()
	m.OwnerReferences, m.Finalizers, m.ManagedFields = o.GetOwnerReferences(), o.GetFinalizers(), o.GetManagedFields()
	return m
}
