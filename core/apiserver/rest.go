package apiserver

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/kinds"
)

// A RESTRequest is a request as it comes over a wire: HTTP, or a message from the page.
type RESTRequest struct {
	User        string
	Method      string // GET, POST, PUT, PATCH or DELETE
	Path        string // with or without a query
	ContentType string // of Body; empty is JSON, or YAML where it is not JSON
	Accept      string // as in HTTP; empty is JSON
	Body        []byte
}

// A RESTResponse answers a RESTRequest. Where Watch is set there is no body: the caller encodes each event
// with Encode as it comes.
type RESTResponse struct {
	Code        int
	ContentType string
	Body        []byte
	Warnings    []string
	// Revision is the newest that the answer speaks of: an answer to a write must not go out before this
	// revision is durable. 0 for reads.
	Revision kinds.Revision
	Watch    *EventEncoder
}

// ServeREST answers one request. It never fails: an error is an answer with a Status.
func (s *Server) ServeREST(rr *RESTRequest) *RESTResponse {
	resp, err := s.serveREST(rr)
	if err != nil {
		return s.errorResponse(err)
	}
	return resp
}

func (s *Server) serveREST(rr *RESTRequest) (*RESTResponse, error) {
	rawPath, rawQuery, _ := strings.Cut(rr.Path, "?")
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, apierrors.NewBadRequest("the query of the request cannot be read: " + err.Error())
	}
	unescaped, err := url.PathUnescape(rawPath)
	if err != nil {
		return nil, apierrors.NewBadRequest("the path of the request cannot be read: " + err.Error())
	}
	p, ok := parsePath(unescaped)
	if !ok {
		return s.serveDiscovery(rr, unescaped)
	}
	kind := s.kinds.ByGVR(p.gv.WithResource(p.resource))
	if kind == nil || !hasSubresource(kind, p.subresource) || p.namespace != "" && !kind.Namespaced {
		return nil, errNoResource()
	}
	req, err := s.restRequest(rr, p, kind, query)
	if err != nil {
		return nil, err
	}
	out, err := accepted(rr.Accept, isVirtual(kind))
	if err != nil {
		return nil, err
	}
	if req.Verb == Create && kind.Namespaced && req.Namespace == "" && !isVirtual(kind) {
		return nil, apierrors.NewBadRequest("an empty namespace may not be set during creation")
	}
	resp, err := s.Do(req.Request)
	if err != nil {
		return nil, err
	}
	resp.Warnings = append(req.warnings, resp.Warnings...)
	return s.answer(req, resp, out)
}

func hasSubresource(kind *kinds.Kind, name string) bool {
	return name == "" || name == "status" && kind.HasStatus || slices.Contains(kind.Subresources, name)
}

// errNoResource is what upstream answers for a path that names nothing it serves.
func errNoResource() error {
	err := apierrors.NewGenericServerResponse(404, "", schema.GroupResource{}, "", "", 0, true)
	err.ErrStatus.Message = "the server could not find the requested resource"
	return err
}

func (s *Server) errorResponse(err error) *RESTResponse {
	var se *apierrors.StatusError
	if !errors.As(err, &se) {
		se = apierrors.NewInternalError(err)
	}
	status := se.ErrStatus
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	body, err := json.Marshal(&status)
	if err != nil {
		body = []byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","code":500}`)
	}
	return &RESTResponse{Code: int(status.Code), ContentType: "application/json", Body: body}
}

// methodVerb returns the verb that an HTTP method means on a collection or on one object.
func methodVerb(method string, named, watch bool) (Verb, bool) {
	switch method {
	case "GET", "HEAD", "":
		switch {
		case watch:
			return Watch, true
		case named:
			return Get, true
		}
		return List, true
	case "POST":
		return Create, true
	case "PUT":
		return Update, named
	case "PATCH":
		return PatchVerb, named
	case "DELETE":
		if named {
			return Delete, true
		}
		return DeleteCollection, true
	}
	return "", false
}
