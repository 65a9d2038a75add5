package core

import (
	"encoding/json"
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func secrets() kinds.Strategy {
	return kinds.Strategy{
		Default:          defaultSecret,
		PrepareForUpdate: prepareSecretUpdate,
		Validate:         validateSecret,
		ValidateUpdate:   validateSecretUpdate,
		Warnings:         secretWarnings,
		FieldNames:       []string{"type"},
		Fields: func(obj kinds.Object) fields.Set {
			return fields.Set{"type": string(obj.(*corev1.Secret).Type)}
		},
	}
}

// defaultSecret makes a secret opaque where it names no type, and moves stringData, which is only for
// writing, into data.
//
// Models pkg/apis/core/v1 Convert_v1_Secret_To_core_Secret for stringData.
func defaultSecret(obj kinds.Object) {
	s := obj.(*corev1.Secret)
	if s.Type == "" {
		s.Type = corev1.SecretTypeOpaque
	}
	if len(s.StringData) == 0 {
		s.StringData = nil
		return
	}
	data := maps.Clone(s.Data)
	if data == nil {
		data = map[string][]byte{}
	}
	for k, v := range s.StringData {
		data[k] = []byte(v)
	}
	s.Data, s.StringData = data, nil
}

func prepareSecretUpdate(obj, old kinds.Object) {
	s, was := obj.(*corev1.Secret), old.(*corev1.Secret)
	if s.Type == "" {
		s.Type = was.Type
	}
}

// validateSecret checks keys, size and what the type demands.
//
// Models pkg/apis/core/validation ValidateSecret.
func validateSecret(obj kinds.Object) field.ErrorList {
	s := obj.(*corev1.Secret)
	var e check.Errors
	size := 0
	data := check.Root("data")
	for _, k := range check.Keys(s.Data) {
		key := data.Key(k)
		e.ConfigMapKey(&key, "", k)
		size += len(s.Data[k])
	}
	if size > corev1.MaxSecretSize {
		e.TooLong(&data, "", corev1.MaxSecretSize)
	}
	secretType(&e, &data, s)
	return e.List()
}

func secretType(e *check.Errors, at *check.Path, s *corev1.Secret) {
	needs := func(key string) {
		if _, ok := s.Data[key]; !ok {
			place := at.Key(key)
			e.Required(&place, "", "")
		}
	}
	switch s.Type {
	case corev1.SecretTypeServiceAccountToken:
		if s.Annotations[corev1.ServiceAccountNameKey] == "" {
			metadata := check.Root("metadata")
			annotations := metadata.Child("annotations")
			key := annotations.Key(corev1.ServiceAccountNameKey)
			e.Required(&key, "", "")
		}
	case corev1.SecretTypeDockercfg:
		needs(corev1.DockerConfigKey)
		secretJSON(e, at, s, corev1.DockerConfigKey)
	case corev1.SecretTypeDockerConfigJson:
		needs(corev1.DockerConfigJsonKey)
		secretJSON(e, at, s, corev1.DockerConfigJsonKey)
	case corev1.SecretTypeBasicAuth:
		_, user := s.Data[corev1.BasicAuthUsernameKey]
		_, password := s.Data[corev1.BasicAuthPasswordKey]
		if !user && !password {
			needs(corev1.BasicAuthUsernameKey)
			needs(corev1.BasicAuthPasswordKey)
		}
	case corev1.SecretTypeSSHAuth:
		if len(s.Data[corev1.SSHAuthPrivateKey]) == 0 {
			key := at.Key(corev1.SSHAuthPrivateKey)
			e.Required(&key, "", "")
		}
	case corev1.SecretTypeTLS:
		needs(corev1.TLSCertKey)
		needs(corev1.TLSPrivateKeyKey)
	}
}

func secretJSON(e *check.Errors, at *check.Path, s *corev1.Secret, key string) {
	data, ok := s.Data[key]
	if !ok {
		return
	}
	if err := json.Unmarshal(data, &map[string]any{}); err != nil {
		place := at.Key(key)
		e.Invalid(&place, "", "<secret contents redacted>", err.Error())
	}
}

func validateSecretUpdate(obj, old kinds.Object) field.ErrorList {
	s, was := obj.(*corev1.Secret), old.(*corev1.Secret)
	var e check.Errors
	if s.Type != was.Type {
		e.Invalid(nil, "type", s.Type, "field is immutable")
	}
	if isTrue(was.Immutable) {
		if !isTrue(s.Immutable) {
			e.Forbidden(nil, "immutable", immutableSet)
		}
		if !reflect.DeepEqual(s.Data, was.Data) {
			e.Forbidden(nil, "data", immutableSet)
		}
	}
	e.Add(validateSecret(s)...)
	return e.List()
}

// secretWarnings says when a TLS secret lacks a certificate or its key.
func secretWarnings(obj, _ kinds.Object) []string {
	s := obj.(*corev1.Secret)
	if s.Type != corev1.SecretTypeTLS {
		return nil
	}
	if wrong := checkKeyPair(s.Data[corev1.TLSCertKey], s.Data[corev1.TLSPrivateKeyKey]); wrong != "" {
		return []string{wrong}
	}
	return nil
}
