package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

// projected checks a volume that is put together from several sources.
//
// Models pkg/apis/core/validation validateProjectedVolumeSource.
func (v *podValidator) projected(at *check.Path, s *corev1.ProjectedVolumeSource) {
	v.fileMode(at, "defaultMode", s.DefaultMode)
	v.user(at, "defaultUser", s.DefaultUser)
	p := projection{podValidator: v, at: at}
	sources := at.Child("sources")
	for i := range s.Sources {
		source := sources.Index(i)
		p.source(&source, &s.Sources[i])
	}
}

// A projection remembers the paths that the sources of one volume have taken.
type projection struct {
	*podValidator
	at    *check.Path
	paths check.Set
}

// take notes a path and complains when a source has it already.
func (p *projection) take(path, value string) {
	if !p.paths.Add(path) {
		p.Invalid(p.at, "", value, "conflicting duplicate paths")
	}
}

func (p *projection) source(at *check.Path, s *corev1.VolumeProjection) {
	count := 0
	if s.Secret != nil {
		count++
		secret := at.Child("secret")
		p.keys(&secret, s.Secret.Name, s.Secret.Items)
	}
	if s.ConfigMap != nil {
		count++
		configMap := at.Child("configMap")
		p.keys(&configMap, s.ConfigMap.Name, s.ConfigMap.Items)
	}
	if s.DownwardAPI != nil {
		count++
		downward := at.Child("downwardAPI")
		for i := range s.DownwardAPI.Items {
			f := &s.DownwardAPI.Items[i]
			p.downwardFile(&downward, f)
			if f.Path != "" {
				p.take(f.Path, f.Path)
			}
		}
	}
	if s.ServiceAccountToken != nil {
		count++
		p.token(at, s.ServiceAccountToken)
	}
	if s.ClusterTrustBundle != nil {
		count++
		bundle := at.Child("clusterTrustBundle")
		p.trustBundle(&bundle, s.ClusterTrustBundle)
	}
	if s.PodCertificate != nil {
		count++
		certificate := at.Child("podCertificate")
		p.certificate(&certificate, s.PodCertificate)
	}
	if count > 1 {
		p.Forbidden(at, "", "may not specify more than 1 volume type per source")
	}
}

func (p *projection) keys(at *check.Path, name string, items []corev1.KeyToPath) {
	p.needs(at, "name", name)
	list := at.Child("items")
	for i := range items {
		item := list.Index(i)
		p.keyToPath(&item, &items[i])
		if items[i].Path != "" {
			p.take(items[i].Path, name)
		}
	}
}

func (p *projection) token(at *check.Path, t *corev1.ServiceAccountTokenProjection) {
	switch s := t.ExpirationSeconds; {
	case s == nil:
		p.Required(at, "serviceAccountToken.expirationSeconds", "")
	case *s < 10*60:
		p.Invalid(at, "serviceAccountToken.expirationSeconds", *s, "may not specify a duration less than 10 minutes")
	case *s > 1<<32:
		p.Invalid(at, "serviceAccountToken.expirationSeconds", *s, "may not specify a duration larger than 2^32 seconds")
	}
	// Upstream names the volume, not the source, as the place of the path.
	if t.Path == "" {
		p.Required(p.at, "path", "")
	} else if !p.rules.strangeTokenPath {
		p.localName(p.at, "path", t.Path)
	}
	p.user(at, "serviceAccountToken.user", t.User)
}

func (p *projection) trustBundle(at *check.Path, b *corev1.ClusterTrustBundleProjection) {
	switch {
	case b.Name != nil && b.SignerName != nil:
		p.Invalid(at, "", check.Internal(b), "only one of name and signerName may be used")
	case b.Name != nil:
		if *b.Name == "" {
			p.Required(at, "name", "must be a valid object name")
		}
		for _, msg := range trustBundleName(*b.Name) {
			p.Invalid(at, "name", *b.Name, "not a valid clustertrustbundlename: "+msg)
		}
		if b.LabelSelector != nil {
			p.Invalid(at, "labelSelector", b.LabelSelector, "labelSelector must be unset if name is specified")
		}
	case b.SignerName != nil:
		if *b.SignerName == "" {
			p.Required(at, "signerName", "must be a valid signer name")
		}
		SignerName(&p.Errors, at, "signerName", *b.SignerName)
		p.LabelSelector(at, "labelSelector", b.LabelSelector, false)
	default:
		p.Required(at, "", "either name or signerName must be specified")
	}
	p.needs(at, "path", b.Path)
	p.user(at, "user", b.User)
	p.localName(at, "path", b.Path)
	p.take(b.Path, b.Path)
}

