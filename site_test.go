package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var built = fstest.MapFS{
	"index.html":               {Data: []byte("<!doctype html>plain")},
	"index.html.br":            {Data: []byte("brotli page")},
	"manifest.json":            {Data: []byte("{}")},
	"assets/a-HASH.wasm":       {Data: []byte("\x00asm")},
	"assets/a-HASH.wasm.br":    {Data: []byte("brotli")},
	"assets/a-HASH.wasm.gz":    {Data: []byte("gzip")},
	"assets/boot-HASH.js":      {Data: []byte("js")},
	"assets/style-HASH.css":    {Data: []byte("css")},
	"assets/icon-HASH.svg":     {Data: []byte("svg")},
	"assets/secret-HASH.pem":   {Data: []byte("no")},
	"elsewhere/boot-HASH.js":   {Data: []byte("no")},
	"assets/deep/x-HASH.json":  {Data: []byte("{}")},
	"assets/deep/x-HASH.json2": {Data: []byte("no")},
}

func TestSite(t *testing.T) {
	tests := []struct {
		name, method, path, accept string

		status               int
		body, mime, encoding string
		immutable            bool
	}{
		{name: "page", path: "/", accept: "gzip, deflate, br", status: 200, body: "brotli page", mime: "text/html; charset=utf-8", encoding: "br"},
		{name: "page without encodings", path: "/", status: 200, body: "<!doctype html>plain", mime: "text/html; charset=utf-8"},
		{name: "program", path: "/assets/a-HASH.wasm", accept: "br", status: 200, body: "brotli", mime: "application/wasm", encoding: "br", immutable: true},
		{name: "gzip only", path: "/assets/a-HASH.wasm", accept: "gzip", status: 200, body: "gzip", mime: "application/wasm", encoding: "gzip", immutable: true},
		{name: "brotli refused", path: "/assets/a-HASH.wasm", accept: "br;q=0, *;q=0.5", status: 200, body: "gzip", mime: "application/wasm", encoding: "gzip", immutable: true},
		{name: "gzip preferred", path: "/assets/a-HASH.wasm", accept: "br;q=0.2, gzip;q=0.9", status: 200, body: "gzip", mime: "application/wasm", encoding: "gzip", immutable: true},
		{name: "a bad header", path: "/assets/a-HASH.wasm", accept: "br;q=x,,;", status: 200, body: "\x00asm", mime: "application/wasm", immutable: true},
		{name: "script", path: "/assets/boot-HASH.js", accept: "br", status: 200, body: "js", mime: "text/javascript; charset=utf-8", immutable: true},
		{name: "style", path: "/assets/style-HASH.css", status: 200, body: "css", mime: "text/css; charset=utf-8", immutable: true},
		{name: "picture", path: "/assets/icon-HASH.svg", status: 200, body: "svg", mime: "image/svg+xml", immutable: true},
		{name: "head", method: "HEAD", path: "/assets/boot-HASH.js", status: 200, mime: "text/javascript; charset=utf-8", immutable: true},
		{name: "post", method: "POST", path: "/", status: 405},
		{name: "missing", path: "/assets/gone-HASH.js", status: 404},
		{name: "unknown type", path: "/assets/secret-HASH.pem", status: 404},
		{name: "a compressed form by its own name", path: "/assets/a-HASH.wasm.br", status: 404},
		{name: "a folder", path: "/assets/", status: 404},
		{name: "outside assets", path: "/elsewhere/boot-HASH.js", status: 404},
		{name: "manifest", path: "/manifest.json", status: 404},
		{name: "up and out", path: "/assets/../manifest.json", status: 404},
		{name: "encoded up and out", path: "/assets/..%2f..%2fgo.json", status: 404},
		{name: "backslashes", path: `/assets/..%5c..%5cgo.json`, status: 404},
		{name: "double slash", path: "//etc/x.json", status: 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			method := tt.method
			if method == "" {
				method = "GET"
			}
			req := httptest.NewRequest(method, "http://x"+tt.path, nil)
			if tt.accept != "" {
				req.Header.Set("Accept-Encoding", tt.accept)
			}
			rec := httptest.NewRecorder()
			newSite(built).ServeHTTP(rec, req)
			res := rec.Result()
			if res.StatusCode != tt.status {
				t.Fatalf("status: got %d, want %d", res.StatusCode, tt.status)
			}
			if res.Header.Get("Content-Security-Policy") == "" || res.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Error("the security headers are missing")
			}
			if tt.status != 200 {
				return
			}
			body, _ := io.ReadAll(res.Body)
			got := []string{string(body), res.Header.Get("Content-Type"), res.Header.Get("Content-Encoding")}
			if diff := cmp.Diff([]string{tt.body, tt.mime, tt.encoding}, got); diff != "" {
				t.Errorf("body, type, encoding (-want +got):\n%s", diff)
			}
			if got := strings.Contains(res.Header.Get("Cache-Control"), "immutable"); got != tt.immutable {
				t.Errorf("immutable: got %v, want %v", got, tt.immutable)
			}
		})
	}
}

func TestPageIsRevalidated(t *testing.T) {
	get := func(tag string) *http.Response {
		req := httptest.NewRequest("GET", "http://x/", nil)
		req.Header.Set("If-None-Match", tag)
		rec := httptest.NewRecorder()
		newSite(built).ServeHTTP(rec, req)
		return rec.Result()
	}
	tag := get("").Header.Get("ETag")
	if res := get(tag); res.StatusCode != http.StatusNotModified {
		t.Errorf("with the page's tag: got %d, want 304", res.StatusCode)
	}
	if res := get(`"other"`); res.StatusCode != 200 {
		t.Errorf("with another tag: got %d, want 200", res.StatusCode)
	}
}

func TestPolicy(t *testing.T) {
	for _, bad := range []string{"unsafe-inline", "'unsafe-eval'", "http:", "https:", "*"} {
		if strings.Contains(policy, bad) {
			t.Errorf("the policy allows %s", bad)
		}
	}
}

func TestPortTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	err = servePage(context.Background(), l.Addr().String(), built, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "taken by another program; choose another port with -listen") {
		t.Errorf("got %v", err)
	}
}

func TestServeUntilDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	pr, pw := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- servePage(ctx, "127.0.0.1:0", built, pw) }()
	line := make([]byte, 200)
	n, err := pr.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "Terrarium is at "))
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 {
		t.Errorf("got %d, want 200", res.StatusCode)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("after the end: %v", err)
	}
}
