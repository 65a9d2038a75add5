package apiserver

import (
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A form is how an answer shows objects.
type form uint8

const (
	asJSON form = iota
	asYAML
	asTable
	asMetadata
)

// accepted picks the first form of an Accept header that is served. Kinds that are only questions have no
// metadata and no table.
func accepted(header string, question bool) (form, error) {
	if header == "" {
		return asJSON, nil
	}
	for _, part := range strings.Split(header, ",") {
		media, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		switch strings.TrimSpace(media) {
		case "application/json", "*/*", "application/*":
			if f, ok := formOf(params); ok && !(question && (f == asTable || f == asMetadata)) {
				return f, nil
			}
		case "application/yaml":
			return asYAML, nil
		}
	}
	err := apierrors.NewGenericServerResponse(406, "", schema.GroupResource{}, "", "", 0, true)
	err.ErrStatus.Reason = metav1.StatusReasonNotAcceptable
	err.ErrStatus.Message = "only the following media types are accepted: application/json, application/yaml"
	return asJSON, err
}

// formOf reads the parameters of a media type: as=Table;v=v1;g=meta.k8s.io.
func formOf(params string) (form, bool) {
	f := asJSON
	for _, p := range strings.Split(params, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		switch {
		case key == "as" && value == "Table":
			f = asTable
		case key == "as" && (value == "PartialObjectMetadata" || value == "PartialObjectMetadataList"):
			f = asMetadata
		case key == "as":
			return asJSON, false
		case key == "v" && value != "v1":
			return asJSON, false
		}
	}
	return f, true
}
