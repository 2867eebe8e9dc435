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

// A stop is one endpoint on a request's way.
type stop struct {
	*endpoint
	rank  int      // place in the role's order; the offline engine comes after all
	once  bool     // one attempt and no retry: it is sick, or being probed
	over  bool     // passed over since another strategy is forced
	hung  bool     // the last that is known of it is that it timed out, and it is not its turn to be tried again
	tries int      // attempts made
	err   error    // why it did not answer
	met   []string // signatures of the unknown failures so far

	waited time.Duration // for the last attempt
	lost   akitad.Usage  // what its failed attempts used, as far as its server has told
}

// A route is the way of one request through the endpoints of its role.
type route struct {
	r     *Router
	req   Request
	stops []*stop // in the order in which they are tried
	only  bool    // the first stop is not a stand-in: it was asked for, or there is nothing else
	tried []*stop
	spoke bool // text has been passed on that no reply stands behind yet
	open  bool // whether what is remembered or the offline engine may stand in is not known yet
}

// Generate implements Provider. The reply says which endpoint answered and what was passed over. An
// overflow of the context and a cancel come back as they are; when nobody can answer, the error is
// of kind all_failed and holds an *AllFailed.
func (r *Router) Generate(ctx context.Context, req Request) (Reply, error) {
	req, err := r.resolve(req)
	if err != nil {
		return Reply{}, err
	}
	w := r.plan(ctx, req)
	for i := 0; i < len(w.stops); i++ {
		s := w.stops[i]
		reply, err := w.visit(ctx, s)
		if err == nil {
			return w.finish(s, reply), nil
		}
		if ctx.Err() != nil || final(r.opts.Policy, err) {
			return Reply{}, err
		}
		s.err = err
		w.tried = append(w.tried, s)
		w.standIn()
		if i+1 < len(w.stops) {
			s.tell(ctx, err, w.stops[i+1])
			w.decide(ctx, w.stops[i+1], fmt.Sprintf("%s failed: %s", s.Name, akitad.KindOf(err)))
		}
	}
	return Reply{}, w.allFailed()
}

// final reports whether another endpoint is no help.
func final(p fallback.Policy, err error) bool {
	switch p.Decide(fallback.Failure{Kind: akitad.KindOf(err), Attempt: 1}) {
	case fallback.End, fallback.Shrink:
		return true
	}
	return false
}

// plan lays the route: healthy endpoints in role order, sick ones behind them, then what is remembered
// or the offline engine if they may answer.
func (r *Router) plan(ctx context.Context, req Request) *route {
	w := &route{r: r, req: req}
	serving, forced := r.preferred(req), r.Strategy()
	kept := r.keeper(forced)
	switch {
	case forced == StrategyHold && !req.Offline:
		w.hold(append(slices.Clone(serving), r.backup()...))
	case kept != nil && req.Role == RoleMain && !req.Offline:
		w.force(ctx, &stop{endpoint: kept, rank: len(serving)})
	case r.offline != nil && (req.Offline || len(serving) == 0):
		w.stops, w.only = []*stop{{endpoint: r.offline}}, true
	case forced == StrategyOffline, kept != nil && r.offline != nil:
		w.force(ctx, &stop{endpoint: r.offline, rank: len(serving)})
	case forced != StrategyAuto && kept == nil:
		e := r.byName[forced]
		w.force(ctx, &stop{endpoint: e, rank: max(slices.Index(serving, e), 0)})
	default:
		w.byHealth(ctx, serving)
	}
	return w
}

// keeper gives what answers by a strategy from what is kept here; nil if it is another one.
func (r *Router) keeper(strategy string) *endpoint {
	for _, e := range r.kept {
		if e.Name == strategy {
			return e
		}
	}
	return nil
}

