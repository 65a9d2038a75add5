// Command terrarium serves the page of a Kubernetes control plane that runs in the browser. With -api it also
// runs a cluster natively, on the same code, and serves its API to kubectl.
package main

import (
	"context"
	"errors"
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
	var api apiOptions
	flags.StringVar(&api.address, "api", "", "address of the Kubernetes API of a native cluster; without it there is none")
	flags.StringVar(&api.kubeconfig, "kubeconfig", "terrarium.kubeconfig", "where to write the kubeconfig of that cluster")
	flags.StringVar(&api.data, "data", "", "folder that keeps that cluster; without it the cluster is gone at the end")
	flags.IntVar(&api.nodes, "nodes", 3, "how many nodes that cluster begins with")
	flags.Uint64Var(&api.seed, "seed", 1, "seed of everything random in that cluster")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if api.address != "" {
		return serveBoth(ctx, *listen, api, out)
	}
	files, err := openDist()
	if err != nil {
		return err
	}
	return servePage(ctx, *listen, files, out)
}

// serveBoth serves the API and, where it has been built, the page, until ctx or either of them ends.
func serveBoth(ctx context.Context, listen string, api apiOptions, out io.Writer) error {
	files, err := openDist()
	if err != nil {
		fmt.Fprintf(out, "No page: %v\n", err)
		return serveAPI(ctx, api, out)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 2)
	go func() { ended <- serveAPI(ctx, api, out) }()
	go func() { ended <- servePage(ctx, listen, files, out) }()
	first := <-ended
	cancel()
	return errors.Join(first, <-ended)
}