// trustBundleName checks a name of a ClusterTrustBundle: a bundle of a signer starts with the signer's name,
// "/" as ":", and a last ":".
func trustBundleName(name string) []string {
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		signer := strings.ReplaceAll(name[:i], ":", "/")
		if prefix := strings.ReplaceAll(signer, "/", ":") + ":"; !strings.HasPrefix(name, prefix) {
			return []string{"ClusterTrustBundle for signerName " + signer + " must be named with prefix " + prefix}
		}
		name = name[i+1:]
	}
	return check.SubdomainName(name, false)
}

// Longest lifetimes of a pod's certificate, in seconds; Kubernetes' own signers give a day at most.
const (
	minCertificateSeconds           = 3600
	maxCertificateSeconds           = 91 * 86400
	maxKubernetesCertificateSeconds = 86400
)

func (p *projection) certificate(at *check.Path, c *corev1.PodCertificateProjection) {
	SignerName(&p.Errors, at, "signerName", c.SignerName)
	annotations := at.Child("userAnnotations")
	for _, k := range check.Keys(c.UserAnnotations) {
		p.Add(validation.IsDomainPrefixedKey(annotations.Field(), strings.ToLower(k))...)
	}
	p.user(at, "user", c.User)
	switch c.KeyType {
	case "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519":
	default:
		p.NotSupported(at, "keyType", c.KeyType, "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519")
	}
	if s := c.MaxExpirationSeconds; s != nil {
		limit := int64(maxCertificateSeconds)
		if host, _, _ := strings.Cut(c.SignerName, "/"); host == "kubernetes.io" || strings.HasSuffix(host, ".kubernetes.io") {
			limit = maxKubernetesCertificateSeconds
		}
		if *s < minCertificateSeconds {
			p.Invalid(at, "maxExpirationSeconds", *s, "if provided, maxExpirationSeconds must be >= 3600")
		}
		if int64(*s) > limit {
			p.Invalid(at, "maxExpirationSeconds", *s, "if provided, maxExpirationSeconds must be <= "+decimal(limit))
		}
	}
	if c.CredentialBundlePath == "" && c.KeyPath == "" && c.CertificateChainPath == "" {
		p.Required(at, "", "specify at least one of credentialBundlePath, keyPath, and certificateChainPath")
	}
	p.certificatePath(at, "credentialBundlePath", c.CredentialBundlePath)
	p.certificatePath(at, "keyPath", c.KeyPath)
	p.certificatePath(at, "certificateChainPath", c.CertificateChainPath)
}

func (p *projection) certificatePath(at *check.Path, child, path string) {
	if path != "" {
		p.localName(at, child, path)
		p.take(path, path)
	}
}

// SignerName checks the name of a signer of certificates: "domain/path".
//
// Models pkg/apis/core/validation ValidateSignerName.
func SignerName(e *check.Errors, at *check.Path, child, name string) {
	if name == "" {
		e.Required(at, child, "")
		return
	}
	domain, path, ok := strings.Cut(name, "/")
	if !ok || strings.Contains(path, "/") {
		e.Invalid(at, child, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")
		return
	}
	const longest = validation.DNS1123SubdomainMaxLength
	if len(domain) > longest {
		e.TooLong(at, child, longest)
	}
	labels := strings.Split(domain, ".")
	for _, label := range labels {
		if check.IsDNSLabel(label) {
			continue
		}
		for _, msg := range validation.IsDNS1123Label(label) {
			e.Invalid(at, child, domain, "validating label "+quote(label)+": "+msg)
		}
		break
	}
	if len(labels) < 2 {
		e.Invalid(at, child, domain, "should be a domain with at least two segments separated by dots")
	}
	for part := range strings.SplitSeq(path, ".") {
		if check.IsDNSSubdomain(part) {
			continue
		}
		for _, msg := range validation.IsDNS1123Subdomain(part) {
			e.Invalid(at, child, path, "validating label "+quote(part)+": "+msg)
		}
		break
	}
	if limit := longest + (longest + validation.DNS1123LabelMaxLength + 1) + 1; len(name) > limit {
		e.TooLong(at, child, limit)
	}
}
