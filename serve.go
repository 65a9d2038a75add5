package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"syscall"
	"time"
)

// servePage serves the page in files on address until ctx ends.
func servePage(ctx context.Context, address string, files fs.FS, out io.Writer) error {
	listener, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is taken by another program; choose another port with -listen 127.0.0.1:PORT", address)
	}
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	fmt.Fprintf(out, "Terrarium is at http://%s\n", listener.Addr())
	if a, ok := listener.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() {
		fmt.Fprintln(out, "Every machine that reaches this address can load the page.")
	}
	server := &http.Server{
		Handler:           newSite(files),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
