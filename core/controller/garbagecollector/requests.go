package garbagecollector

import (
	"encoding/json"
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/client"
	"terrarium/core/controller/owner"
	"terrarium/core/kinds"
)

// conflictTries is how often a finalizer's removal is tried when others write the object meanwhile.
const conflictTries = 5

func (c *Controller) kindOf(apiVersion, kind string) *kinds.Kind {
	return c.api.Kinds().ByGVK(schema.FromAPIVersionAndKind(apiVersion, kind))
}

// resource returns the requests about id's kind and the namespace to make them in.
func (c *Controller) resource(id identity) (r client.Resource[kinds.Object], namespace string, err error) {
	kind := c.kindOf(id.APIVersion, id.Kind)
	if kind == nil {
		return r, "", errors.New("unable to get REST mapping for " + id.APIVersion + "/" + id.Kind + ".")
	}
	if kind.Namespaced {
		namespace = id.Namespace
		if namespace == "" {
			return r, "", errNamespacedOwner
		}
	}
	return client.Any(c.api, kind), namespace, nil
}

func (c *Controller) get(id identity) (kinds.Object, error) {
	r, ns, err := c.resource(id)
	if err != nil {
		return nil, err
	}
	return r.Get(ns, id.Name)
}

// delete deletes the object as it was read. If it changed since, it is deleted all the same as long as its
// owners are the same. Models deleteObject.
func (c *Controller) delete(n *node, latest kinds.Object, policy metav1.DeletionPropagation) error {
	r, ns, err := c.resource(n.id)
	if err != nil {
		return err
	}
	uid, version := n.id.UID, latest.GetResourceVersion()
	opts := metav1.DeleteOptions{
		PropagationPolicy: &policy, Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version},
	}
	err = r.Delete(ns, n.id.Name, opts)
	if apierrors.IsConflict(err) {
		live, liveErr := r.Get(ns, n.id.Name)
		if liveErr != nil {
			err = liveErr
		} else if live.GetUID() == uid && equality.Semantic.DeepEqual(live.GetOwnerReferences(), latest.GetOwnerReferences()) {
			opts.Preconditions.ResourceVersion = nil
			err = r.Delete(ns, n.id.Name, opts)
		}
	}
	if apierrors.IsNotFound(err) {
		c.graph.gone(n.id, true)
		return nil
	}
	return err
}

// patchRefs merges owner references into the object.
func (c *Controller) patchRefs(n *node, refs ...any) error {
	r, ns, err := c.resource(n.id)
	if err != nil {
		return err
	}
	_, err = r.Patch(ns, n.id.Name, types.StrategicMergePatchType, owner.MetadataPatch(n.id.UID, refs...), "")
	return err
}

// removeFinalizer takes the finalizer off the object.
func (c *Controller) removeFinalizer(id identity, finalizer string) error {
	r, ns, err := c.resource(id)
	if err != nil {
		return err
	}
	for range conflictTries {
		obj, getErr := r.Get(ns, id.Name)
		if apierrors.IsNotFound(getErr) {
			return nil
		}
		if getErr != nil {
			return getErr
		}
		left := slices.DeleteFunc(slices.Clone(obj.GetFinalizers()), func(f string) bool { return f == finalizer })
		if len(left) == len(obj.GetFinalizers()) {
			return nil
		}
		_, err = r.Patch(ns, id.Name, types.MergePatchType, finalizersPatch(obj.GetResourceVersion(), left), "")
		if !apierrors.IsConflict(err) {
			return err
		}
	}
	return err
}

func finalizersPatch(resourceVersion string, finalizers []string) []byte {
	var patch struct {
		Metadata struct {
			ResourceVersion string   `json:"resourceVersion"`
			Finalizers      []string `json:"finalizers"`
		} `json:"metadata"`
	}
	patch.Metadata.ResourceVersion, patch.Metadata.Finalizers = resourceVersion, finalizers
	data, err := json.Marshal(&patch)
	if err != nil {
		panic("BUG: garbagecollector: " + err.Error())
	}
	return data
}
