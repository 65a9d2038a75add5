package e2e

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"terrarium/wasm/build"
)

var (
	useBrowser = flag.Bool("browser", false, "run the tests in Chromium, and fail where there is none")
	headed     = flag.Bool("headed", false, "show the browser's window")
)

var (
	site    string // where the page is served, without a slash at the end
	program string // the server
	built   string // the folder that holds dist/
)

func TestMain(m *testing.M) {
	flag.Parse()
	if !*useBrowser {
		os.Exit(m.Run())
	}
	code, err := runAll(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

// runAll builds the page, serves it from a copy that no other build touches, and runs the tests.
func runAll(m *testing.M) (code int, err error) {
	if _, err := findChromium(); err != nil {
		return 1, err
	}
	root, err := filepath.Abs("..")
	if err != nil {
		return 1, err
	}
	logf := func(format string, args ...any) { fmt.Fprintf(os.Stderr, "build: "+format+"\n", args...) }
	if _, err := build.Build(context.Background(), build.Config{Root: root, Logf: logf}); err != nil {
		return 1, err
	}
	work, err := os.MkdirTemp("", "terrarium-e2e-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(filepath.Join(work, "dist"), os.DirFS(build.Dist(root))); err != nil {
		return 1, err
	}
	built, program = work, filepath.Join(work, "terrarium")
	compile := exec.Command("go", "build", "-o", program, ".")
	compile.Dir = root
	if out, err := compile.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("building the server: %w\n%s", err, out)
	}
	url, stop, err := serve(work)
	if err != nil {
		return 1, err
	}
	site = url
	defer stop()
	defer closeShared()
	return m.Run(), nil
}

// serve serves dir/dist on a free port.
func serve(dir string) (url string, stop func(), err error) {
	cmd := exec.Command(program, "-listen", "127.0.0.1:0")
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), "Terrarium is at ")
	if !found {
		stop()
		return "", nil, fmt.Errorf("the server said %q: %w", line, errors.Join(err, io.ErrUnexpectedEOF))
	}
	return url, stop, nil
}

// siteWith serves the page with script before that of the cluster's worker, and returns where.
func siteWith(t testing.TB, script string) string {
	t.Helper()
	needBrowser(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "dist"), os.DirFS(filepath.Join(built, "dist"))); err != nil {
		t.Fatal(err)
	}
	workers, err := filepath.Glob(filepath.Join(dir, "dist", "assets", "cluster-worker-*.js"))
	if err != nil || len(workers) != 1 {
		t.Fatalf("worker scripts: %v, %v", workers, err)
	}
	data, err := os.ReadFile(workers[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(workers[0], append([]byte(script+"\n"), data...), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, compressed := range []string{".br", ".gz"} {
		if err := os.Remove(workers[0] + compressed); err != nil {
			t.Fatal(err)
		}
	}
	url, stop, err := serve(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return url
}
