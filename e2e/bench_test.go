package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/evanw/esbuild/pkg/api"
)

const web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: %d
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: nginx:1.7.9
`

// withNodes opens an empty cluster and adds n nodes of 32 CPUs, 256Gi and 1,100 pods.
func withNodes(t testing.TB, n int) *tab {
	t.Helper()
	p := open(t, options{query: "?seed=1&nodes=0&paused=1"})
	for i := range n {
		node := object{
			"apiVersion": "v1", "kind": "Node",
			"metadata": object{"name": fmt.Sprintf("big-%d", i+1)},
			"status":   object{"capacity": object{"cpu": "32", "memory": "256Gi", "pods": "1100"}},
		}
		if status, answer := p.request("POST", "/api/v1/nodes", node); status != 201 {
			t.Fatalf("node %d: %s", i+1, answer.text("message"))
		}
	}
	p.until("the nodes are ready", time.Minute, func() bool {
		ready := 0
		for _, node := range p.get("/api/v1/nodes").items() {
			if strings.Contains(quote(node.at("status", "conditions")), `"reason":"KubeletReady","status":"True"`) {
				ready++
			}
		}
		return ready == n
	})
	p.atRest()
	return p
}

// atRest waits until the page has been open for as long as a person takes to do something: until then the
// programs still warm up.
func (p *tab) atRest() {
	p.Helper()
	p.eventually("the page has been open for two seconds", `performance.now() > performance.getEntriesByName("terrarium-ready")[0].startTime + 2000`)
}

// rollOut applies a Deployment of that many replicas at max speed, and returns the seconds until all of
// them are ready and what the main thread did meanwhile, with the board and the timeline in view.
func rollOut(p *tab, replicas int) (seconds float64, load load) {
	p.Helper()
	load = p.loadOf(func() {
		p.eval(fmt.Sprintf(`(async () => {
			await terrarium.speed("max");
			await terrarium.resume();
			const start = performance.now();
			await terrarium.apply(%s);
			for (;;) {
				const r = await terrarium.request("GET", "/apis/apps/v1/namespaces/default/deployments/web");
				if (r.body.status?.readyReplicas === %d) break;
				await new Promise((r) => setTimeout(r, 20));
			}
			return (performance.now() - start) / 1000;
		})()`, quote(fmt.Sprintf(web, replicas)), replicas), &seconds)
	})
	p.pause()
	if n := running(p.pods("app=web")); n != replicas {
		p.Fatalf("%d of %d pods run", n, replicas)
	}
	return seconds, load
}

// BenchmarkRollout is the time from apply until all pods of one Deployment run, on ten nodes, at max speed.
func BenchmarkRollout(b *testing.B) {
	var first float64 // per pod, of the smallest
	for _, replicas := range []int{100, 300, 1000, 3000} {
		b.Run(fmt.Sprint(replicas), func(b *testing.B) {
			for b.Loop() {
				seconds, load := rollOut(withNodes(b, 10), replicas)
				each := seconds / float64(replicas)
				if first == 0 {
					first = each
				}
				b.ReportMetric(each/first, "x-growth") // 1 is linear
				report(b, replicas, seconds, load)
			}
		})
	}
}

func report(b *testing.B, replicas int, seconds float64, load load) {
	b.ReportMetric(seconds, "s")
	b.ReportMetric(float64(replicas)/seconds, "pods/s")
	b.ReportMetric(load.longest, "ms-longest-task")
	b.ReportMetric(load.busiest, "ms-cpu-busiest-task")
	b.ReportMetric(load.frame, "ms-longest-frame")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkManyNodes is BenchmarkRollout of 10,000 pods on 1,000 nodes.
func BenchmarkManyNodes(b *testing.B) {
	for b.Loop() {
		p := open(b, options{query: "?seed=1&nodes=1000&paused=1"})
		p.atRest()
		seconds, load := rollOut(p, 10_000)
		report(b, 10_000, seconds, load)
	}
}

// BenchmarkRestore is the time from navigation until a cluster of 1,000 pods serves again after a reload.
func BenchmarkRestore(b *testing.B) {
	p := withNodes(b, 10)
	rollOut(p, 1000)
	p.eval("terrarium.flush()", nil)
	for b.Loop() {
		p.reload()
		p.waitReady()
		var ready float64
		p.eval(`performance.getEntriesByName("terrarium-ready")[0].startTime`, &ready)
		b.ReportMetric(ready/1000, "s")
		b.ReportMetric(0, "ns/op")
	}
	if n := running(p.pods("app=web")); n != 1000 {
		b.Fatalf("%d pods came back", n)
	}
}

// BenchmarkWebernetes is BenchmarkRollout in the nearest relative, in the same browser.
func BenchmarkWebernetes(b *testing.B) {
	url := servePeer(b)
	for _, replicas := range []int{100, 300} {
		b.Run(fmt.Sprint(replicas), func(b *testing.B) {
			for b.Loop() {
				ctx, cancel := chromedp.NewContext(sharedBrowser(b).ctx, chromedp.WithNewBrowserContext())
				if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
					b.Fatal(err)
				}
				seconds, err := chromedp.Run(ctx, chromedp.Evaluate[float64](fmt.Sprintf("rollout(%d, 10)", replicas), chromedp.EvalAwaitPromise))
				cancel()
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(seconds, "s")
				b.ReportMetric(float64(replicas)/seconds, "pods/s")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// servePeer bundles webernetes with a page that runs it, and returns the page's address.
func servePeer(b *testing.B) string {
	b.Helper()
	needBrowser(b)
	dir, err := filepath.Abs("peers")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		cmd := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("npm ci: %v\n%s", err, out)
		}
	}
	res := api.Build(api.BuildOptions{
		AbsWorkingDir: dir, EntryPoints: []string{"webernetes.ts"}, Bundle: true, Outdir: "/",
		Format: api.FormatIIFE, Target: api.ES2022, MinifySyntax: true, LogLevel: api.LogLevelSilent,
	})
	if len(res.Errors) > 0 {
		b.Fatal(strings.Join(api.FormatMessages(res.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/peer.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Write(res.OutputFiles[0].Contents)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><meta charset="utf-8"><script src="peer.js"></script>`)
	})
	server := httptest.NewServer(mux)
	b.Cleanup(server.Close)
	return server.URL
}
