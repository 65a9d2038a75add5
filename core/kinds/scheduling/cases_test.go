package scheduling

import (
	"os"
	"testing"

	"terrarium/core/kinds/kindtest"
)

// TestCases runs the cases in testdata; the fidelity module checks their answers against Kubernetes.
func TestCases(t *testing.T) { kindtest.RunFiles(t, os.DirFS("testdata"), Kinds(), nil) }
