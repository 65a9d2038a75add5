package admissionregistration

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"mutatingadmissionpolicies": table.Of(mutatingPolicyCells, "Name", "#Mutations", "ParamKind", "Age"),
		"mutatingadmissionpolicybindings": table.Of(func(obj *admissionregistrationv1.MutatingAdmissionPolicyBinding, now table.Time) []any {
			return []any{obj.Name, obj.Spec.PolicyName, paramRef(obj.Spec.ParamRef), now.Age(obj)}
		}, "Name", "PolicyName", "ParamRef", "Age"),
		"mutatingwebhookconfigurations": table.Of(func(obj *admissionregistrationv1.MutatingWebhookConfiguration, now table.Time) []any {
			return []any{obj.Name, int64(len(obj.Webhooks)), now.Age(obj)}
		}, "Name", "#Webhooks", "Age"),
		"validatingadmissionpolicies": table.Of(validatingPolicyCells, "Name", "#Validations", "ParamKind", "Age"),
		"validatingadmissionpolicybindings": table.Of(func(obj *admissionregistrationv1.ValidatingAdmissionPolicyBinding, now table.Time) []any {
			return []any{obj.Name, obj.Spec.PolicyName, paramRef(obj.Spec.ParamRef), now.Age(obj)}
		}, "Name", "PolicyName", "ParamRef", "Age"),
		"validatingwebhookconfigurations": table.Of(func(obj *admissionregistrationv1.ValidatingWebhookConfiguration, now table.Time) []any {
			return []any{obj.Name, int64(len(obj.Webhooks)), now.Age(obj)}
		}, "Name", "#Webhooks", "Age"),
	}
}

func mutatingPolicyCells(obj *admissionregistrationv1.MutatingAdmissionPolicy, now table.Time) []any {
	return []any{obj.Name, int64(len(obj.Spec.Mutations)), paramKind(obj.Spec.ParamKind), now.Age(obj)}
}

func validatingPolicyCells(obj *admissionregistrationv1.ValidatingAdmissionPolicy, now table.Time) []any {
	return []any{obj.Name, int64(len(obj.Spec.Validations)), paramKind(obj.Spec.ParamKind), now.Age(obj)}
}

func paramKind(k *admissionregistrationv1.ParamKind) string {
	if k == nil {
		return "<unset>"
	}
	return k.APIVersion + "/" + k.Kind
}

// paramRef names the parameters; * stands for the namespace where none is given.
func paramRef(ref *admissionregistrationv1.ParamRef) string {
	switch {
	case ref != nil && ref.Name != "":
		return table.Or(ref.Namespace, "*") + "/" + ref.Name
	case ref != nil && ref.Selector != nil:
		return ref.Selector.String()
	}
	return "<unset>"
}
