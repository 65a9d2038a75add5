package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"terrarium/core/cluster"
	"terrarium/core/store/journal"
)

// apiOptions are the flags about the native cluster.
type apiOptions struct {
	address    string
	kubeconfig string
	data       string
	nodes      int
	seed       uint64
}

// serveAPI runs a cluster and serves its API over TLS until ctx ends.
func serveAPI(ctx context.Context, opts apiOptions, out io.Writer) error {
	listener, err := net.Listen("tcp", opts.address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is taken by another program; choose another port with -api 127.0.0.1:PORT", opts.address)
	}
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", opts.address, err)
	}
	defer listener.Close()
	certs, err := newCertificates(listener.Addr())
	if err != nil {
		return err
	}
	c, closeJournal, err := openCluster(opts, string(certs.caPEM))
	if err != nil {
		return err
	}
	defer closeJournal()
	if err := writeKubeconfig(opts.kubeconfig, listener.Addr(), certs); err != nil {
		return err
	}
	d := newDriver(c)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go d.run(ctx)
	fmt.Fprintf(out, "The Kubernetes API is at https://%s; try: kubectl --kubeconfig %s get nodes\n", listener.Addr(), opts.kubeconfig)

	server := &http.Server{Handler: &apiHandler{d}, ReadHeaderTimeout: 10 * time.Second, ErrorLog: nil}
	context.AfterFunc(ctx, func() { server.Close() })
	err = server.Serve(tls.NewListener(listener, certs.server))
	cancel()
	<-d.ended
	if !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openCluster builds the cluster on its journal and starts it.
func openCluster(opts apiOptions, rootCA string) (*cluster.Cluster, func(), error) {
	dir := opts.data
	cleanup := func() {}
	if dir == "" {
		temporary, err := os.MkdirTemp("", "terrarium-")
		if err != nil {
			return nil, nil, fmt.Errorf("no place for the journal: %w", err)
		}
		dir = temporary
		cleanup = func() { os.RemoveAll(temporary) }
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("no place for the journal: %w", err)
	}
	backend, err := journal.OpenFile(filepath.Join(dir, "journal"), journal.FileConfig{})
	if err != nil {
		cleanup()
		return nil, nil, fmt.Errorf("the journal in %s cannot be opened: %w", dir, err)
	}
	c := cluster.New(cluster.Config{Seed: opts.seed, Nodes: opts.nodes, Start: time.Now().UTC().Truncate(time.Second), RootCA: rootCA})
	var failed error
	c.Keep(backend, func(_ bool, err error) { failed = err }) // a file answers at once
	if failed == nil {
		failed = c.Start()
	}
	closeAll := func() {
		backend.Close()
		cleanup()
	}
	if failed != nil {
		closeAll()
		return nil, nil, fmt.Errorf("the cluster in %s cannot be started: %w", dir, failed)
	}
	return c, closeAll, nil
}
