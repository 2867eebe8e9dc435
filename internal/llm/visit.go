package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/tracing"
	"go.uber.org/zap"
)

// tellAgain is how long the owner is left alone about one refused key.
const tellAgain = time.Hour

// visit tries one endpoint by the policy until it answers or the policy has enough of it, and keeps
// the record of its health. A failure counts once, however many tries it took.
func (w *route) visit(ctx context.Context, s *stop) (Reply, error) {
	for {
		s.tries++
		began := time.Now()
		reply, err := w.attempt(ctx, s)
		s.waited = time.Since(began)
		if err == nil {
			w.r.succeeded(ctx, s.endpoint)
			return reply, nil
		}
		if ctx.Err() != nil {
			return Reply{}, err
		}
		wait, again := w.again(s, err)
		if !again {
			w.r.failed(ctx, s.endpoint, err)
			return Reply{}, err
		}
		s.tell(ctx, err, s)
		if err := sleep(ctx, wait); err != nil {
			return Reply{}, stopped(ctx, err)
		}
	}
}

// again says whether the endpoint is tried once more, and after what wait.
func (w *route) again(s *stop, err error) (time.Duration, bool) {
	after := RetryAfter(err)
	f := fallback.Failure{Kind: akitad.KindOf(err), Attempt: s.tries, RetryAfter: after, Again: s.knows(err)}
	verdict := w.r.opts.Policy.Decide(f)
	if s.once || s.Offline || verdict != fallback.Retry && verdict != fallback.FeedBack {
		return 0, false
	}
	if (w.r.opts.Policy.TooLong(after) || silent(err)) && w.another(s) {
		return 0, false // to wait for this one serves nobody while another one may answer now
	}
	return w.r.opts.Policy.Backoff(s.tries, after, w.r.opts.Random()), true
}

// knows reports whether the endpoint failed like this before, and keeps in mind that it did now. What
// nobody can name may pass; what comes back in the same words does not.
func (s *stop) knows(err error) bool {
	sign := fallback.Signature(akitad.KindOf(err), err.Error())
	if slices.Contains(s.met, sign) {
		return true
	}
	s.met = append(s.met, sign)
	return false
}

// another reports whether an endpoint is left to try after s.
func (w *route) another(s *stop) bool {
	at := slices.Index(w.stops, s)
	return slices.ContainsFunc(w.stops[at+1:], func(next *stop) bool { return !next.Offline })
}

// attempt makes one call, in a place of the endpoint and a span of its own.
func (w *route) attempt(ctx context.Context, s *stop) (reply Reply, err error) {
	if err := s.enter(ctx); err != nil {
		return Reply{}, stopped(ctx, err)
	}
	defer s.leave()
	ctx, span := w.r.opts.Tracer.Start(ctx, akitad.SpanLLM, "chat "+s.Model,
		tracing.String(tracing.KeyOperation, "chat"), tracing.String("gen_ai.provider.name", s.Protocol),
		tracing.String(tracing.KeyModel, s.Model), tracing.String(tracing.KeyRole, string(w.req.Role)),
		tracing.String(tracing.KeyEndpoint, s.Name), tracing.Int(tracing.KeyAttempt, s.tries))
	defer func() { span.End(err) }()

	live, cancel := context.WithTimeoutCause(ctx, w.r.opts.Ceiling,
		akitad.Errorf(akitad.Timeout, "no end after %v", w.r.opts.Ceiling).WithHint("if the model only needs longer, raise llm.timeouts.longest"))
	defer cancel()
	reply, err = w.call(live, s)
	s.count(reply, err)
	if err != nil {
		s.lose(reply.Usage)
		return Reply{}, blame(ctx, live, err)
	}
	span.Set(usageAttrs(reply)...)
	return reply, nil
}

// lose keeps what a failed attempt used.
func (s *stop) lose(u akitad.Usage) {
	u.Calls, u.Cost = 0, s.Price.Cost(u)
	s.lost = s.lost.Add(u)
}

