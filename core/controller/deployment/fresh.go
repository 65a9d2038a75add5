package deployment

import (
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/controller/owner"
)

// noteRevision gives the fresh set, if there is one, the highest revision, and the Deployment the same.
// Models the first half of getNewReplicaSet.
func (r *rollout) noteRevision() error {
	if r.fresh == nil {
		return nil
	}
	annotations, changed := noted(r.d, r.fresh.Annotations, maxRevision(r.old)+1)
	if changed || r.fresh.Spec.MinReadySeconds != r.d.Spec.MinReadySeconds {
		next := *r.fresh
		next.Annotations, next.Spec.MinReadySeconds = annotations, r.d.Spec.MinReadySeconds
		if err := r.updateSet(&next); err != nil {
			return err
		}
	}
	r.setRevision(r.fresh.Annotations[revisionAnnotation])
	if limited(r.d) && getCondition(r.d.Status, appsv1.DeploymentProgressing) == nil {
		setCondition(&r.d.Status, condition(appsv1.DeploymentProgressing, corev1.ConditionTrue, reasonFound,
			`Found new replica set "`+r.fresh.Name+`"`, r.now))
	}
	return nil
}

func (r *rollout) setRevision(rev string) {
	if has, ok := r.d.Annotations[revisionAnnotation]; ok && has == rev {
		return
	}
	annotations := make(map[string]string, len(r.d.Annotations)+1)
	maps.Copy(annotations, r.d.Annotations)
	annotations[revisionAnnotation] = rev
	r.d.Annotations = annotations
}

// ensureFresh creates the set of the Deployment's template where there is none.
// Models the second half of getNewReplicaSet.
func (r *rollout) ensureFresh() error {
	if r.fresh != nil {
		return nil
	}
	rs, rev := r.newSet()
	created, err := r.setAPI.Create(rs)
	existed := apierrors.IsAlreadyExists(err)
	switch {
	case existed:
		if created, err = r.existing(rs.Name, err); err != nil {
			return err
		}
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		return err
	case err != nil:
		return r.createFailed(rs.Name, err)
	}
	r.fresh = created
	r.writes.Wrote(r.key, replicaSets, created)
	r.setRevision(rev)
	if existed {
		return nil
	}
	if n := replicas(created); n > 0 {
		r.event(corev1.EventTypeNormal, eventScaling, scaledText("up", created.Name, 0, n))
	}
	if limited(r.d) {
		setCondition(&r.d.Status, condition(appsv1.DeploymentProgressing, corev1.ConditionTrue, reasonCreated,
			`Created new replica set "`+created.Name+`"`, r.now))
	}
	return nil
}

// newSet returns the set to create and its revision.
func (r *rollout) newSet() (rs *appsv1.ReplicaSet, rev string) {
	d := r.d
	hash := templateHash(&d.Spec.Template, d.Status.CollisionCount)
	next := maxRevision(r.old) + 1
	annotations, _ := noted(d, nil, next)
	noteSizes(annotations, d)
	size := newSize(d, r.all(), 0)
	template := withHash(&d.Spec.Template, hash)
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: setName(d.Name, hash), Namespace: d.Namespace,
			Labels: maps.Clone(template.Labels), Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{owner.Reference(d, kind)},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &size, MinReadySeconds: d.Spec.MinReadySeconds,
			Selector: selectorWithHash(d.Spec.Selector, hash).DeepCopy(), Template: *template.DeepCopy(),
		},
	}, strconv.FormatInt(next, 10)
}

// existing returns the set of that name if it is the one to create: a slow cache did not know it. Else two
// templates have the same hash; a higher collision count, once written, gives the next try another.
func (r *rollout) existing(name string, exists error) (*appsv1.ReplicaSet, error) {
	rs, err := r.setAPI.Get(r.d.Namespace, name)
	if err != nil {
		return nil, err
	}
	if metav1.IsControlledBy(rs, r.d) && equalTemplates(&rs.Spec.Template, &r.d.Spec.Template) {
		return rs, nil
	}
	count := int32(1)
	if c := r.d.Status.CollisionCount; c != nil {
		count = *c + 1
	}
	r.d.Status.CollisionCount = &count
	if err := r.finish(r.d.Status); err != nil {
		return nil, err
	}
	return nil, exists
}

// createFailed says in the status and in an event why there is no fresh set, and returns err.
func (r *rollout) createFailed(name string, err error) error {
	message := `Failed to create new replica set "` + name + `": ` + err.Error()
	r.event(corev1.EventTypeWarning, reasonCreateError, message)
	if limited(r.d) {
		setCondition(&r.d.Status, condition(appsv1.DeploymentProgressing, corev1.ConditionFalse, reasonCreateError, message, r.now))
		if err := r.finish(r.d.Status); err != nil {
			return err
		}
	}
	return err
}
