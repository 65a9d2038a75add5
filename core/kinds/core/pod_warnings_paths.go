package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// A filePath is a path that a volume writes, and the source that it comes from.
type filePath struct{ path, source string }

func (p filePath) String() string {
	if p.source == "" {
		return quote(p.path)
	}
	return quote(p.path) + " (" + p.source + ")"
}

// overlaps reports whether two paths are the same or one is below the other.
func (p filePath) overlaps(other filePath) bool {
	if p.path == "" || other.path == "" {
		return false
	}
	a, b := p.path+"/", other.path+"/"
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// overlappingPaths warns of volumes that write a path twice.
//
// Models pkg/api/pod warningsForOverlappingVirtualPaths.
func (w *podWarner) overlappingPaths() {
	for i := range w.spec.Volumes {
		v := &w.spec.Volumes[i]
		if v.ConfigMap != nil {
			w.overlapping(v.Name, "ConfigMap "+quote(v.ConfigMap.Name), keyPaths(v.ConfigMap.Items, ""))
		}
		if v.Secret != nil {
			w.overlapping(v.Name, "Secret "+quote(v.Secret.SecretName), keyPaths(v.Secret.Items, ""))
		}
		if v.DownwardAPI != nil {
			w.overlapping(v.Name, "DownwardAPI", downwardPaths(v.DownwardAPI.Items, ""))
		}
		if v.Projected == nil {
			continue
		}
		var all []filePath
		for j := range v.Projected.Sources {
			s := &v.Projected.Sources[j]
			if *s == (corev1.VolumeProjection{}) {
				w.list = append(w.list, "volume "+quote(v.Name)+" (Projected) has no sources provided")
				continue
			}
			all = append(all, projectedPaths(s)...)
		}
		w.overlapping(v.Name, "Projected", all)
	}
}

func (w *podWarner) overlapping(volume, kind string, paths []filePath) {
	for i := range paths {
		paths[i].path = strings.TrimRight(paths[i].path, "/")
		for _, other := range paths[:i] {
			if paths[i].overlaps(other) {
				w.list = append(w.list, "volume "+quote(volume)+" ("+kind+"): overlapping paths: "+paths[i].String()+" with "+other.String())
			}
		}
	}
}

func projectedPaths(s *corev1.VolumeProjection) []filePath {
	switch {
	case s.ConfigMap != nil && s.ConfigMap.Items != nil:
		return keyPaths(s.ConfigMap.Items, "ConfigMap "+quote(s.ConfigMap.Name))
	case s.Secret != nil && s.Secret.Items != nil:
		return keyPaths(s.Secret.Items, "Secret "+quote(s.Secret.Name))
	case s.DownwardAPI != nil && s.DownwardAPI.Items != nil:
		return downwardPaths(s.DownwardAPI.Items, "DownwardAPI")
	case s.ServiceAccountToken != nil:
		return []filePath{{s.ServiceAccountToken.Path, "ServiceAccountToken"}}
	case s.ClusterTrustBundle != nil:
		name := ""
		if b := s.ClusterTrustBundle; b.Name != nil {
			name = *b.Name
		} else if b.SignerName != nil {
			name = *b.SignerName
		}
		return []filePath{{s.ClusterTrustBundle.Path, "ClusterTrustBundle " + quote(name)}}
	case s.PodCertificate != nil:
		return []filePath{
			{s.PodCertificate.CertificateChainPath, "PodCertificate chain"},
			{s.PodCertificate.KeyPath, "PodCertificate key"},
			{s.PodCertificate.CredentialBundlePath, "PodCertificate credential bundle"},
		}
	}
	return nil
}

func keyPaths(items []corev1.KeyToPath, source string) []filePath {
	paths := make([]filePath, len(items))
	for i := range items {
		paths[i] = filePath{items[i].Path, source}
	}
	return paths
}

func downwardPaths(items []corev1.DownwardAPIVolumeFile, source string) []filePath {
	paths := make([]filePath, len(items))
	for i := range items {
		paths[i] = filePath{items[i].Path, source}
	}
	return paths
}
