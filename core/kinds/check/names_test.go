package check

import (
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// TestNamesAgree asks our quick tests and apimachinery's regular expressions about the same names: random
// ones over the letters that matter, and lengths around the limits.
func TestNamesAgree(t *testing.T) {
	pairs := []struct {
		what   string
		quick  func(string) bool
		theirs func(string) []string
	}{
		{"DNS label", IsDNSLabel, validation.IsDNS1123Label},
		{"DNS subdomain", IsDNSSubdomain, validation.IsDNS1123Subdomain},
		{"qualified name", IsQualifiedName, func(s string) []string { return validation.IsQualifiedName(s) }},
		{"label value", IsLabelValue, validation.IsValidLabelValue},
		{"ConfigMap key", IsConfigMapKey, validation.IsConfigMapKey},
		{"variable", IsEnvVarName, validation.IsRelaxedEnvVarName},
		{"port name", IsPortName, validation.IsValidPortName},
	}
	agree := func(name string) {
		for _, p := range pairs {
			if got, want := p.quick(name), p.theirs(name); got != (len(want) == 0) {
				t.Errorf("%s %q: got %v, apimachinery says %q", p.what, name, got, want)
			}
		}
	}
	for _, length := range []int{0, 1, 15, 16, 62, 63, 64, 127, 128, 252, 253, 254} {
		name := strings.Repeat("a", length)
		agree(name)
		agree("example.com/" + name)
		agree(name + "/" + "a")
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	const letters = "aaaz09AZ--__../= ~é\x00"
	for range 20000 {
		name := make([]byte, r.IntN(8))
		for i := range name {
			name[i] = letters[r.IntN(len(letters))]
		}
		agree(string(name))
	}
}

func BenchmarkIsDNSSubdomain(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if !IsDNSSubdomain("nginx-deployment-7d9c6b5f4-x2k4q") {
			b.Fatal("not a name")
		}
	}
}
