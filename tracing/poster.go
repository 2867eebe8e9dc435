package tracing

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.uber.org/zap"
)

const (
	postTimeout = 10 * time.Second // of one attempt: OTLP's own default
	postTries   = 5                // of one batch
	postWithin  = 20 * time.Second // for all attempts; the SDK gives a batch up after 30 s
	maxAnswer   = 64 << 10         // bytes of a collector's answer that are read
	maxAnswered = 300              // bytes of the answer that are logged
)

// poster posts batches of spans to a collector as OTLP/JSON. Batches that it cannot deliver are logged and
// dropped.
type poster struct {
	url     string
	headers http.Header
	http    http.Client
	log     *zap.Logger

	// The SDK passes contexts of its own, so the end of the tracer needs these contexts.
	leaving context.Context // done: a batch gets no second attempt
	left    context.Context // done: the running attempt is cancelled
	hurry   context.CancelFunc
	close   context.CancelFunc
}

func newPoster(opts Options) *poster {
	p := &poster{url: endpoint(opts.OTLP), headers: headers(), log: opts.Log}
	if opts.HTTP != nil {
		p.http = *opts.HTTP
	}
	p.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	p.leaving, p.hurry = context.WithCancel(context.Background())
	p.left, p.close = context.WithCancel(context.Background())
	return p
}

// endpoint adds OTLP's path to an address without a path.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.Trim(u.Path, "/") != "" {
		return address
	}
	u.Path = "/v1/traces"
	return u.String()
}

// headers reads OpenTelemetry's environment variables for HTTP headers, such as a key that the collector
// needs: name=value,name=value with percent-encoded values. The variable for traces wins.
func headers() http.Header {
	out := http.Header{}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"} {
		for pair := range strings.SplitSeq(os.Getenv(name), ",") {
			key, value, ok := strings.Cut(pair, "=")
			if text, err := url.PathUnescape(strings.TrimSpace(value)); ok && err == nil {
				out.Set(strings.TrimSpace(key), text)
			}
		}
	}
	out.Set("Content-Type", "application/json")
	out.Set("User-Agent", "akitad")
	return out
}

// ExportSpans delivers one batch. It logs an error instead of returning it, because the SDK would print it.
func (p *poster) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	body, err := json.Marshal(batchOf(spans))
	if err == nil {
		err = p.deliver(ctx, body)
	}
	if err != nil {
		p.log.Warn("spans were not exported", zap.Int("spans", len(spans)), zap.Error(err))
	}
	return nil
}

// Shutdown does nothing, because no span is held back between batches.
func (p *poster) Shutdown(context.Context) error { return nil }

func (p *poster) deliver(ctx context.Context, body []byte) (last error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.left, cancel)()
	_, err := backoff.Retry(p.leaving, func() (struct{}, error) {
		last = p.attempt(ctx, body)
		return struct{}{}, last
	}, backoff.WithMaxTries(postTries), backoff.WithMaxElapsedTime(postWithin))
	if err == nil {
		return nil
	}
	return last
}

// attempt posts a batch once. An error that another attempt would not solve is marked as permanent.
func (p *poster) attempt(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return backoff.Permanent(err)
	}
	req.Header = p.headers.Clone()
	resp, err := p.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return p.verdict(resp, answer)
}

// verdict turns an answer into an error by OTLP's rules: with four statuses, the batch may be sent again.
func (p *poster) verdict(resp *http.Response, answer []byte) error {
	err := fmt.Errorf("the collector answered %s: %.*s", resp.Status, maxAnswered, bytes.TrimSpace(answer))
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if seconds, bad := strconv.Atoi(resp.Header.Get("Retry-After")); bad == nil && seconds > 0 {
			return fmt.Errorf("%w: %w", err, backoff.RetryAfter(seconds))
		}
		return err
	}
	if resp.StatusCode >= 300 {
		return backoff.Permanent(err)
	}
	p.rejected(answer)
	return nil
}

// rejected logs that a collector accepted only a part of a batch.
func (p *poster) rejected(answer []byte) {
	var in struct {
		Partial struct {
			Spans   json.Number `json:"rejectedSpans"`
			Message string      `json:"errorMessage"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(answer, &in) != nil || in.Partial.Message == "" && (in.Partial.Spans == "" || in.Partial.Spans == "0") {
		return
	}
	p.log.Warn("the collector did not take all spans", zap.String("rejected", in.Partial.Spans.String()), zap.String("message", in.Partial.Message))
}
