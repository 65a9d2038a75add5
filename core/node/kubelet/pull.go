package kubelet

import (
	"errors"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/node/image"
)

// mustPull reports whether the container's image has to be fetched before it can start.
func (u *unit) mustPull() bool {
	if u.spec.ImagePullPolicy == corev1.PullAlways {
		return true
	}
	_, ok := u.worker.kubelet.cfg.Images.Find(u.spec.Image)
	return !ok
}

// ensureImage gets the container's image onto the node, and then starts the container.
//
// Models pkg/kubelet/images image_manager.go EnsureImageExists.
func (u *unit) ensureImage() {
	images := u.worker.kubelet.cfg.Images
	if _, err := image.Parse(u.spec.Image); err != nil {
		message := "Failed to apply default image tag " + strconv.Quote(u.spec.Image) + ": couldn't parse image name " + strconv.Quote(u.spec.Image) + ": " + err.Error()
		u.event(corev1.EventTypeWarning, "InspectFailed", message)
		u.pullFailed("InvalidImageName", message)
		return
	}
	img, present := images.Find(u.spec.Image)
	switch policy := u.spec.ImagePullPolicy; {
	case present && policy != corev1.PullAlways:
		u.image = img
		u.launch("Container image " + strconv.Quote(u.spec.Image) + " already present on machine and can be accessed by the pod")
		return
	case policy == corev1.PullNever:
		message := "Container image " + strconv.Quote(u.spec.Image) + " is not present with pull policy of Never"
		u.event(corev1.EventTypeWarning, "ErrImageNeverPull", message)
		u.pullFailed("ErrImageNeverPull", message)
		return
	}
	u.event(corev1.EventTypeNormal, "Pulling", "Pulling image "+strconv.Quote(u.spec.Image))
	u.stage = pulling
	asked, name := u.worker.now(), u.spec.Image
	images.Pull(name, func(p image.Pulled) {
		if u.stage != pulling || u.worker.over || u.worker.stopping || u.spec.Image != name {
			return
		}
		u.worker.note("image pull ends", func() { u.pulled(p, asked) })
	})
}

// pulled is the end of a pull.
func (u *unit) pulled(p image.Pulled, asked time.Time) {
	name := strconv.Quote(u.spec.Image)
	if p.Err != nil {
		message := p.Err.Error()
		u.event(corev1.EventTypeWarning, "Failed", "Failed to pull image "+name+": "+message)
		var pe *image.PullError
		if errors.As(p.Err, &pe) && pe.Hint != "" {
			u.worker.kubelet.cfg.Trace.Step("hint", pe.Hint)
		}
		u.pullFailed("ErrImagePull", message)
		return
	}
	u.pull, u.pullErr = backoff{}, ""
	u.image = p.Image
	waited := u.worker.now().Sub(asked).Truncate(time.Millisecond)
	u.event(corev1.EventTypeNormal, "Pulled", "Successfully pulled image "+name+" in "+p.Took.Truncate(time.Millisecond).String()+
		" ("+waited.String()+" including waiting). Image size: "+strconv.FormatInt(p.Image.Size, 10)+" bytes.")
	u.launch("")
}

// resyncPeriod is how soon a kubelet looks again at a pod that it could not bring further.
const resyncPeriod = 15 * time.Second

// pullFailed shows why the image cannot be had and tries again: after a back-off where a registry said no,
// which the status shows as ImagePullBackOff from the kubelet's next look at the pod on.
func (u *unit) pullFailed(reason, message string) {
	u.event(corev1.EventTypeWarning, "Failed", "Error: "+reason)
	u.wait(reason, message)
	u.stage = waiting
	if reason != "ErrImagePull" {
		u.after(resyncPeriod, "image is looked for again", u.ensureImage)
		return
	}
	now := u.worker.now()
	u.pull.next(now, now)
	u.pullErr = reason + ": " + message
	retry := now.Add(u.pull.delay)
	u.after(min(resyncPeriod, u.pull.delay/2), "image back-off is noticed", func() {
		text := "Back-off pulling image " + strconv.Quote(u.spec.Image)
		u.event(corev1.EventTypeNormal, "BackOff", text)
		u.event(corev1.EventTypeWarning, "Failed", "Error: ImagePullBackOff")
		u.wait("ImagePullBackOff", text+": "+u.pullErr)
		u.after(retry.Sub(u.worker.now()), "image pull back-off ends", u.ensureImage)
	})
}
