// Package build turns the sources into what a browser loads: the wasm programs, the bundled scripts, the
// style sheet and index.html, all under dist/ and named by the hash of their content.
//
// It is the one place that knows the flags of the wasm builds; the command (wasm/build/cmd), the tests in
// e2e and `make size` all come through here, so that none of them looks at a stale artifact.
//
// It promises: a file whose content did not change keeps its name and is not compressed again; dist/ holds
// only what the last build made; index.html is written last, so a server never hands out a page whose
// assets are missing.
package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Config says what to build. Root must be set.
type Config struct {
	Root string // the folder of go.mod
	// Level is how hard to compress. Quick costs a second; Best costs a minute for a 20 MB program and
	// saves a quarter of the bytes.
	Level Level
	// Logf gets a line for each step, with what it took.
	Logf func(format string, args ...any)
}

// Dist is where the build of the module at root goes.
func Dist(root string) string { return filepath.Join(root, "dist") }

// programs are the wasm programs by the name of their folder in wasm/.
var programs = []string{"cluster", "page"}

// Build brings dist/ up to date and returns its manifest. It does nothing when no input changed.
func Build(ctx context.Context, cfg Config) (*Manifest, error) {
	if cfg.Logf == nil {
		cfg.Logf = func(string, ...any) {}
	}
	inputs, err := inputsHash(cfg.Root)
	if err != nil {
		return nil, err
	}
	old, _ := ReadManifest(Dist(cfg.Root)) // without one everything is new
	if old != nil && old.Inputs == inputs && old.complete(Dist(cfg.Root), cfg.Level) {
		cfg.Logf("dist/ is up to date")
		return old, nil
	}
	return cfg.rebuild(ctx, inputs, old)
}

func (cfg *Config) rebuild(ctx context.Context, inputs string, old *Manifest) (*Manifest, error) {
	work, err := os.MkdirTemp("", "terrarium-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)

	if err := cfg.step("npm packages", func() error { return installPackages(ctx, cfg.Root) }); err != nil {
		return nil, err
	}
	var assets []asset
	err = cfg.step("scripts and style", func() (err error) {
		assets, err = bundle(cfg.Root)
		return err
	})
	if err != nil {
		return nil, err
	}
	var slim []string
	err = cfg.step("slimmer modules", func() (err error) {
		slim, err = Slim(ctx, cfg.Root, work)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range programs {
		err := cfg.step("wasm/"+name, func() error {
			a, err := compile(ctx, cfg.Root, work, name, slim)
			assets = append(assets, a)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	m := &Manifest{Inputs: inputs}
	err = cfg.step("dist/", func() error { return m.write(cfg.Root, assets, cfg.Level, old) })
	return m, err
}

func (cfg *Config) step(name string, do func() error) error {
	start := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	cfg.Logf("%-20s %6.1f s", name, time.Since(start).Seconds())
	return nil
}
