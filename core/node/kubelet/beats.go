package kubelet

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/trace"
)

// Upstream's periods.
const (
	leaseSeconds  = 40
	leasePeriod   = leaseSeconds * time.Second / 4
	statusPeriod  = 10 * time.Second // looked at
	statusReports = 5 * time.Minute  // written even when nothing changed
	leaseSpace    = "kube-node-lease"
)

// beats are the two ways in which a kubelet says that it lives.
type beats struct {
	lease, status *loop.Timer
	leased        *coordinationv1.Lease // as last written
	reported      time.Time
	images        int // version of the image list that the status has
}

// Join registers the node's state with the API and begins to beat: the machine is up.
func (k *Kubelet) Join() {
	k.span("node joins", func() {
		k.recorder.EventAbout(k.nodeRef(), corev1.EventTypeNormal, "Starting", "Starting kubelet.")
		k.reportNode(true)
		k.renewLease()
	})
	offset := time.Duration(k.luck.Int64N(int64(leasePeriod)))
	k.beats.lease = k.cfg.Loop.After(offset, k.label("lease renewal"), k.beatLease)
	k.beats.status = k.cfg.Loop.After(statusPeriod, k.label("node status"), k.beatStatus)
}

func (k *Kubelet) stopBeating() {
	k.beats.lease.Stop()
	k.beats.status.Stop()
	k.beats = beats{}
}

func (k *Kubelet) label(action string) loop.Label {
	return loop.Label{Component: "kubelet", Action: action, Object: k.cfg.Node}
}

func (k *Kubelet) nodeKey() kinds.Key { return kinds.Key{Resource: "nodes", Name: k.cfg.Node} }

// nodeRef names the node as kubelets do in events: by its name where others have the UID.
func (k *Kubelet) nodeRef() corev1.ObjectReference {
	return corev1.ObjectReference{Kind: "Node", Name: k.cfg.Node, UID: types.UID(k.cfg.Node)}
}

func (k *Kubelet) span(note string, fn func()) {
	span := k.cfg.Trace.Begin("kubelet", trace.Sync, k.nodeKey(), []trace.Trigger{{Note: note}})
	span.Node = k.cfg.Node
	fn()
	k.cfg.Trace.End(span, nil)
}

func (k *Kubelet) beatLease() {
	k.span("lease renewal", k.renewLease)
	k.beats.lease = k.cfg.Loop.After(leasePeriod, k.label("lease renewal"), k.beatLease)
}

func (k *Kubelet) beatStatus() {
	if k.beats.images != k.cfg.Images.Version() || k.cfg.Loop.Now().Sub(k.beats.reported) >= statusReports {
		k.span("node status", func() { k.reportNode(false) })
	}
	k.beats.status = k.cfg.Loop.After(statusPeriod, k.label("node status"), k.beatStatus)
}

// renewLease writes the lease, making it if it is not there.
//
// Models component-helpers apimachinery/lease controller.go.
func (k *Kubelet) renewLease() {
	leases := k.cfg.Client.Leases()
	now := metav1.MicroTime{Time: k.cfg.Loop.Now().Truncate(time.Microsecond)}
	if k.beats.leased == nil {
		if old, err := leases.Get(leaseSpace, k.cfg.Node); err == nil {
			k.beats.leased = old
		}
	}
	if old := k.beats.leased; old != nil {
		next := *old
		next.Spec.RenewTime = &now
		renewed, err := leases.Update(&next)
		if err == nil {
			k.beats.leased = renewed
			return
		}
		k.beats.leased = nil
		if !apierrors.IsNotFound(err) {
			return
		}
	}
	seconds := int32(leaseSeconds)
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: k.cfg.Node, Namespace: leaseSpace},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &k.cfg.Node, LeaseDurationSeconds: &seconds, RenewTime: &now},
	}
	if node, err := k.cfg.Client.Nodes().Get("", k.cfg.Node); err == nil {
		lease.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID}}
	}
	if made, err := leases.Create(lease); err == nil {
		k.beats.leased = made
	}
}