// force makes s the only stop; what the role would have had before it counts as passed over.
func (w *route) force(ctx context.Context, s *stop) {
	w.stops = []*stop{s}
	for i, e := range w.r.preferred(w.req) {
		if i < s.rank {
			err := akitad.Errorf(akitad.Unavailable, "strategy %s is set", w.r.Strategy())
			w.tried = append(w.tried, &stop{endpoint: e, rank: i, err: err, over: true})
		}
	}
	if len(w.tried) > 0 {
		w.decide(ctx, s, "strategy "+w.r.Strategy()+" is set")
	}
}

// backup gives the offline engine, if there is one.
func (r *Router) backup() []*endpoint {
	if r.offline == nil {
		return nil
	}
	return []*endpoint{r.offline}
}

// hold leaves no stop: whatever the endpoints could do, the request is to come again later.
func (w *route) hold(serving []*endpoint) {
	for i, e := range serving {
		err := akitad.Errorf(akitad.Overloaded, "strategy %s is set", StrategyHold)
		w.tried = append(w.tried, &stop{endpoint: e, rank: i, err: err})
	}
}

func (w *route) byHealth(ctx context.Context, serving []*endpoint) {
	var resting, sick []*stop
	for i, e := range serving {
		s := &stop{endpoint: e, rank: i}
		switch w.standing(ctx, s) {
		case ready:
			w.stops = append(w.stops, s)
		case rests:
			resting = append(resting, s)
		default:
			sick = append(sick, s)
		}
	}
	w.avoid()
	hung := func(s *stop) bool { return s.hung }
	quick := slices.DeleteFunc(slices.Clone(sick), hung) // these refuse at once, if they do
	sick = slices.DeleteFunc(sick, func(s *stop) bool { return !s.hung })
	w.stops = slices.Concat(w.stops, quick, resting, sick)
	w.open = true
	if len(w.stops) == 0 || w.stops[0].rank > 0 {
		w.standIn()
	}
	if len(w.stops) > 0 && w.stops[0].rank > 0 {
		w.decide(ctx, w.stops[0], "better endpoints are degraded, have just timed out, or are to be avoided")
	}
}

// standIn puts what is remembered or indexed, else the offline engine, once, behind all others but those that hung, if
// it can serve the request: to ask one of those again would cost its whole wait. To find out takes longer
// than the rest of the way to an endpoint that answers: it is asked when one has not, or when all that is left hung.
func (w *route) standIn() {
	if !w.open {
		return
	}
	w.open = false
	if e := w.r.standIn(w.req); e != nil {
		at := slices.IndexFunc(w.stops, func(s *stop) bool { return s.hung })
		if at < 0 {
			at = len(w.stops)
		}
		w.stops = slices.Insert(w.stops, at, &stop{endpoint: e, rank: len(w.r.preferred(w.req))})
	}
}

// standIn gives what can serve a request without any endpoint; nil if nothing can.
func (r *Router) standIn(req Request) *endpoint {
	for _, e := range r.kept {
		if e.serves(req) {
			return e
		}
	}
	if r.offline != nil && r.opts.Offline == OfflineAnswer && r.offline.serves(req) {
		return r.offline
	}
	return nil
}

// avoid puts the endpoint that the request avoids behind the other healthy ones.
func (w *route) avoid() {
	at := slices.IndexFunc(w.stops, func(s *stop) bool { return s.Name == w.req.Avoid })
	if at < 0 || len(w.stops) == 1 {
		return
	}
	s := w.stops[at]
	s.err = akitad.Errorf(akitad.Loop, "its answers led nowhere in this task")
	w.stops = append(slices.Delete(w.stops, at, at+1), s)
}

// standing is where an endpoint stands by its health.
type standing int

const (
	ready standing = iota // to be tried in its place
	rests                 // it has just timed out: after those that are ready
	ill                   // degraded: after all others, once
)

