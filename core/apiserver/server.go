// Package apiserver is the request path: the only way to the store for everyone, controllers and people
// alike.
//
// A request passes these steps in order, each in a file of its own: authorize, find the object, admit
// (package admission), prepare and default, validate, commit, answer. Models k8s.io/apiserver
// pkg/endpoints/handlers and pkg/registry/generic/registry store.go.
//
// It promises: a request either takes effect as a whole, as one revision, or changes nothing; errors are
// *errors.StatusError with upstream's reasons and messages; a write that names a resourceVersion that is not the
// current one fails with Conflict.
//
// Requests are answered at once; how long they take in virtual time is added to the open trace span.
package apiserver

import (
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/apiserver/admission"
	"terrarium/core/kinds"
	"terrarium/core/kinds/codec"
	"terrarium/core/kinds/core"
	"terrarium/core/loop"
	"terrarium/core/store"
	"terrarium/core/trace"
)

// Config is what a Server is made of.
type Config struct {
	Loop    *loop.Loop
	Trace   *trace.Recorder
	Store   *store.Store
	Kinds   *kinds.Registry
	Codec   *codec.Codec
	Latency loop.Range // how long a request takes
}

// A Server answers requests.
type Server struct {
	loop    *loop.Loop
	trace   *trace.Recorder
	store   *store.Store
	kinds   *kinds.Registry
	codec   *codec.Codec
	admit   *admission.Chain
	latency loop.Range
	luck    *rand.Rand // latencies
	ids     *rand.Rand // uids and generated names
	dryIDs  *rand.Rand // those of dry runs, which must not change what happens later

	subresources map[string]kinds.Strategy // of the core group, by "resource/subresource"
	nextExpiry   time.Time                 // no event expires before
}

// New returns a server over the store.
func New(cfg Config) *Server {
	s := &Server{
		loop: cfg.Loop, trace: cfg.Trace, store: cfg.Store, kinds: cfg.Kinds, codec: cfg.Codec, latency: cfg.Latency,
		luck: cfg.Loop.Rand("apiserver latency"), ids: cfg.Loop.Rand("apiserver ids"), dryIDs: cfg.Loop.Rand("apiserver dry run ids"),
		subresources: core.SubresourceStrategies(),
	}
	s.admit = admission.New(s)
	return s
}

// Kinds returns the kinds that the server serves.
func (s *Server) Kinds() *kinds.Registry { return s.kinds }

// Now returns the server's time.
func (s *Server) Now() time.Time { return s.loop.Now() }

// Lookup returns the object kept under key, for admission plugins.
func (s *Server) Lookup(key kinds.Key) (kinds.Object, bool) { return s.store.Get(key) }

// All returns the objects kept under resource, for admission plugins.
func (s *Server) All(resource string) []kinds.Object {
	objs, _ := s.store.List(resource, "")
	return objs
}

// Do answers one request. The error, if any, is an *errors.StatusError.
func (s *Server) Do(req *Request) (*Response, error) {
	if s.trace.Current() != nil { // what belongs to no span (the editor's live check) leaves no trace
		s.trace.Spend(s.latency.Draw(s.luck))
	}
	if req.DryRun {
		ids := s.ids
		s.ids = s.dryIDs
		defer func() { s.ids = ids }()
	}
	if err := s.authorize(req); err != nil {
		return nil, err
	}
	switch req.Verb {
	case Get:
		return s.get(req)
	case List:
		return s.list(req)
	case Watch:
		return s.watch(req)
	case Create:
		return s.create(req)
	case Update:
		return s.update(req)
	case PatchVerb:
		return s.patch(req)
	case Delete:
		return s.delete(req)
	case DeleteCollection:
		return s.deleteCollection(req)
	}
	return nil, apierrors.NewMethodNotSupported(req.Kind.GVR().GroupResource(), string(req.Verb))
}

// step notes a stage of the request path where a person follows the request on the timeline.
func (s *Server) step(name string) {
	if span := s.trace.Current(); span != nil && span.Kind == trace.Request {
		s.trace.Step(name, "")
	}
}

func (s *Server) span() trace.SpanID {
	if span := s.trace.Current(); span != nil {
		return span.ID
	}
	return 0
}

func (s *Server) timestamp() metav1.Time {
	return metav1.Time{Time: s.loop.Now().Truncate(time.Second)}
}
