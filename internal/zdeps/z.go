//go:build deps

// Package zdeps keeps the pins while the house is being built.
package zdeps

import (
	_ "github.com/cenkalti/backoff/v5"
	_ "github.com/danielgtaylor/huma/v2"
	_ "github.com/danielgtaylor/huma/v2/adapters/humago"
	_ "github.com/go-telegram/bot"
	_ "github.com/goccy/go-yaml"
	_ "github.com/google/jsonschema-go/jsonschema"
	_ "github.com/kaptinlin/jsonrepair"
	_ "github.com/knadh/koanf/v2"
	_ "github.com/nats-io/nats-server/v2/server"
	_ "github.com/nats-io/nats.go"
	_ "github.com/nats-io/nats.go/jetstream"
	_ "github.com/nats-io/nuid"
	_ "github.com/openai/openai-go/v3"
	_ "github.com/robfig/cron/v3"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/sony/gobreaker/v2"
	_ "github.com/spf13/cobra"
	_ "github.com/yuin/goldmark"
	_ "github.com/yuin/goldmark/extension"
	_ "go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	_ "go.opentelemetry.io/otel/sdk/trace"
	_ "go.uber.org/goleak"
	_ "go.uber.org/zap"
	_ "golang.org/x/net/html"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "gopkg.in/natefinch/lumberjack.v2"
	_ "modernc.org/sqlite"
	_ "pgregory.net/rapid"
)
