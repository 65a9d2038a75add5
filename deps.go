//go:build deps

package main

import (
	_ "github.com/andybalholm/brotli"
	_ "github.com/chromedp/chromedp"
	_ "github.com/evanw/esbuild/pkg/api"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/hack-pad/go-indexeddb/idb"
	_ "github.com/tidwall/btree"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/tools/txtar"
	_ "gopkg.in/evanphx/json-patch.v4"
	_ "honnef.co/go/js/dom/v2"
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apimachinery/pkg/api/validation"
	_ "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	_ "k8s.io/apimachinery/pkg/util/strategicpatch"
	_ "k8s.io/utils/ptr"
	_ "rsc.io/script"
	_ "rsc.io/script/scripttest"
	_ "sigs.k8s.io/yaml"
)
