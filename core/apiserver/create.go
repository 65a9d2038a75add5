package apiserver

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/apiserver/admission"
	"terrarium/core/kinds"
	"terrarium/core/store"
	"terrarium/core/trace"
)

func (s *Server) create(req *Request) (*Response, error) {
	switch req.Subresource {
	case "":
	case "binding":
		return s.bind(req)
	case "eviction":
		return s.evict(req)
	default:
		return nil, apierrors.NewMethodNotSupported(req.Kind.GVR().GroupResource(), "create "+req.Subresource)
	}
	if isVirtual(req.Kind) {
		return s.review(req)
	}
	obj := req.Object
	if err := s.nameNew(req, obj); err != nil {
		return nil, err
	}
	s.step("admit")
	attrs := &admission.Attributes{Verb: string(Create), Kind: req.Kind, Object: obj, User: req.User}
	if err := s.admit.Mutate(attrs); err != nil {
		return nil, err
	}
	if obj.GetName() == "" && obj.GetGenerateName() != "" {
		obj.SetName(s.generateName(req.Kind, obj.GetNamespace(), obj.GetGenerateName()))
	}
	s.step("default")
	strategy := &req.Kind.Strategy
	if strategy.Default != nil {
		strategy.Default(obj)
	}
	if strategy.PrepareForCreate != nil {
		strategy.PrepareForCreate(obj)
	}
	if strategy.SpecChanged != nil {
		obj.SetGeneration(1)
	}
	s.step("validate")
	errs := validateMeta(req.Kind, obj)
	if strategy.Validate != nil {
		errs = append(errs, strategy.Validate(obj)...)
	}
	if len(errs) > 0 {
		return nil, apierrors.NewInvalid(req.Kind.GVK.GroupKind(), obj.GetName(), errs)
	}
	if err := s.admit.Validate(attrs); err != nil {
		return nil, err
	}
	resp := &Response{Object: obj, Created: true}
	if strategy.Warnings != nil && req.FromClient {
		resp.Warnings = strategy.Warnings(obj, nil)
	}
	return resp, s.commitNew(req, resp)
}

// commitNew stores a new object.
func (s *Server) commitNew(req *Request, resp *Response) error {
	s.step("store")
	obj := resp.Object
	key := req.Kind.Key(obj.GetNamespace(), obj.GetName())
	if req.DryRun {
		if _, exists := s.store.Get(key); exists {
			return s.alreadyExists(req, key.Name)
		}
		return nil
	}
	rev, err := s.store.Create(key, obj, s.span())
	if errors.Is(err, store.ErrExists) {
		return s.alreadyExists(req, key.Name)
	}
	if err != nil {
		return apierrors.NewInternalError(err)
	}
	resp.Revision = rev
	s.trace.Write(trace.Write{Verb: "create", Key: key, Revision: rev, After: obj})
	return nil
}

// alreadyExists is AlreadyExists, except that a generated name may be tried again.
func (s *Server) alreadyExists(req *Request, name string) error {
	err := apierrors.NewAlreadyExists(req.Kind.GVR().GroupResource(), name)
	s.trace.Write(trace.Write{Verb: "create", Key: req.Kind.Key(req.Namespace, name), Err: err.Error()})
	return err
}

// nameNew checks and completes the metadata of a new object: namespace, name, uid, creation time.
//
// Models k8s.io/apiserver pkg/registry/rest create.go BeforeCreate.
func (s *Server) nameNew(req *Request, obj kinds.Object) error {
	if err := matchNamespace(req, obj); err != nil {
		return err
	}
	if req.Name != "" && obj.GetName() != req.Name {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", obj.GetName(), req.Name))
	}
	if obj.GetResourceVersion() != "" {
		return apierrors.NewBadRequest("resourceVersion should not be set on objects to be created")
	}
	obj.SetUID(s.newUID())
	obj.SetCreationTimestamp(s.timestamp())
	obj.SetDeletionTimestamp(nil)
	obj.SetDeletionGracePeriodSeconds(nil)
	obj.SetSelfLink("")
	obj.SetManagedFields(nil)
	return nil
}

// matchNamespace puts the object into the request's namespace, or refuses one that names another.
func matchNamespace(req *Request, obj kinds.Object) error {
	if !req.Kind.Namespaced {
		if obj.GetNamespace() != "" && req.FromClient {
			obj.SetNamespace("")
		}
		return nil
	}
	switch obj.GetNamespace() {
	case req.Namespace:
	case "":
		obj.SetNamespace(req.Namespace)
	default:
		if req.Namespace != "" {
			return apierrors.NewBadRequest(fmt.Sprintf("the namespace of the provided object does not match the namespace sent on the request"))
		}
	}
	if obj.GetNamespace() == "" {
		return apierrors.NewBadRequest("an empty namespace may not be set during creation")
	}
	return nil
}

const (
	nameAlphabet   = "bcdfghjklmnpqrstvwxz2456789"
	suffixLength   = 5
	maxNameLength  = 63
	generateTries  = 8
	maxPrefixBytes = maxNameLength - suffixLength
)

// generateName returns prefix with a random suffix that no object of the kind has.
//
// Models k8s.io/apiserver pkg/storage/names generate.go and the retry of genericregistry.Store Create.
func (s *Server) generateName(kind *kinds.Kind, namespace, prefix string) string {
	if len(prefix) > maxPrefixBytes {
		prefix = prefix[:maxPrefixBytes]
	}
	var name string
	for range generateTries {
		b := make([]byte, 0, len(prefix)+suffixLength)
		b = append(b, prefix...)
		for range suffixLength {
			b = append(b, nameAlphabet[s.ids.IntN(len(nameAlphabet))])
		}
		name = string(b)
		if _, taken := s.store.Get(kind.Key(namespace, name)); !taken {
			break
		}
	}
	return name
}

// newUID returns a version 4 UUID from the loop's randomness.
func (s *Server) newUID() types.UID {
	const digits = "0123456789abcdef"
	hi, lo := s.ids.Uint64(), s.ids.Uint64()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(0xc000<<48) | 0x8000<<48
	var b [36]byte
	n := 0
	for i := range 32 {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b[n] = '-'
			n++
		}
		word := hi
		if i >= 16 {
			word = lo
		}
		b[n] = digits[word>>(60-4*(i%16))&0xf]
		n++
	}
	return types.UID(b[:])
}
