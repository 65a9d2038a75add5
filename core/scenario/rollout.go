package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"rsc.io/script"

	"terrarium/core/cluster"
	"terrarium/core/rollout"
)

func (s *Session) rolloutVerbs() map[string]script.Cmd {
	return map[string]script.Cmd{
		"rollout": s.command("status|pause|resume|restart|undo deployment/name [-to revision] [-for duration]",
			"what kubectl rollout does; status waits until the rollout is done, has failed, or -for (10m) is over", s.rollout),
	}
}

func (s *Session) rollout(_ *script.State, c *cluster.Cluster, args []string) (string, error) {
	opts, rest, err := parse(args, "to", "for")
	if err != nil || len(rest) != 2 {
		return "", usage(err)
	}
	t, err := find(c, opts, rest[1])
	if err != nil {
		return "", err
	}
	switch rest[0] {
	case "status":
		return rolloutStatus(c, t, opts)
	case "pause":
		return "", change(c, rest[1], opts, types.MergePatchType, "", `{"spec":{"paused":true}}`)
	case "resume":
		return "", change(c, rest[1], opts, types.MergePatchType, "", `{"spec":{"paused":false}}`)
	case "restart":
		at := c.Now().UTC().Format(time.RFC3339)
		return "", change(c, rest[1], opts, types.StrategicMergePatchType, "",
			`{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"`+at+`"}}}}}`)
	case "undo":
		to := int64(0)
		if text, ok := opts.set["to"]; ok {
			if to, err = strconv.ParseInt(text, 10, 64); err != nil {
				return "", err
			}
		}
		return "", act(c, t.key(), func() error { _, err := rollout.Undo(c.Client, t.namespace, t.name, to); return err })
	}
	return "", fmt.Errorf("rollout cannot %q", rest[0])
}

// rolloutStatus runs time until the rollout has an end, and says which.
// Models kubectl pkg/polymorphichelpers/rollout_status.go DeploymentStatusViewer.
func rolloutStatus(c *cluster.Cluster, t target, opts options) (text string, err error) {
	limit := 10 * time.Minute
	if f, ok := opts.set["for"]; ok {
		if limit, err = time.ParseDuration(f); err != nil {
			return "", err
		}
	}
	ended := until(c, limit, func() bool {
		obj, getErr := t.get(c)
		if getErr != nil {
			err = getErr
			return true
		}
		var done bool
		text, done, err = rolloutState(obj.(*appsv1.Deployment))
		return done
	})
	if !ended && err == nil {
		err = errors.New("the rollout has not ended: " + text)
	}
	return text + "\n", err
}

func rolloutState(d *appsv1.Deployment) (text string, done bool, err error) {
	if d.Generation > d.Status.ObservedGeneration {
		return "Waiting for deployment spec update to be observed...", false, nil
	}
	for _, cond := range d.Status.Conditions {
		if cond.Type == appsv1.DeploymentProgressing && cond.Reason == "ProgressDeadlineExceeded" {
			text = fmt.Sprintf("deployment %q exceeded its progress deadline", d.Name)
			return text, true, errors.New(text)
		}
	}
	st, want := d.Status, *d.Spec.Replicas
	switch {
	case st.UpdatedReplicas < want:
		return fmt.Sprintf("Waiting for deployment %q rollout to finish: %d out of %d new replicas have been updated...", d.Name, st.UpdatedReplicas, want), false, nil
	case st.Replicas > st.UpdatedReplicas:
		return fmt.Sprintf("Waiting for deployment %q rollout to finish: %d old replicas are pending termination...", d.Name, st.Replicas-st.UpdatedReplicas), false, nil
	case st.AvailableReplicas < st.UpdatedReplicas:
		return fmt.Sprintf("Waiting for deployment %q rollout to finish: %d of %d updated replicas are available...", d.Name, st.AvailableReplicas, st.UpdatedReplicas), false, nil
	}
	return fmt.Sprintf("deployment %q successfully rolled out", d.Name), true, nil
}
