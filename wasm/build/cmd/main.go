// Command cmd builds dist/: see package build. `make build`, `make release` and `make size` run it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"terrarium/wasm/build"
)

func main() {
	best := flag.Bool("best", false, "compress as well as possible (a minute for a changed program)")
	size := flag.Bool("size", false, "print the bytes of a first visit and fail when over budget; implies -best")
	types := flag.Bool("types", false, "only check the types of the scripts")
	flag.Parse()
	do := func() error { return run(*best || *size, *size) }
	if *types {
		do = func() error { return build.CheckTypes(context.Background(), ".") }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(best, size bool) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	cfg := build.Config{Root: root, Logf: func(format string, args ...any) { fmt.Printf(format+"\n", args...) }}
	if best {
		cfg.Level = build.Best
	}
	m, err := build.Build(context.Background(), cfg)
	if err != nil || !size {
		return err
	}
	table, over := m.Sizes(build.Dist(cfg.Root))
	fmt.Print(table)
	for _, line := range over {
		fmt.Println("OVER BUDGET:", line)
	}
	if len(over) > 0 {
		return fmt.Errorf("%d of 2 budgets exceeded", len(over))
	}
	return nil
}
