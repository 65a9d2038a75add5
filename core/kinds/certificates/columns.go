package certificates

import (
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"certificatesigningrequests": table.Of(signingRequestCells, "Name", "Age", "SignerName", "Requestor",
			"RequestedDuration", "Condition"),
		"clustertrustbundles": table.Of(trustBundleCells, "Name", "SignerName"),
		"podcertificaterequests": table.Of(podCertificateCells, "Name", "PodName", "ServiceAccountName", "NodeName",
			"SignerName", "State", "UnverifiedUserAnnotations"),
	}
}

func signingRequestCells(obj *certificatesv1.CertificateSigningRequest, now table.Time) []any {
	wanted := "<none>"
	if s := obj.Spec.ExpirationSeconds; s != nil {
		wanted = duration.HumanDuration(time.Duration(*s) * time.Second)
	}
	return []any{obj.Name, now.Age(obj), table.OrNone(obj.Spec.SignerName), obj.Spec.Username, wanted, state(obj)}
}

// state sums the conditions up; a denial outweighs an approval.
func state(obj *certificatesv1.CertificateSigningRequest) string {
	has := map[certificatesv1.RequestConditionType]bool{}
	for _, c := range obj.Status.Conditions {
		has[c.Type] = true
	}
	out := "Pending"
	if has[certificatesv1.CertificateDenied] {
		out = "Denied"
	} else if has[certificatesv1.CertificateApproved] {
		out = "Approved"
	}
	if has[certificatesv1.CertificateFailed] {
		out += ",Failed"
	}
	if len(obj.Status.Certificate) > 0 {
		out += ",Issued"
	}
	return out
}

func trustBundleCells(obj *certificatesv1.ClusterTrustBundle, _ table.Time) []any {
	return []any{obj.Name, table.OrNone(obj.Spec.SignerName)}
}

func podCertificateCells(obj *certificatesv1.PodCertificateRequest, _ table.Time) []any {
	state := "Pending"
	for _, c := range obj.Status.Conditions {
		switch c.Type {
		case certificatesv1.PodCertificateRequestConditionTypeIssued:
			state = "Issued"
		case certificatesv1.PodCertificateRequestConditionTypeDenied:
			state = "Denied"
		case certificatesv1.PodCertificateRequestConditionTypeFailed:
			state = "Failed"
		}
	}
	return []any{obj.Name, obj.Spec.PodName, obj.Spec.ServiceAccountName, string(obj.Spec.NodeName),
		obj.Spec.SignerName, state, labels.FormatLabels(obj.Spec.UnverifiedUserAnnotations)}
}
