package check

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation"
)

// The tests below say what the regular expressions of apimachinery's validation package say, about
// twenty times as fast; TestNamesAgree compares the two. Messages come from apimachinery.

func lower(c byte) bool    { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
func alnum(c byte) bool    { return lower(c) || 'A' <= c && c <= 'Z' }
func nameByte(c byte) bool { return alnum(c) || c == '-' || c == '_' || c == '.' }

// IsDNSLabel reports whether s is an RFC 1123 label.
func IsDNSLabel(s string) bool {
	return len(s) <= validation.DNS1123LabelMaxLength && dnsLabel(s)
}

func dnsLabel(s string) bool {
	if s == "" || !lower(s[0]) || !lower(s[len(s)-1]) {
		return false
	}
	for i := 1; i < len(s)-1; i++ {
		if !lower(s[i]) && s[i] != '-' {
			return false
		}
	}
	return true
}

// IsDNSSubdomain reports whether s is a lowercase RFC 1123 subdomain.
func IsDNSSubdomain(s string) bool {
	if len(s) > validation.DNS1123SubdomainMaxLength {
		return false
	}
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '.' {
			if !dnsLabel(s[start:i]) {
				return false
			}
			start = i + 1
		}
	}
	return dnsLabel(s[start:])
}

// IsQualifiedName reports whether s is a name of a label: "name" or "domain/name".
func IsQualifiedName(s string) bool {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		if !IsDNSSubdomain(s[:i]) {
			return false
		}
		s = s[i+1:]
	}
	return s != "" && IsLabelValue(s)
}

// IsLabelValue reports whether s may be the value of a label.
func IsLabelValue(s string) bool {
	if s == "" {
		return true
	}
	if len(s) > content.LabelValueMaxLength || !alnum(s[0]) || !alnum(s[len(s)-1]) {
		return false
	}
	for i := 1; i < len(s)-1; i++ {
		if !nameByte(s[i]) {
			return false
		}
	}
	return true
}

// IsConfigMapKey reports whether s may be a key of a ConfigMap or a Secret.
func IsConfigMapKey(s string) bool {
	if s == "" || len(s) > validation.DNS1123SubdomainMaxLength || strings.HasPrefix(s, "..") || s == "." {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !nameByte(s[i]) {
			return false
		}
	}
	return true
}

// IsEnvVarName reports whether s may name an environment variable (the relaxed rule: printable ASCII
// without '=').
func IsEnvVarName(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' || s[i] == '=' {
			return false
		}
	}
	return s != ""
}

// IsPortName reports whether s is an IANA service name.
func IsPortName(s string) bool {
	if s == "" || len(s) > 15 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	letter := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z':
			letter = true
		case '0' <= c && c <= '9':
		case c == '-' && s[i-1] != '-':
		default:
			return false
		}
	}
	return letter
}

// DNSLabel checks that a value is an RFC 1123 label.
func (e *Errors) DNSLabel(at *Path, child, value string) {
	if !IsDNSLabel(value) {
		e.InvalidAll(at, child, value, validation.IsDNS1123Label(value))
	}
}

// DNSSubdomain checks that a value is an RFC 1123 subdomain.
func (e *Errors) DNSSubdomain(at *Path, child, value string) {
	if !IsDNSSubdomain(value) {
		e.InvalidAll(at, child, value, validation.IsDNS1123Subdomain(value))
	}
}

// QualifiedName checks that a value is a name as labels have.
func (e *Errors) QualifiedName(at *Path, child, value string) {
	if !IsQualifiedName(value) {
		e.InvalidAll(at, child, value, validation.IsQualifiedName(value))
	}
}

// LabelValue checks that a value may be the value of a label.
func (e *Errors) LabelValue(at *Path, child, value string) {
	if !IsLabelValue(value) {
		e.InvalidAll(at, child, value, validation.IsValidLabelValue(value))
	}
}

// ConfigMapKey checks that a value may be a key of a ConfigMap or a Secret.
func (e *Errors) ConfigMapKey(at *Path, child, value string) {
	if !IsConfigMapKey(value) {
		e.InvalidAll(at, child, value, validation.IsConfigMapKey(value))
	}
}

// Port checks that a number may be a port.
func (e *Errors) Port(at *Path, child string, n int32) {
	if n < 1 || n > 65535 {
		e.InvalidAll(at, child, n, validation.IsValidPortNum(int(n)))
	}
}

// PortName checks that a value may name a port.
func (e *Errors) PortName(at *Path, child, value string) {
	if !IsPortName(value) {
		e.InvalidAll(at, child, value, validation.IsValidPortName(value))
	}
}

// SubdomainName is a kinds.Strategy.ValidateName: names are DNS subdomains.
func SubdomainName(name string, prefix bool) []string {
	if name = maskDash(name, prefix); IsDNSSubdomain(name) {
		return nil
	}
	return validation.IsDNS1123Subdomain(name)
}

// LabelName is a kinds.Strategy.ValidateName: names are DNS labels.
func LabelName(name string, prefix bool) []string {
	if name = maskDash(name, prefix); IsDNSLabel(name) {
		return nil
	}
	return validation.IsDNS1123Label(name)
}

// Label1035Name is a kinds.Strategy.ValidateName: names are RFC 1035 labels.
func Label1035Name(name string, prefix bool) []string {
	return validation.IsDNS1035Label(maskDash(name, prefix))
}

// maskDash lets a prefix end with a dash, as the generated part follows it. Upstream replaces the last two
// bytes by "a".
func maskDash(name string, prefix bool) string {
	if prefix && len(name) > 1 && name[len(name)-1] == '-' {
		return name[:len(name)-2] + "a"
	}
	return name
}
