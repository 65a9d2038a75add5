package core

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
)

const mountableSecretsAnnotation = "kubernetes.io/enforce-mountable-secrets"

func serviceAccounts() kinds.Strategy {
	return kinds.Strategy{
		PrepareForCreate: func(obj kinds.Object) { nameSecretsOnly(obj.(*corev1.ServiceAccount)) },
		PrepareForUpdate: func(obj, _ kinds.Object) { nameSecretsOnly(obj.(*corev1.ServiceAccount)) },
		Warnings:         serviceAccountWarnings,
	}
}

// nameSecretsOnly drops everything but the names of the account's secrets.
func nameSecretsOnly(a *corev1.ServiceAccount) {
	for _, s := range a.Secrets {
		if s != (corev1.ObjectReference{Name: s.Name}) {
			names := make([]corev1.ObjectReference, len(a.Secrets))
			for i := range a.Secrets {
				names[i].Name = a.Secrets[i].Name
			}
			a.Secrets = names
			return
		}
	}
}

func serviceAccountWarnings(obj, old kinds.Object) []string {
	if old != nil {
		if _, had := old.GetAnnotations()[mountableSecretsAnnotation]; had {
			return nil
		}
	}
	if _, has := obj.GetAnnotations()[mountableSecretsAnnotation]; has {
		return []string{"metadata.annotations[" + mountableSecretsAnnotation + "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"}
	}
	return nil
}
