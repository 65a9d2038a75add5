package apply

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
)

// coming are the objects that the documents so far make: a dry run makes none of them.
type coming map[kinds.Key]bool

// excuses reports whether a dry run refused a document only for want of what an earlier one makes: its
// namespace, or the service account or priority class of a pod.
func (made coming) excuses(c *call) bool {
	key := c.doc.key
	switch c.status.Reason {
	case metav1.StatusReasonNotFound:
		d := c.status.Details
		return d != nil && d.Kind == "namespaces" && d.Name == key.Namespace && made[kinds.Key{Resource: "namespaces", Name: key.Namespace}]
	case metav1.StatusReasonForbidden:
		spec, _ := c.doc.plain["spec"].(map[string]any)
		account, _ := spec["serviceAccountName"].(string)
		class, _ := spec["priorityClassName"].(string)
		return key.Resource == "pods" &&
			(made[kinds.Key{Resource: "serviceaccounts", Namespace: key.Namespace, Name: account}] && strings.Contains(c.status.Message, "error looking up service account") ||
				made[kinds.Key{Resource: "priorityclasses.scheduling.k8s.io", Name: class}] && strings.Contains(c.status.Message, "no PriorityClass with name"))
	}
	return false
}
