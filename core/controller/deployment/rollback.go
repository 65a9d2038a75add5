package deployment

import (
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// rollBack gives the Deployment the template of the revision that its deprecated annotation asks for
// (0 is the last one), and takes the annotation away. The revision itself rises in a later reconcile, when
// the old set is found to have the template. `kubectl rollout undo` patches the template itself and does
// not come here. Models rollback.
func (r *rollout) rollBack() error {
	if err := r.ensureFresh(); err != nil {
		return err
	}
	to, _ := rollbackTo(r.d)
	if to == 0 {
		if to = lastRevision(r.all()); to == 0 {
			r.event(corev1.EventTypeWarning, eventRevisionNotFound, "Unable to find last revision.")
			return r.clearRollback(r.d)
		}
	}
	for _, rs := range r.all() {
		if v, err := revision(rs); err == nil && v == to {
			return r.rollBackTo(rs, to)
		}
	}
	r.event(corev1.EventTypeWarning, eventRevisionNotFound, "Unable to find the revision to rollback to.")
	return r.clearRollback(r.d)
}

func (r *rollout) rollBackTo(rs *appsv1.ReplicaSet, to int64) error {
	if equalTemplates(&r.d.Spec.Template, &rs.Spec.Template) {
		r.event(corev1.EventTypeWarning, eventTemplateUnchanged,
			`The rollback revision contains the same template as current deployment "`+r.d.Name+`"`)
		return r.clearRollback(r.d)
	}
	next := *r.d
	next.Spec.Template = *withoutHashCopy(rs)
	next.Annotations = restored(r.d.Annotations, rs.Annotations)
	if err := r.clearRollback(&next); err != nil {
		return err
	}
	r.event(corev1.EventTypeNormal, eventRollback,
		`Rolled back deployment "`+r.d.Name+`" to revision `+strconv.FormatInt(to, 10))
	return nil
}

func withoutHashCopy(rs *appsv1.ReplicaSet) *corev1.PodTemplateSpec {
	t := withoutHash(&rs.Spec.Template)
	return t.DeepCopy()
}

// restored returns the Deployment's own annotations with those that the set got when its template was
// current, so that, for one, the change cause goes back with the template.
// Models SetDeploymentAnnotationsTo.
func restored(deployment, set map[string]string) map[string]string {
	out := make(map[string]string, len(deployment)+len(set))
	for k, v := range deployment {
		if own(k) {
			out[k] = v
		}
	}
	for k, v := range set {
		if !own(k) {
			out[k] = v
		}
	}
	return out
}

// clearRollback writes d without the annotation that asks for a rollback.
func (r *rollout) clearRollback(d *appsv1.Deployment) error {
	next := *d
	next.Annotations = maps.Clone(d.Annotations)
	delete(next.Annotations, appsv1.DeprecatedRollbackTo)
	updated, err := r.deploymentAPI.Update(&next)
	if err != nil {
		return err
	}
	r.writes.Wrote(r.key, deployments, updated)
	return nil
}
