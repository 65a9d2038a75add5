// Package authorization holds the kinds of the authorization.k8s.io group.
package authorization

import (
	authorizationv1 "k8s.io/api/authorization/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := authorizationv1.SchemeGroupVersion
	return []*kinds.Kind{
		kinds.Virtual[authorizationv1.LocalSubjectAccessReview](v1, kinds.Kind{Resource: "localsubjectaccessreviews", Namespaced: true}),
		kinds.Virtual[authorizationv1.SelfSubjectAccessReview](v1, kinds.Kind{Resource: "selfsubjectaccessreviews"}),
		kinds.Virtual[authorizationv1.SelfSubjectRulesReview](v1, kinds.Kind{Resource: "selfsubjectrulesreviews"}),
		kinds.Virtual[authorizationv1.SubjectAccessReview](v1, kinds.Kind{Resource: "subjectaccessreviews"}),
	}
}
