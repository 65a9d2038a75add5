# Everything is one of these. `make` alone lists them.

SHELL := /bin/bash
.DEFAULT_GOAL := help

GO_FILES = $$(git ls-files '*.go')

.PHONY: help
help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: tools
tools:
	@command -v go >/dev/null || { echo "Go 1.26 is needed: https://go.dev/dl"; exit 1; }
	@command -v npm >/dev/null || { echo "Node with npm is needed (Debian: apt-get install nodejs npm)"; exit 1; }

.PHONY: browser
browser: tools
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq </dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium </dev/null; \
		else \
			echo "Chromium is needed for the tests in the browser (Debian: apt-get install chromium)"; exit 1; \
		fi; }

.PHONY: build
build: tools ## Builds the page into dist/
	go run ./wasm/build/cmd

.PHONY: run
run: build ## Builds the page and serves it at http://127.0.0.1:8080
	go run .

.PHONY: release
release: tools ## One program, terrarium, that carries the page inside, compressed as well as possible
	go run ./wasm/build/cmd -best
	go build -tags release -trimpath -o terrarium .

.PHONY: test
test: check unit wasm-test e2e ## Everything CI runs

.PHONY: check
check: tools ## Formatting, vet for both systems, types of the scripts, rules of the architecture
	@unformatted=$$(gofmt -l $(GO_FILES)); [ -z "$$unformatted" ] || { echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./core/... ./wasm/... ./web/...
	go run ./wasm/build/cmd -types
	go test ./archtest

.PHONY: unit
unit: ## Unit tests and scenarios, natively
	go test $$(go list ./... | grep -v -e /e2e$$ -e /archtest$$)

.PHONY: fidelity
fidelity: ## Compares defaults, validation and requests with Kubernetes itself (the first build is long)
	cd fidelity && go vet . && go test .

.PHONY: wasm-test
wasm-test: ## The tests that must hold in wasm too, under Node
	GOOS=js GOARCH=wasm go test -exec="$$(go env GOROOT)/lib/wasm/go_js_wasm_exec" ./core/loop/... ./core/store/... ./wasm/port

.PHONY: e2e
e2e: browser ## Tests in headless Chromium
	go test -timeout 10m ./wasm/idb -browser
	go test -timeout 40m ./e2e -browser

.PHONY: bench
bench: browser ## Benchmarks in domain units: rollouts in Chromium, the store natively and in wasm
	go test -timeout 60m -run '^$$' -bench . -benchtime 1x ./e2e -browser
	go test -run '^$$' -bench . ./core/store/...
	GOOS=js GOARCH=wasm go test -exec="$$(go env GOROOT)/lib/wasm/go_js_wasm_exec" -run '^$$' -bench . ./core/store/...

.PHONY: size
size: tools ## Bytes of each wasm and script against the budget (compresses for a minute)
	go run ./wasm/build/cmd -size
