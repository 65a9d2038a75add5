package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
)

// A browser is one running Chromium.
type browser struct {
	ctx    context.Context // of the connection, to derive pages from
	cancel context.CancelFunc
	cmd    *exec.Cmd
}

// needBrowser skips what only runs with -browser, as make test does.
func needBrowser(t testing.TB) {
	t.Helper()
	if !*useBrowser {
		t.Skip("without -browser")
	}
}

func findChromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("Chromium is not installed (Debian: apt-get install chromium)")
}

// launch starts a Chromium that keeps its profile in the folder profile.
func launch(profile string) (*browser, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	portFile := filepath.Join(profile, "DevToolsActivePort")
	os.Remove(portFile) // of a browser that was killed
	args := []string{
		"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-crash-restore-bubble",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--window-size=1400,900", "--remote-debugging-port=0", "--user-data-dir=" + profile, "about:blank",
	}
	if !*headed {
		args = append([]string{"--headless"}, args...)
	}
	cmd := exec.Command(path, args...)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	b := &browser{cmd: cmd}
	url, err := waitForPort(portFile)
	if err != nil {
		b.kill()
		return nil, err
	}
	alloc, cancelAlloc := remote.NewAllocator(context.Background(), url)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	b.ctx, b.cancel = ctx, func() { cancel(); cancelAlloc() }
	if err := chromedp.Do(ctx); err != nil {
		b.kill()
		return nil, fmt.Errorf("connecting to Chromium: %w", err)
	}
	return b, nil
}

// waitForPort returns the address that Chromium writes into its profile once it listens.
func waitForPort(file string) (string, error) {
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		data, err := os.ReadFile(file)
		if port, path, ok := strings.Cut(strings.TrimSpace(string(data)), "\n"); err == nil && ok {
			return "ws://127.0.0.1:" + port + path, nil
		}
	}
	return "", errors.New("Chromium did not start within a minute")
}

// kill ends the browser's process at once, as a crash would.
func (b *browser) kill() {
	b.cmd.Process.Kill()
	b.cmd.Wait()
	if b.cancel != nil {
		b.cancel()
	}
}

// close ends the browser in good order, so that its profile is complete.
func (b *browser) close() error {
	defer b.kill()
	err := chromedp.Do(b.ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdpbrowser.Close, cdp.Empty{})
		return err
	}))
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- b.cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return errors.New("Chromium did not end when asked to")
	}
}

// The shared browser serves every test that needs no browser of its own; each page in it gets a storage of
// its own.
var (
	shared     *browser
	sharedErr  error
	sharedOnce sync.Once
	sharedDir  string
)

func sharedBrowser(t testing.TB) *browser {
	t.Helper()
	needBrowser(t)
	sharedOnce.Do(func() {
		if sharedDir, sharedErr = os.MkdirTemp("", "terrarium-profile-"); sharedErr == nil {
			shared, sharedErr = launch(sharedDir)
		}
	})
	if sharedErr != nil {
		t.Fatal(sharedErr)
	}
	return shared
}

func closeShared() {
	if shared != nil {
		shared.kill()
	}
	os.RemoveAll(sharedDir)
}

// ownBrowser starts a browser on the profile, which a later one can be started on again.
func ownBrowser(t testing.TB, profile string) *browser {
	t.Helper()
	needBrowser(t)
	b, err := launch(profile)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.kill)
	return b
}