// standing says whether s is to be tried in its place: it neither rests nor is degraded, or it is this
// request that probes it.
func (w *route) standing(ctx context.Context, s *stop) standing {
	now := w.r.opts.Now()
	h, err := w.r.opts.Health.Health(ctx, healthName(s.endpoint))
	if err != nil {
		w.r.opts.Log.Warn("endpoint health cannot be read", zap.String("endpoint", s.Name), zap.Error(err))
		return ready
	}
	switch {
	case h.Resting(now):
		s.hung = true
		s.err = akitad.Errorf(h.Kind, "it did not answer %s ago: %s", now.Sub(h.Failures[len(h.Failures)-1]).Round(time.Second), h.Reason)
		return rests
	case !h.Degraded():
		return ready
	}
	s.once = true
	s.err = akitad.Errorf(h.Kind, "degraded since %s: %s", h.Since.UTC().Format(time.RFC3339), h.Reason)
	if !h.ProbeDue(now) {
		s.hung = h.Kind == akitad.Timeout
		return ill
	}
	taken, err := w.r.opts.Health.TakeProbe(ctx, healthName(s.endpoint), now)
	if err == nil && taken {
		return ready
	}
	s.hung = h.Kind == akitad.Timeout
	return ill
}

// finish completes the reply of the stop that answered.
func (w *route) finish(s *stop, reply Reply) Reply {
	reply.Endpoint = s.Name
	if reply.Model == "" {
		reply.Model = s.Model
	}
	reply.Usage.Cost = s.Price.Cost(reply.Usage)
	reply.Bills = w.bills(s, reply.Usage)
	reply.Lost = s.lost
	for _, t := range w.tried {
		reply.Lost = reply.Lost.Add(t.lost)
	}
	reply.Lost.Calls, reply.Usage = reply.Bills.Total().Calls-1, reply.Bills.Total()
	reply.Degraded = append(w.degraded(s), s.blindness(w.req)...)
	return reply
}

// degraded lists the endpoints that the role prefers to the one that answered, each with what took
// its place.
func (w *route) degraded(answered *stop) []akitad.Degradation {
	if w.only {
		return nil
	}
	var over []*stop
	for _, s := range append(slices.Clone(w.tried), w.stops...) {
		if s.rank < answered.rank && !slices.Contains(over, s) {
			over = append(over, s)
		}
	}
	slices.SortFunc(over, func(a, b *stop) int { return a.rank - b.rank })
	over = append(over, answered)
	var out []akitad.Degradation
	for i, s := range over[:len(over)-1] {
		out = append(out, degradation(s, over[i+1]))
	}
	return out
}

func degradation(from, to *stop) akitad.Degradation {
	d := akitad.Degradation{Layer: "endpoint", From: from.Name, To: to.Name, Kind: akitad.KindOf(from.err), Skipped: from.tries == 0, Forced: from.over}
	if to.Offline {
		d.Layer = "strategy"
	}
	if said, ok := errors.AsType[*ServerError](from.err); ok {
		d.Status = said.Status
	}
	if from.err != nil {
		d.Reason = from.err.Error()
	}
	return d
}

func (w *route) allFailed() error {
	failed := &AllFailed{Role: w.req.Role, Bills: w.bills(nil, akitad.Usage{})}
	for _, s := range w.tried {
		failed.Tried = append(failed.Tried, Tried{Endpoint: s.Name, Tries: s.tries, Err: s.err})
	}
	return failed.wrap()
}

// decide puts the choice of the next endpoint on record.
func (w *route) decide(ctx context.Context, next *stop, reason string) {
	var options []string
	for _, s := range append(slices.Clone(w.tried), w.stops...) {
		if !slices.Contains(options, s.Name) {
			options = append(options, s.Name)
		}
	}
	_, span := w.r.opts.Tracer.Start(ctx, akitad.SpanDecision, "fallback",
		tracing.String("type", "fallback"), tracing.Strings("options", options))
	span.Set(tracing.String("choice", next.Name), tracing.String("reason", reason))
	span.End(nil)
}
