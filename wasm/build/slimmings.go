package build

// A slimming is one change to a file of a module.
type slimming struct {
	file string
	// new replaces the first old. Without old, new is the whole file; without either the file is dropped.
	old, new string
	// With until, the file is new and what stands from old to before until.
	until string
}

// A module is one that is replaced: by a changed copy, or by what changes write into an empty folder.
type module struct {
	path    string
	copied  bool
	changes []slimming
}

var slimmed = []module{
	{path: "k8s.io/api", copied: true},
	{path: "k8s.io/apimachinery", copied: true, changes: []slimming{
		// net/http, for a few constants.
		{file: "pkg/api/errors/errors.go", old: `"net/http"`, new: `http "k8s.io/apimachinery/pkg/httpcode"`},
		{file: "pkg/util/runtime/runtime.go", old: `"net/http"`, new: `http "k8s.io/apimachinery/pkg/httpcode"`},
		{file: "pkg/httpcode/code.go", new: httpCodes},
		{file: "pkg/util/net/http.go"},
		{file: "pkg/util/net/interface.go"},
		{file: "pkg/util/net/port_range.go"},
		{file: "pkg/util/net/port_split.go"},
		{file: "pkg/util/net/util.go"},
		{file: "pkg/util/net/net.go", new: netErrors},
		// The Go parser, for API documentation.
		{file: "pkg/runtime/swagger_doc_generator.go", new: "package runtime\n\ntype Pair struct{}\n"},
		// CBOR, which nobody speaks to a cluster in a page.
		{file: "pkg/runtime/serializer/cbor/direct/direct.go", new: noCBOR},
		// Unstructured objects, of which there are none.
		{file: "pkg/runtime/converter.go", old: "// DeepCopyJSON deep copies", until: "func toUnstructuredViaJSON", new: noConverter},
	}},
	// Logging: errors go to the console, the rest nowhere.
	{path: "k8s.io/klog/v2", changes: []slimming{
		{file: "go.mod", new: "module k8s.io/klog/v2\n\ngo 1.26\n"},
		{file: "klog.go", new: quietLog},
		{file: "textlogger/textlogger.go", new: quietTextLog},
	}},
}

const httpCodes = `package httpcode

import "errors"

const (
	MethodPost                  = "POST"
	StatusBadRequest            = 400
	StatusUnauthorized          = 401
	StatusForbidden             = 403
	StatusNotFound              = 404
	StatusMethodNotAllowed      = 405
	StatusNotAcceptable         = 406
	StatusConflict              = 409
	StatusGone                  = 410
	StatusRequestEntityTooLarge = 413
	StatusUnsupportedMediaType  = 415
	StatusUnprocessableEntity   = 422
	StatusTooManyRequests       = 429
	StatusInternalServerError   = 500
	StatusServiceUnavailable    = 503
	StatusGatewayTimeout        = 504
)

var ErrAbortHandler = errors.New("net/http: abort Handler")
`

const netErrors = `package net

import (
	"errors"
	"io"
)

func IsProbableEOF(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func IsTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
`

const noCBOR = `package direct

import "errors"

var errNone = errors.New("CBOR is not supported here")

func Marshal(any) ([]byte, error)     { return nil, errNone }
func Unmarshal([]byte, any) error     { return errNone }
func Diagnose([]byte) (string, error) { return "", errNone }
`

const noConverter = `package runtime

import (
	encodingjson "encoding/json"
	"errors"
	"fmt"
)

var errNone = errors.New("unstructured objects are not supported here")

type noConverter struct{}

var DefaultUnstructuredConverter noConverter

func (noConverter) ToUnstructured(any) (map[string]any, error) { return nil, errNone }
func (noConverter) FromUnstructured(map[string]any, any) error { return errNone }

`

const quietLog = `package klog

import (
	"context"
	"os"
)

type Logger struct{}

func (l Logger) V(int) Logger                 { return l }
func (l Logger) WithCallDepth(int) Logger     { return l }
func (l Logger) Enabled() bool                { return false }
func (l Logger) Info(msg string, kv ...any)   {}
func (l Logger) Error(err error, msg string, kv ...any) { ErrorS(err, msg, kv...) }

type Verbose struct{}

func V(int) Verbose                            { return Verbose{} }
func (Verbose) Enabled() bool                  { return false }
func (Verbose) InfoS(msg string, kv ...any)    {}
func (Verbose) Infof(format string, a ...any)  {}

func Background() Logger                                         { return Logger{} }
func FromContext(context.Context) Logger                         { return Logger{} }
func NewContext(ctx context.Context, _ Logger) context.Context   { return ctx }
func LoggerWithName(l Logger, _ string) Logger                   { return l }

func ErrorS(err error, msg string, kv ...any) {
	if err != nil {
		msg += ": " + err.Error()
	}
	os.Stderr.WriteString(msg + "\n")
}

func Errorf(format string, a ...any) { os.Stderr.WriteString(format + "\n") }
func Fatalf(format string, a ...any) { panic(format) }
`

const quietTextLog = `package textlogger

import (
	"io"

	"k8s.io/klog/v2"
)

type Config struct{}
type Option struct{}

func NewConfig(...Option) *Config    { return &Config{} }
func NewLogger(*Config) klog.Logger  { return klog.Logger{} }
func Output(io.Writer) Option        { return Option{} }
func WithHeader(bool) Option         { return Option{} }
`
