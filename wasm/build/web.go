package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// installPackages runs `npm ci` in web/ unless node_modules is what the lock file says.
func installPackages(ctx context.Context, root string) error {
	web := filepath.Join(root, "web")
	lock, err := os.ReadFile(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := filepath.Join(web, "node_modules", ".terrarium-lock")
	if have, err := os.ReadFile(stamp); err == nil && bytes.Equal(have, lock) {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("npm is not installed; the page's editor needs it (Debian: apt-get install nodejs npm)")
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	cmd.Dir = web
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in web/: %w\n%s", err, bytes.TrimSpace(out))
	}
	return os.WriteFile(stamp, lock, 0o644)
}

// CheckTypes runs the TypeScript compiler over the scripts; esbuild only drops the types.
func CheckTypes(ctx context.Context, root string) error {
	if err := installPackages(ctx, root); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "node", filepath.Join("node_modules", "typescript", "bin", "tsc"), "-p", ".")
	cmd.Dir = filepath.Join(root, "web")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tsc in web/: %w\n%s", err, bytes.TrimSpace(out))
	}
	return nil
}

// The scripts and styles that index.html and the programs name. What these import is found from them.
var (
	moduleEntries  = []string{"src/boot.ts", "style.css"}
	classicEntries = []string{"src/theme.ts", "src/cluster-worker.ts"} // one file each, no imports at run time
	staticFiles    = []string{"icon.svg"}
)

// bundle runs esbuild over the scripts and the style sheet. The page's scripts are modules that share
// chunks; a worker's script is one classic file, which every kind of worker can run.
func bundle(root string) ([]asset, error) {
	goroot, err := goroot()
	if err != nil {
		return nil, err
	}
	web := filepath.Join(root, "web")
	modules := options(web, goroot)
	modules.EntryPoints, modules.Format, modules.Splitting = moduleEntries, api.FormatESModule, true
	classic := options(web, goroot)
	classic.EntryPoints, classic.Format = classicEntries, api.FormatIIFE

	var assets []asset
	for _, o := range []api.BuildOptions{modules, classic} {
		res := api.Build(o)
		if len(res.Errors) > 0 {
			return nil, errors.New(strings.Join(api.FormatMessages(res.Errors, api.FormatMessagesOptions{}), "\n"))
		}
		for _, f := range res.OutputFiles {
			assets = append(assets, hashed(filepath.Base(f.Path), f.Contents))
		}
	}
	for _, name := range staticFiles {
		data, err := os.ReadFile(filepath.Join(web, name))
		if err != nil {
			return nil, err
		}
		assets = append(assets, named(name, data))
	}
	return assets, nil
}

func options(web, goroot string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir: web,
		Outdir:        "/",
		EntryNames:    "[name]-[hash]",
		ChunkNames:    "chunk-[name]-[hash]",
		Alias:         map[string]string{"wasm_exec": filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")},
		Bundle:        true,
		Loader:        map[string]api.Loader{".yaml": api.LoaderText},
		Charset:       api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone,
		LogLevel:      api.LogLevelSilent,
		Target:        api.ES2022,

		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
	}
}
