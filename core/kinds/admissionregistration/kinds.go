// Package admissionregistration holds the kinds of the admissionregistration.k8s.io group.
package admissionregistration

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := admissionregistrationv1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[admissionregistrationv1.MutatingAdmissionPolicy, admissionregistrationv1.MutatingAdmissionPolicyList](v1, kinds.Kind{Resource: "mutatingadmissionpolicies", Categories: []string{"api-extensions"}}),
		kinds.Of[admissionregistrationv1.MutatingAdmissionPolicyBinding, admissionregistrationv1.MutatingAdmissionPolicyBindingList](v1, kinds.Kind{Resource: "mutatingadmissionpolicybindings", Categories: []string{"api-extensions"}}),
		kinds.Of[admissionregistrationv1.MutatingWebhookConfiguration, admissionregistrationv1.MutatingWebhookConfigurationList](v1, kinds.Kind{Resource: "mutatingwebhookconfigurations", Categories: []string{"api-extensions"}}),
		kinds.Of[admissionregistrationv1.ValidatingAdmissionPolicy, admissionregistrationv1.ValidatingAdmissionPolicyList](v1, kinds.Kind{Resource: "validatingadmissionpolicies", Categories: []string{"api-extensions"}, HasStatus: true}),
		kinds.Of[admissionregistrationv1.ValidatingAdmissionPolicyBinding, admissionregistrationv1.ValidatingAdmissionPolicyBindingList](v1, kinds.Kind{Resource: "validatingadmissionpolicybindings", Categories: []string{"api-extensions"}}),
		kinds.Of[admissionregistrationv1.ValidatingWebhookConfiguration, admissionregistrationv1.ValidatingWebhookConfigurationList](v1, kinds.Kind{Resource: "validatingwebhookconfigurations", Categories: []string{"api-extensions"}}),
	})
}
