package build

// cold are packages that a rollout spends little time in: reading YAML, printing and comparing for people,
// big numbers, addresses, logs, validation, and the generated copying. They are compiled without inlining,
// which makes the program smaller by a twentieth and a rollout no slower.
var cold = []string{
	"github.com/davecgh/go-spew/...",
	"github.com/pmezard/go-difflib/...",
	"go.yaml.in/yaml/...",
	"gopkg.in/evanphx/json-patch.v4",
	"gopkg.in/inf.v0",
	"k8s.io/api/...",
	"k8s.io/apimachinery/pkg/api/validation/...",
	"k8s.io/apimachinery/pkg/util/validation/...",
	"log",
	"math/big",
	"net/...",
	"regexp/...",
	"terrarium/core/apply",
	"terrarium/core/kinds/apps",
	"terrarium/core/kinds/check",
	"terrarium/core/kinds/core",
	"terrarium/core/node/image",
	"terrarium/core/projection/inspect",
	"terrarium/core/projection/why",
	"terrarium/core/rollout",
}

// Flags are the flags of every wasm build. Symbol tables gain only 2 %, and nothing reads them.
func Flags() []string {
	flags := []string{"-trimpath", "-buildvcs=false", "-ldflags=-s -w"}
	for _, pattern := range cold {
		flags = append(flags, "-gcflags="+pattern+"=-l")
	}
	return flags
}
