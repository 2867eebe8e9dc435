package agent

import (
	"context"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// resume decides about a call of a round that another claim has begun: its result may be on record, or it may have
// run without a result. A call that never began is made like any other.
func (b *batch) resume(p *prepared) {
	if at := slices.IndexFunc(b.round.Known, func(o akitad.Observation) bool { return o.Call == p.call.ID }); at >= 0 {
		p.known = &b.round.Known[at]
		return
	}
	epoch := b.task.Epoch
	switch {
	case p.err != nil || b.round.Epoch == epoch:
	case p.tool.Info().Readonly && b.round.Cut(p.call.ID, epoch) >= journal.MaxCut:
		p.ends, p.err = true, akitad.Errorf(akitad.ToolFailed, "the process ended each time while this call ran, %d times: it is not made again", journal.MaxCut).
			WithHint("do it another way, with less at once")
	case repeatable(*p):
	case b.round.MayHaveRun(p.call.ID, epoch):
		p.err = akitad.Errorf(akitad.Unknown, "the process stopped while this call ran: whether it took effect is unknown").
			WithHint("look at the state of things before you repeat it")
	case len(b.task.Rounds) <= b.task.Took:
		p.err = akitad.Errorf(akitad.Cancelled, "not made: another agent took over the task before this call began")
	}
}

// repeatable reports whether a call does no harm when it is made again.
func repeatable(p prepared) bool { return p.tool.Info().Readonly || p.tool.Info().Idempotent }

// suspect reports whether a call was made again and cut off again. It then runs alone, so that no other call is
// taken for what ends the process.
func (b *batch) suspect(p prepared) bool {
	return p.err == nil && b.round.Cut(p.call.ID, b.task.Epoch) > 1
}

// begin puts on record that the calls of a group begin, if whoever resumes the round must know that: they must not
// be made twice, or they were cut off before. The results so far are recorded with it.
func (b *batch) begin(ctx context.Context, from, n int) error {
	var begins []string
	for _, p := range b.calls[from : from+n] {
		if p.err == nil && p.same < 0 && p.known == nil && (!repeatable(p) || b.round.Epoch != b.task.Epoch) {
			begins = append(begins, p.call.ID)
		}
	}
	lasting := func(i int) bool { return b.calls[i].err == nil && !repeatable(b.calls[i]) }
	if len(begins) == 0 && !slices.ContainsFunc(b.unkept(), lasting) {
		return nil
	}
	return b.note(ctx, begins, nil)
}

// unkept returns the calls that have ended and whose results are not on record yet. Those that wait or end the
// task are left out: they are made again without harm.
func (b *batch) unkept() (calls []int) {
	for i, o := range b.out {
		if o.obs.Call != "" && !o.kept && o.open == nil && o.final == nil {
			calls = append(calls, i)
		}
	}
	return calls
}

// note records that calls begin or are stopped, and the results so far.
func (b *batch) note(ctx context.Context, begins, stopped []string) error {
	d, ended := journal.BegunData{Round: b.round.Thought.Round, Calls: begins, Stopped: stopped}, b.unkept()
	for _, i := range ended {
		files, err := b.r.keep(ctx, b.out[i])
		if err != nil {
			return err
		}
		d.Results, d.Files = append(d.Results, b.out[i].obs), append(d.Files, files...)
		d.Tainted = d.Tainted || b.out[i].obs.Untrusted
	}
	if err := b.r.happened(ctx, journal.Begun, d); err != nil {
		return err
	}
	for _, i := range ended {
		b.out[i].kept = true
	}
	return nil
}

// forget drops the failures of a group whose time was over before its end, which may come from that, and returns
// the calls.
func (b *batch) forget(from, n int) (stopped []string) {
	for i := from; i < from+n; i++ {
		if failed(b.out[i]) {
			b.out[i], stopped = outcome{}, append(stopped, b.calls[i].call.ID)
		}
	}
	return stopped
}

// breakOff ends a batch whose time is over, and returns why. What has ended counts all the same, and what was stopped
// has not ended its process.
func (b *batch) breakOff(ctx context.Context, stopped []string) error {
	if len(stopped)+len(b.unkept()) > 0 {
		if err := b.note(ctx, nil, stopped); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// tellOwner reports the tools whose calls end each process that makes them.
func (b *batch) tellOwner(ctx context.Context) {
	for _, p := range b.calls {
		if p.ends {
			b.r.opts.Ends(ctx, b.task.ID, p.call.Tool)
		}
	}
}
