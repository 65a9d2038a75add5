package build

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Env is the environment of a wasm build.
func Env() []string {
	return append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0")
}

// compile builds the program in wasm/<name> against the modules that slim names.
func compile(ctx context.Context, root, work, name string, slim []string) (asset, error) {
	out := filepath.Join(work, name+".wasm")
	args := append(append([]string{"build"}, Flags()...), slim...)
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", out, "./wasm/"+name)...)
	cmd.Dir, cmd.Env = root, Env()
	if msg, err := cmd.CombinedOutput(); err != nil {
		return asset{}, fmt.Errorf("%w\n%s", err, bytes.TrimSpace(msg))
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return asset{}, err
	}
	if data, err = mergeSegments(data); err != nil {
		return asset{}, err
	}
	return named(name+".wasm", data), nil
}

// goroot is asked of the go command: the glue script must match the compiler, not this program.
func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
