package apiserver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
	"terrarium/core/kinds/codec"
)

// A restCall is a Request with what only its answer over the wire needs.
type restCall struct {
	*Request
	gv        schema.GroupVersion
	warnings  []string
	bookmarks bool  // the watch wants bookmarks
	initial   bool  // the watch wants the present state first
	timeout   int64 // seconds; 0 is none
	// includeObject is what rows of a table carry: "None", "Metadata" (or empty) or "Object".
	includeObject string
}

// restRequest turns what came over the wire into a Request.
func (s *Server) restRequest(rr *RESTRequest, p path, kind *kinds.Kind, q url.Values) (*restCall, error) {
	watching := q.Get("watch") == "true" || q.Get("watch") == "1"
	verb, ok := methodVerb(rr.Method, p.name != "", watching)
	if !ok {
		return nil, apierrors.NewMethodNotSupported(kind.GVR().GroupResource(), rr.Method)
	}
	call := &restCall{gv: p.gv, Request: &Request{
		User: rr.User, Verb: verb, Kind: kind, Namespace: p.namespace, Name: p.name, Subresource: p.subresource, FromClient: true,
	}}
	if err := call.readOptions(q); err != nil {
		return nil, err
	}
	return call, s.readBody(call, rr, q)
}

func (c *restCall) readOptions(q url.Values) (err error) {
	if v := q.Get("labelSelector"); v != "" {
		if c.Labels, err = labels.Parse(v); err != nil {
			return apierrors.NewBadRequest(fmt.Sprintf("unable to parse requirement: %v", err))
		}
	}
	if v := q.Get("fieldSelector"); v != "" {
		if c.Fields, err = fields.ParseSelector(v); err != nil {
			return apierrors.NewBadRequest(err.Error())
		}
	}
	if c.Verb == Watch && c.Name != "" {
		c.Fields = fields.OneTermEqualSelector("metadata.name", c.Name)
	}
	if v := q.Get("resourceVersion"); v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 0 {
			return apierrors.NewBadRequest(fmt.Sprintf("invalid resource version %q", v))
		}
		// "At least this fresh" is met by the newest state; only an exact match reads the past.
		if c.Verb == Watch || q.Get("resourceVersionMatch") == "Exact" || c.Verb == Get {
			c.Revision = kinds.Revision(n)
		}
	}
	if v := q.Get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 {
			return apierrors.NewBadRequest(fmt.Sprintf("invalid limit %q", v))
		}
		c.Limit = n
	}
	if v := q.Get("continue"); v != "" {
		if c.Continue, c.Revision, err = readContinue(v); err != nil {
			return err
		}
	}
	for _, v := range q["dryRun"] {
		if v != metav1.DryRunAll {
			return apierrors.NewBadRequest(fmt.Sprintf("dryRun: Unsupported value: %q: supported values: \"All\"", v))
		}
		c.DryRun = true
	}
	c.timeout, _ = strconv.ParseInt(q.Get("timeoutSeconds"), 10, 64)
	c.includeObject = q.Get("includeObject")
	c.bookmarks = q.Get("allowWatchBookmarks") == "true"
	c.initial = q.Get("sendInitialEvents") == "true" || c.Verb == Watch && (q.Get("resourceVersion") == "" || q.Get("resourceVersion") == "0") && q.Get("sendInitialEvents") != "false"
	return nil
}

// readBody decodes the body as the verb wants it.
func (s *Server) readBody(c *restCall, rr *RESTRequest, q url.Values) error {
	if len(rr.Body) > maxBody {
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	}
	validation := q.Get("fieldValidation")
	switch validation {
	case "", "Warn", "Strict", "Ignore":
	default:
		return apierrors.NewBadRequest(fmt.Sprintf("fieldValidation: Unsupported value: %q: supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"", validation))
	}
	switch c.Verb {
	case Create, Update:
		obj, warnings, err := s.decodeBody(s.bodyKind(c), rr.Body, validation)
		if err != nil {
			return err
		}
		c.Object, c.warnings = obj, warnings
		if m, ok := obj.(interface{ GetName() string }); ok && c.Verb == Create && c.Name != "" && m.GetName() == "" {
			obj.SetName(c.Name)
		}
	case PatchVerb:
		pt, ok := patchType(rr.ContentType)
		if !ok {
			return unsupportedMedia(rr.ContentType)
		}
		c.Patch = &Patch{Type: pt, Data: rr.Body, FieldValidation: validation}
	case Delete, DeleteCollection:
		return s.readDeleteOptions(c, rr.Body, q)
	}
	return nil
}

// maxBody is upstream's limit for a request body, in bytes.
const maxBody = 3 * 1024 * 1024

func patchType(contentType string) (types.PatchType, bool) {
	ct, _, _ := strings.Cut(contentType, ";")
	switch pt := types.PatchType(strings.TrimSpace(ct)); pt {
	case types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType:
		return pt, true
	}
	return "", false
}

func unsupportedMedia(contentType string) error {
	err := apierrors.NewGenericServerResponse(415, "", schema.GroupResource{}, "", "", 0, true)
	err.ErrStatus.Message = fmt.Sprintf("the body of the request was in an unknown format - accepted media types include: %s, %s, %s (it was %q)",
		types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType, contentType)
	err.ErrStatus.Reason = metav1.StatusReasonUnsupportedMediaType
	return err
}

// readDeleteOptions reads them from the body and, over that, from the query.
func (s *Server) readDeleteOptions(c *restCall, body []byte, q url.Values) error {
	if len(body) > 0 {
		decode := json.Unmarshal
		if codec.IsProtobuf(body) {
			decode = func(data []byte, _ any) error { return s.codec.DecodeProtobufInto(data, &c.Delete) }
		}
		if err := decode(body, &c.Delete); err != nil {
			return apierrors.NewBadRequest("the DeleteOptions cannot be read: " + err.Error())
		}
		if len(c.Delete.DryRun) > 0 {
			c.DryRun = true
		}
	}
	if v := q.Get("gracePeriodSeconds"); v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return apierrors.NewBadRequest(fmt.Sprintf("invalid gracePeriodSeconds %q", v))
		}
		c.Delete.GracePeriodSeconds = &n
	}
	if v := q.Get("propagationPolicy"); v != "" {
		p := metav1.DeletionPropagation(v)
		c.Delete.PropagationPolicy = &p
	}
	if v := q.Get("orphanDependents"); v != "" {
		b := v == "true"
		c.Delete.OrphanDependents = &b
	}
	return nil
}

// A continueToken says where a chunked list goes on, in upstream's form.
type continueToken struct {
	APIVersion      string `json:"v"`
	ResourceVersion int64  `json:"rv"`
	StartKey        string `json:"start"`
}

func readContinue(s string) (kinds.Key, kinds.Revision, error) {
	var t continueToken
	data, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	if err != nil || t.APIVersion != "meta.k8s.io/v1" || t.ResourceVersion <= 0 {
		return kinds.Key{}, 0, apierrors.NewBadRequest("continue key is not valid: it must be the value that the server returned")
	}
	ns, name, _ := strings.Cut(t.StartKey, "/")
	return kinds.Key{Namespace: ns, Name: name}, kinds.Revision(t.ResourceVersion), nil
}

func writeContinue(last kinds.Object, rev kinds.Revision) string {
	data, _ := json.Marshal(continueToken{"meta.k8s.io/v1", int64(rev), last.GetNamespace() + "/" + last.GetName()})
	return base64.RawURLEncoding.EncodeToString(data)
}
