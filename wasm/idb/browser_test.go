//go:build !js

package idb

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"terrarium/wasm/build"
)

var (
	inBrowser = flag.Bool("browser", false, "run the tests of the js build in headless Chromium; fail if there is none")
	only      = flag.String("browser-args", "-test.v", "arguments of the tests in the browser")
)

// page runs the test program; what it prints goes to the console.
const page = `<!doctype html><script src="wasm_exec.js"></script><script>
const go = new Go();
go.argv = ["idb.test"].concat(ARGS);
go.exit = code => { console.log("exit " + code); };
WebAssembly.instantiateStreaming(fetch("test.wasm"), go.importObject).then(r => go.run(r.instance));
</script>`

// TestInBrowser runs the tests of this package's js build where there is an IndexedDB.
func TestInBrowser(t *testing.T) {
	if !*inBrowser {
		t.Skip("needs -browser")
	}
	server := serve(t)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox)...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	messages := chromedp.Console(ctx)
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL)); err != nil {
		t.Fatal(err)
	}
	for m, err := range messages {
		if err != nil {
			t.Fatal(err)
		}
		t.Log(m.Text)
		if code, ok := strings.CutPrefix(m.Text, "exit "); ok {
			if code != "0" {
				t.Fail()
			}
			return
		}
	}
}

func serve(t *testing.T) *httptest.Server {
	dir := t.TempDir()
	cmd := exec.Command("go", "test", "-c", "-o", filepath.Join(dir, "test.wasm"), ".")
	cmd.Env = build.Env()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	args := `"` + strings.Join(strings.Fields(*only), `","`) + `"`
	mux := http.NewServeMux()
	mux.HandleFunc("/test.wasm", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(dir, "test.wasm"))
	})
	mux.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Write(glue)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(strings.Replace(page, "ARGS", "["+args+"]", 1)))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}
