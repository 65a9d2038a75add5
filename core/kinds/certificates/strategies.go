package certificates

import (
	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/fields"

	"terrarium/core/kinds"
)

// strategies returns how objects of each resource of the group are treated.
func strategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{
		"certificatesigningrequests": {
			FieldNames: []string{"spec.signerName"},
			Fields: func(obj kinds.Object) fields.Set {
				return fields.Set{"spec.signerName": obj.(*certificatesv1.CertificateSigningRequest).Spec.SignerName}
			},
		},
		"clustertrustbundles": {
			FieldNames: []string{"spec.signerName"},
			Fields: func(obj kinds.Object) fields.Set {
				return fields.Set{"spec.signerName": obj.(*certificatesv1.ClusterTrustBundle).Spec.SignerName}
			},
		},
		"podcertificaterequests": {
			FieldNames: []string{"spec.signerName", "spec.podName", "spec.nodeName"},
			Fields: func(obj kinds.Object) fields.Set {
				spec := &obj.(*certificatesv1.PodCertificateRequest).Spec
				return fields.Set{
					"spec.signerName": spec.SignerName, "spec.podName": spec.PodName, "spec.nodeName": string(spec.NodeName),
				}
			},
		},
	}
}
