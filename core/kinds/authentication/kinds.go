// Package authentication holds the kinds of the authentication.k8s.io group.
package authentication

import (
	authenticationv1 "k8s.io/api/authentication/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := authenticationv1.SchemeGroupVersion
	return []*kinds.Kind{
		kinds.Virtual[authenticationv1.SelfSubjectReview](v1, kinds.Kind{Resource: "selfsubjectreviews"}),
		kinds.Virtual[authenticationv1.TokenReview](v1, kinds.Kind{Resource: "tokenreviews"}),
		kinds.Virtual[authenticationv1.TokenRequest](v1, kinds.Kind{Namespaced: true}), // only the body of a subresource
	}
}
