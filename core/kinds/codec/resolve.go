package codec

import (
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A scalarKind is what a YAML scalar becomes in JSON.
type scalarKind int

const (
	textScalar     scalarKind = iota
	nullScalar                // null
	booleanScalar             // true or false
	numberScalar              // any number that JSON has
	infiniteScalar            // a number that JSON does not have
	binaryScalar              // base64, to be decoded into a string
	wrongScalar               // not what its tag says
)

// resolve says what a scalar is and how JSON writes it (without quotes). It follows YAML 1.1, as kubectl and
// kube-apiserver do: yes, on and y are true, 0644 is octal.
//
// Models go.yaml.in/yaml/v2 resolve.
func resolve(n *yaml.Node) (scalarKind, string) {
	tag := ""
	if n.Style&yaml.TaggedStyle != 0 {
		tag = n.Tag
	} else if n.Style != 0 {
		return textScalar, n.Value
	}
	switch tag {
	case "!!binary":
		return binaryScalar, n.Value
	case "", "!!bool", "!!int", "!!float", "!!null":
	default: // strings, timestamps and tags of one's own
		return textScalar, n.Value
	}
	kind, out := resolvePlain(n.Value)
	ok := true
	switch tag {
	case "!!bool":
		ok = kind == booleanScalar
	case "!!int":
		ok = kind == numberScalar && !strings.ContainsAny(out, ".e")
	case "!!float":
		ok = kind == numberScalar || kind == infiniteScalar
	case "!!null":
		ok = kind == nullScalar
	}
	if !ok {
		return wrongScalar, ""
	}
	return kind, out
}

func resolvePlain(in string) (scalarKind, string) {
	switch in {
	case "", "~", "null", "Null", "NULL":
		return nullScalar, ""
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return booleanScalar, "true"
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return booleanScalar, "false"
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return infiniteScalar, in
	}
	switch c := in[0]; {
	case c == '.':
		if f, err := strconv.ParseFloat(in, 64); err == nil {
			return float(f, in)
		}
		return textScalar, in
	case c != '+' && c != '-' && (c < '0' || c > '9'):
		return textScalar, in
	}
	plain := strings.ReplaceAll(in, "_", "")
	if i, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return numberScalar, strconv.FormatInt(i, 10)
	}
	if u, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return numberScalar, strconv.FormatUint(u, 10)
	}
	if isFloat(plain) {
		if f, err := strconv.ParseFloat(plain, 64); err == nil {
			return float(f, in)
		}
	}
	return textScalar, in
}

// isFloat matches [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
func isFloat(s string) bool {
	digits := func() (n int) {
		for s != "" && s[0] >= '0' && s[0] <= '9' {
			s = s[1:]
			n++
		}
		return n
	}
	sign := func() {
		if s != "" && (s[0] == '-' || s[0] == '+') {
			s = s[1:]
		}
	}
	sign()
	whole := digits()
	if strings.HasPrefix(s, ".") {
		s = s[1:]
		if digits() == 0 && whole == 0 {
			return false
		}
	} else if whole == 0 {
		return false
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		sign()
		if digits() == 0 {
			return false
		}
	}
	return s == ""
}

// float writes f as encoding/json does.
func float(f float64, in string) (scalarKind, string) {
	abs := math.Abs(f)
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return infiniteScalar, in
	}
	if abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return numberScalar, strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	if n := len(s); n >= 4 && s[n-4:n-1] == "e-0" {
		s = s[:n-2] + s[n-1:]
	}
	return numberScalar, s
}