func usageAttrs(r Reply) []tracing.Attr {
	return []tracing.Attr{
		tracing.Int(tracing.KeyTokensIn, r.Usage.Input),
		tracing.Int(tracing.KeyCached, r.Usage.Cached),
		tracing.Int(tracing.KeyTokensOut, r.Usage.Output),
		tracing.Float(tracing.KeyFirstByte, float64(r.FirstByte.Microseconds())/1000),
		tracing.String("gen_ai.response.model", r.Model),
		tracing.Strings("gen_ai.response.finish_reasons", []string{string(r.Finish)}),
	}
}

// call passes the request on. Text that an attempt has streamed before it failed is taken back when
// the next one begins.
func (w *route) call(ctx context.Context, s *stop) (Reply, error) {
	req := s.fit(w.req)
	start, first := time.Now(), time.Duration(0)
	if emit := w.req.OnText; emit != nil {
		req.OnText = func(text string) {
			if first == 0 {
				first = time.Since(start)
			}
			w.spoke = true
			emit(text)
		}
	}
	if w.spoke && w.req.OnReset != nil {
		w.req.OnReset()
	}
	w.spoke = false
	reply, err := s.Provider.Generate(ctx, req)
	if reply.FirstByte == 0 {
		reply.FirstByte = first
	}
	return reply, err
}

// blame gives the error its kind: a deadline of ours that passed is a time-out of the endpoint, and
// an endpoint cannot say that the caller has cancelled.
func blame(caller, live context.Context, err error) error {
	if caller.Err() != nil {
		return stopped(caller, err)
	}
	if live.Err() != nil {
		return fmt.Errorf("%w (%v)", context.Cause(live), err)
	}
	if akitad.KindOf(err) == akitad.Cancelled {
		return &akitad.Error{Kind: akitad.Transport, Op: "model call broke off", Err: err}
	}
	return err
}

// stopped is the error for a caller whose context has ended.
func stopped(ctx context.Context, err error) error {
	kind := akitad.Cancelled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		kind = akitad.Timeout
	}
	return &akitad.Error{Kind: kind, Op: "model call stopped", Err: fmt.Errorf("%w (%v)", context.Cause(ctx), err)}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *Router) succeeded(ctx context.Context, e *endpoint) {
	r.mu.Lock()
	delete(r.told, e.Name)
	r.mu.Unlock()
	if err := r.opts.Health.Succeeded(ctx, healthName(e)); err != nil {
		r.opts.Log.Warn("endpoint health cannot be written", zap.String("endpoint", e.Name), zap.Error(err))
	}
}

// failed records what counts against an endpoint; a request that is at fault itself does not.
func (r *Router) failed(ctx context.Context, e *endpoint, err error) {
	kind := akitad.KindOf(err)
	switch kind {
	case akitad.InvalidRequest, akitad.ContentFiltered, akitad.ContextOverflow, akitad.OverBudget, akitad.Cancelled:
		return
	case akitad.Auth:
		r.tellOwner(ctx, e, err)
	}
	r.opts.Log.Warn("endpoint failed", zap.String("endpoint", e.Name), zap.String("kind", string(kind)), zap.Error(err))
	if _, herr := r.opts.Health.Failed(ctx, healthName(e), r.opts.Now(), kind, err.Error()); herr != nil {
		r.opts.Log.Warn("endpoint health cannot be written", zap.String("endpoint", e.Name), zap.Error(herr))
	}
}

func (r *Router) tellOwner(ctx context.Context, e *endpoint, err error) {
	now := r.opts.Now()
	r.mu.Lock()
	last, told := r.told[e.Name]
	fresh := !told || now.Sub(last) >= tellAgain
	if fresh {
		r.told[e.Name] = now
	}
	r.mu.Unlock()
	if fresh {
		r.opts.Owner(ctx, e.Name, err)
	}
}
