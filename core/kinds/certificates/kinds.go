// Package certificates holds the kinds of the certificates.k8s.io group.
package certificates

import (
	certificatesv1 "k8s.io/api/certificates/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := certificatesv1.SchemeGroupVersion
	return kinds.Assemble(strategies(), columns(), []*kinds.Kind{
		kinds.Of[certificatesv1.CertificateSigningRequest, certificatesv1.CertificateSigningRequestList](v1, kinds.Kind{Resource: "certificatesigningrequests", ShortNames: []string{"csr"}, HasStatus: true, Subresources: []string{"approval"}}),
		kinds.Of[certificatesv1.ClusterTrustBundle, certificatesv1.ClusterTrustBundleList](v1, kinds.Kind{Resource: "clustertrustbundles"}),
		kinds.Of[certificatesv1.PodCertificateRequest, certificatesv1.PodCertificateRequestList](v1, kinds.Kind{Resource: "podcertificaterequests", Namespaced: true, HasStatus: true}),
	})
}
