package main

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"terrarium/core/apiserver"
)

// maxRequest is one byte more than the API server takes, so that it sees that a body is too large.
const maxRequest = 3<<20 + 1

// An apiHandler carries the Kubernetes API over HTTP.
type apiHandler struct{ driver *driver }

func (h *apiHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user := userOf(r)
	if user == "" && !public(r.URL.Path) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}`)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if err != nil {
		return // the client has gone
	}
	req := &apiserver.RESTRequest{
		User: user, Method: r.Method, Path: r.URL.RequestURI(), ContentType: r.Header.Get("Content-Type"),
		Accept: strings.Join(r.Header.Values("Accept"), ","), Body: body,
	}
	resp, err := h.serve(r.Context(), req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	for _, text := range resp.Warnings {
		w.Header().Add("Warning", `299 - `+strconv.Quote(text))
	}
	w.Header().Set("Content-Type", resp.ContentType)
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(resp.Code)
	if resp.Watch != nil {
		h.watch(r.Context(), w, resp.Watch)
		return
	}
	if r.Method != http.MethodHead {
		w.Write(resp.Body)
	}
}

// userOf returns the common name of the client's certificate, which the TLS layer has verified.
func userOf(r *http.Request) string {
	if r.TLS == nil || len(r.TLS.VerifiedChains) == 0 {
		return ""
	}
	return r.TLS.PeerCertificates[0].Subject.CommonName
}

func public(path string) bool {
	return path == "/healthz" || path == "/livez" || path == "/readyz" || path == "/version"
}

// serve answers one request; the answer to a write is given once it is durable.
func (h *apiHandler) serve(ctx context.Context, req *apiserver.RESTRequest) (resp *apiserver.RESTResponse, err error) {
	durable := make(chan error, 1)
	ok := h.driver.do(func() {
		resp = h.driver.cluster.Serve(req)
		h.driver.cluster.WhenDurable(resp.Revision, func(err error) { durable <- err })
	})
	if !ok {
		return nil, context.Canceled
	}
	select {
	case err := <-durable:
		return resp, err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.driver.ended:
		return nil, context.Canceled
	}
}

// bookmarkPeriod is how often a watch that wants bookmarks gets one, as upstream.
const bookmarkPeriod = time.Minute

// maxBatch is how many events are taken from a watch in one turn of the cluster.
const maxBatch = 256

// watch sends events until the client goes, its timeout passes, or it has fallen too far behind.
func (h *apiHandler) watch(ctx context.Context, w http.ResponseWriter, events *apiserver.EventEncoder) {
	wake := make(chan struct{}, 1)
	h.driver.do(func() {
		events.OnWake(func() {
			select {
			case wake <- struct{}{}:
			default:
			}
		})
	})
	defer h.driver.do(events.Close)
	if events.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(events.Timeout)*time.Second)
		defer cancel()
	}
	bookmark := time.NewTicker(bookmarkPeriod)
	defer bookmark.Stop()
	flusher := http.NewResponseController(w)
	for {
		lines, more, ended := h.batch(events)
		for _, line := range lines {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
		if err := flusher.Flush(); err != nil || ended {
			return
		}
		if more {
			continue
		}
		select {
		case <-wake:
		case <-bookmark.C:
			if line, ok := h.bookmark(events); ok {
				w.Write(line)
			}
		case <-ctx.Done():
			return
		case <-h.driver.ended:
			return
		}
	}
}

// batch takes events that wait; more says that there may be others.
func (h *apiHandler) batch(events *apiserver.EventEncoder) (lines [][]byte, more, ended bool) {
	ok := h.driver.do(func() {
		for len(lines) < maxBatch && !ended {
			line, ok, last := events.Next()
			if ended = last; ok {
				lines = append(lines, line)
				continue
			}
			return
		}
		more = !ended
	})
	return lines, more, ended || !ok
}

func (h *apiHandler) bookmark(events *apiserver.EventEncoder) (line []byte, ok bool) {
	h.driver.do(func() { line, ok = events.Bookmark() })
	return line, ok
}
