// Command terrarium serves the page of a Kubernetes control plane that runs in the browser.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "terrarium:", err)
		os.Exit(1)
	}
}

// run is the program: it serves until ctx ends.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("terrarium", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:8080", "address that the page is served on")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	files, err := openDist()
	if err != nil {
		return err
	}
	return servePage(ctx, *listen, files, out)
}
