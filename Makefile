# akitad. `make help` lists everything.
export CGO_ENABLED ?= 0
GO        ?= go
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# What follows makes the program smaller, see docs/adr/0020 and 0055. Model and chat services all speak HTTP/1.1.
TAGS      := nethttpomithttp2
LDFLAGS   := -s -w -funcalign=1 -X main.version=$(VERSION)
# Not inlined: what runs once at start, once a connection, or waits for a disk or another machine.
COLD      := github.com/coder/... github.com/danielgtaylor/... github.com/go-logr/... github.com/go-telegram/... github.com/goccy/... \
             github.com/kaptinlin/... github.com/klauspost/... github.com/nats-io/... github.com/santhosh-tekuri/... github.com/spf13/... \
             github.com/yuin/... golang.org/x/crypto/... golang.org/x/text/... go.opentelemetry.io/auto/... \
             go.opentelemetry.io/otel/sdk/internal/attrnorm go.opentelemetry.io/otel/sdk/resource go.opentelemetry.io/otel/sdk/trace \
             go.opentelemetry.io/otel/sdk/trace/internal/observ go.uber.org/zap/... gopkg.in/natefinch/... modernc.org/sqlite \
             archive/tar archive/zip compress/gzip crypto/cipher crypto/ecdh crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/hpke \
             crypto/internal/fips140/ecdsa crypto/internal/fips140/nistec crypto/internal/fips140/rsa crypto/rsa crypto/sha3 crypto/tls crypto/x509 \
             crypto/x509/pkix database/sql database/sql/driver encoding/asn1 encoding/gob encoding/xml expvar flag html internal/fmtsort internal/profile \
             log log/slog math/big math/rand mime mime/multipart mime/quotedprintable net net/http net/http/httputil net/http/pprof net/mail net/url \
             os/exec os/signal regexp/syntax runtime/debug runtime/pprof runtime/trace text/tabwriter text/template vendor/golang.org/x/crypto/cryptobyte \
             $(addprefix github.com/akitad/akitad/,cmd/... channels/... fallback/... memory/... orchestrator/... workspace/... \
             $(addprefix internal/,access/... admin/... app/... chatfile/... chathook/... chatsend/... client/... commands/... compiler/... config/... \
             controls/... egress/... filter/... flow/... knowledge/... journal/projection/... llm/anthropic/... llm/gemini/... llm/offline/... llm/schema/... loose/... \
             pattern/... pdf/... plan/... rows/... sandbox/... tool/... transcribe/... typo/...))
# Of these, what becomes smaller when it is inlined.
SMALL     := github.com/goccy/go-yaml/ast github.com/goccy/go-yaml/token github.com/nats-io/nats-server/v2/server/stree github.com/yuin/goldmark/text
# A type that is long to write is named by its hash in the names of generic functions. Traces print none of both.
SHORT     := -d=maxshapelen=64
BUILD     := -trimpath -tags $(TAGS) -gcflags=github.com/...=$(SHORT) $(COLD:%=-gcflags='%=-l $(SHORT)') $(SMALL:%=-gcflags=%=$(SHORT))
GOFUMPT   := mvdan.cc/gofumpt@v0.12.0
STATIC    := honnef.co/go/tools/cmd/staticcheck@v0.8.2
STEP      := ./scripts/step
# Packages in which goroutines of ours meet.
RACE      := ./channels/... ./fallback/... ./internal/admin/... ./internal/agent/... ./internal/app/... ./internal/bus/... ./internal/claim/... ./internal/client/... \
             ./internal/journal/... ./internal/lane/... ./internal/llm ./internal/llm/gemini ./internal/llm/llmtest ./internal/llm/openai ./internal/pattern ./internal/tool/... ./memory/... ./orchestrator/... ./pool/... ./tracing/...

.PHONY: help build run test race props drill bench fuzz lint lint-all check size

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## build bin/akitad
	@echo 'building bin/akitad $(VERSION)'
	@$(GO) build $(BUILD) -ldflags '$(LDFLAGS)' -o bin/akitad ./cmd/akitad

# TEXT and FILES reach the program through the environment, so that no shell reads them.
run: export AKITA_HOME ?= $(CURDIR)/.akita
run: export TEXT ?= Which services failed, when, why, how often, and what changed before? Write the report to report.md.
run: export FILES ?= $(wildcard examples/incident/logs/*)
run: build ## do TEXT on FILES (default: the incident in examples/incident), no key and no set-up needed
	@./bin/akitad run

test: ## all tests, no cgo; SEED=n has the property tests draw the same cases each time, here and below
	@GO='$(GO)' ./scripts/seeded $(GO) test -timeout 30m -- ./...

race: ## the packages with goroutines of ours, under the race detector; drills kill seldom, as all is slow
	@GO='$(GO)' CGO_ENABLED=1 AKITA_DRILL_KILLS=4 ./scripts/seeded $(GO) test -race -timeout 30m -- $(RACE)

props: ## property tests, many more cases (CASES, default 5000)
	@GO='$(GO)' nice ./scripts/props $(or $(CASES),5000)

drill: ## kill real processes, 200 times (AKITA_DRILL_KILLS), and print what came of it; SEED=n draws the same again
	AKITA_DRILL_KILLS=$(or $(AKITA_DRILL_KILLS),200) $(GO) test ./internal/app -run '^TestDrill' -count=1 -v -timeout 60m

bench: build ## how fast, how small: measured values beside the aims (COUNT, default 1: runs of each)
	@$(GO) run ./scripts/bench -program bin/akitad -count $(or $(COUNT),1) -- $(BUILD)

fuzz: ## each fuzz target for a while (FUZZTIME, default 20s)
	@./scripts/fuzz $(or $(FUZZTIME),20s)

proof: ## ask the fakes with the vendors' own SDKs, count tokens with their vocabularies: modules of their own (minutes to compile)
	@for dir in internal/llm/*/sdk internal/window/sdk; do (cd $$dir && $(GO) test ./...) || exit 1; done
	@if command -v npm >/dev/null; then GO='$(GO)' channels/feishu/feishutest/node/run; else echo 'Feishu: there is no npm'; fi

lint: ## gofumpt, tidy, vet, staticcheck, floors and doc comments
	@out=$$($(GO) run $(GOFUMPT) -l $$(git ls-files '*.go')); test -z "$$out" || { echo "not gofumpt-ed:"; echo "$$out"; exit 1; }
	$(GO) mod tidy -diff
	$(GO) vet ./...
	$(GO) run $(STATIC) ./...
	$(GO) test . -run 'Floors|Owners|Docs|Tree'

lint-all: lint ## lint, and golangci-lint if it is installed
	golangci-lint run ./...

check: ## lint, test and race, with the seconds of each
	@$(STEP) lint $(MAKE) --no-print-directory lint
	@$(STEP) build $(MAKE) --no-print-directory build
	@$(STEP) test $(MAKE) --no-print-directory test
	@$(STEP) race $(MAKE) --no-print-directory race

size: build ## the binary's size and what each dependency adds
	@$(GO) run ./scripts/size bin/akitad $(BUILD) -ldflags=-funcalign=1
