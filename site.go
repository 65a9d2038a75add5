package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// policy allows scripts, styles and connections of our own and compiling wasm, and nothing else: no
// inline script, no eval, no other host, no frame around the page.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// headers go with every answer. A worker takes its policy from its own script's answer, so scripts need
// them too.
var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}

// types are the MIME types by file name: not the system's table, which differs from machine to machine.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
}

// A site serves a built page: index.html at /, and the assets, whose names hold the hash of their
// content, under /assets/.
type site struct{ files fs.FS }

func newSite(files fs.FS) http.Handler { return &site{files} }

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := "index.html"
	if r.URL.Path != "/" {
		name = strings.TrimPrefix(r.URL.Path, "/")
	}
	mime, known := types[path.Ext(name)]
	if !known || !fs.ValidPath(name) || (name != "index.html" && !strings.HasPrefix(name, "assets/")) {
		http.NotFound(w, r)
		return
	}
	s.serve(w, r, name, mime)
}

func (s *site) serve(w http.ResponseWriter, r *http.Request, name, mime string) {
	data, encoding, err := s.read(name, r.Header.Get("Accept-Encoding"))
	if errors.Is(err, fs.ErrNotExist) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, "cannot read "+name, http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", mime)
	h.Set("Vary", "Accept-Encoding")
	if name == "index.html" {
		// The page names its assets by hash, so it alone must be asked for every time.
		sum := sha256.Sum256(data)
		tag := `"` + hex.EncodeToString(sum[:12]) + `"`
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		if strings.Contains(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	} else {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method == http.MethodGet {
		w.Write(data) // an error means that the client is gone
	}
}

// read returns the file in the best form that the client takes and the build made.
func (s *site) read(name, accept string) (data []byte, encoding string, err error) {
	for _, enc := range accepted(accept) {
		if data, err := fs.ReadFile(s.files, name+suffixes[enc]); err == nil {
			return data, enc, nil
		}
	}
	data, err = fs.ReadFile(s.files, name)
	return data, "", err
}

var suffixes = map[string]string{"br": ".br", "gzip": ".gz"}

// accepted returns which of br and gzip an Accept-Encoding header allows, the wanted one first.
func accepted(header string) []string {
	quality := map[string]float64{}
	for _, part := range strings.Split(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		q := 1.0
		if v, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil {
				continue
			}
			q = f
		}
		quality[strings.ToLower(strings.TrimSpace(name))] = q
	}
	of := func(name string) float64 {
		if q, ok := quality[name]; ok {
			return q
		}
		return quality["*"]
	}
	br, gz := of("br"), of("gzip")
	switch {
	case br <= 0 && gz <= 0:
		return nil
	case br <= 0:
		return []string{"gzip"}
	case gz <= 0:
		return []string{"br"}
	case gz > br:
		return []string{"gzip", "br"}
	}
	return []string{"br", "gzip"}
}
