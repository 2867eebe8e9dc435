package window

import (
	"context"
	"fmt"
	"slices"

	"github.com/akitad/akitad/internal/journal"
)

// leastClip is the least that clip leaves of a result, in tokens.
const leastClip = 200

// force is the third stage. It cuts by rules, step by step, until the window is small enough. The first three steps
// spare the person's newest turns, the task's words, and one whole round. The last two spare less, and are
// taken only if the request would otherwise be over the budget and could not be made at all.
func (w *reduction) force(ctx context.Context) error {
	if !w.over(w.ForceAt) {
		return nil
	}
	for _, step := range []func(context.Context) error{w.maskMore, w.cutMore, w.clip} {
		if err := step(ctx); err != nil || !w.over(w.calm()) {
			return err
		}
	}
	for _, step := range []func(context.Context) error{w.maskNewest, w.cutTurns} {
		if w.size <= w.budget {
			return nil
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// calm is the share of the budget that force goes down to. It lies as far below SummarizeAt as ForceAt lies above,
// but not below half of it, so that force is not needed again in the very next rounds.
func (w *reduction) calm() float64 { return max(w.SummarizeAt/2, 2*w.SummarizeAt-w.ForceAt) }

// maskNewest hides the contents of all written files, those of the newest round included.
func (w *reduction) maskNewest(ctx context.Context) error {
	return w.mask(ctx, 3, 1, w.contents(len(w.view.rounds)))
}

// cutTurns leaves out every turn of the session: one message that was too large must not keep the person
// from ever being answered again.
func (w *reduction) cutTurns(ctx context.Context) error {
	c := cut{w.view.from, len(w.in.Earlier)}
	if c.turns == w.view.dropped {
		return nil
	}
	return w.cut(ctx, 3, c, w.byRules(c.upto))
}

// maskMore masks younger and younger rounds' results and contents, half of what is left each time: no more
// than it takes, and never the newest round's.
func (w *reduction) maskMore(ctx context.Context) error {
	for keep := max(2, w.MaskRounds); w.Strategy.masks() && keep > 1 && w.over(w.calm()); {
		keep = max(1, keep/2)
		repeated, old := w.failures(), w.older(keep)
		if err := w.mask(ctx, 3, 1, slices.Concat(repeated, w.results(old, calls(repeated)), w.contents(old))); err != nil {
			return err
		}
	}
	return nil
}

// cutMore leaves out rounds, then turns of the session, then more rounds: no more than it takes.
func (w *reduction) cutMore(ctx context.Context) error {
	var best cut
	least := w.size
	for _, c := range w.cuts() {
		d := w.d
		d.Note, d.Upto, d.Earlier = w.noteOf(c, w.byRules(c.upto), noHash), c.upto, c.turns
		if _, size := w.with(d); size < least {
			best, least = c, size
		}
		if float64(least) <= w.calm()*float64(w.budget) {
			break
		}
	}
	if best == (cut{}) {
		return nil
	}
	return w.cut(ctx, 3, best, w.byRules(best.upto))
}

// cuts gives what may be cut, the mildest first.
func (w *reduction) cuts() []cut {
	n := len(w.view.rounds)
	first := max(w.view.from, n-max(1, w.KeepRounds), 0)
	out := []cut{{first, w.view.dropped}, {first, w.lastTurns()}}
	for upto := first + 1; upto < n; upto++ {
		out = append(out, cut{upto, w.lastTurns()})
	}
	return slices.DeleteFunc(out, func(c cut) bool { return c.upto == w.view.from && c.turns == w.view.dropped })
}

// clip shortens the longest results that are left to their beginning and end.
func (w *reduction) clip(ctx context.Context) error {
	sizes, sum := map[string]int{}, 0
	for _, r := range w.view.rounds[w.view.from:] {
		for i, o := range w.view.results(r) {
			if !personal(r.Results[i]) {
				sizes[o.Call] = w.tokens(o.Text)
				sum += sizes[o.Call]
			}
		}
	}
	limit := w.limit(sizes, int(w.calm()*float64(w.budget))-(w.size-sum))
	var all []candidate
	for _, r := range w.view.rounds[w.view.from:] {
		for _, o := range w.view.results(r) {
			if sizes[o.Call] <= limit {
				continue
			}
			whole := w.view.masks[o.Call]
			hash := o.Artifact
			if hash == "" {
				hash = whole.Artifact
			}
			text := ends(o.Text, max(leastClip, limit)-60)
			all = append(all, candidate{call: o.Call, body: o.Text, hash: hash, gain: sizes[o.Call] - w.tokens(text), mask: func(hash string) journal.Mask {
				return journal.Mask{Call: o.Call, Text: fmt.Sprintf("%s\n[shortened to save room; all of it is artifact %s: read_artifact]", text, hash), Artifact: hash, Clipped: true}
			}})
		}
	}
	return w.mask(ctx, 3, 1, all)
}

// limit gives the number of tokens to which each result is shortened so that all of them fit in room tokens. It
// searches the largest such number by halving, and gives leastClip if even that is too large.
func (w *reduction) limit(sizes map[string]int, room int) int {
	low, high := leastClip, leastClip
	for _, n := range sizes {
		high = max(high, n)
	}
	for low < high {
		mid, sum := (low+high+1)/2, 0
		for _, n := range sizes {
			sum += min(n, mid)
		}
		if sum <= room {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// ends shortens a text to about so many tokens by leaving out its middle. The size in bytes is first guessed from
// the text as a whole, then reduced until it fits.
func ends(text string, tokens int) string {
	whole := Tokens(text)
	if whole <= tokens {
		return text
	}
	short := ""
	for room := len(text) * max(tokens, 1) / whole; ; room = room * 3 / 4 { // a piece may be denser than the whole
		if short = around(text, room); room < 8 || Tokens(short) <= tokens+20 {
			return short
		}
	}
}

// around gives about room bytes of a text, three quarters from its beginning and a quarter from its end, with a line
// between them that says how much is left out. It cuts no character in half.
func around(text string, room int) string {
	head, tail := room*3/4, len(text)-room/4
	for head > 0 && text[head]&0xc0 == 0x80 {
		head--
	}
	for tail < len(text) && text[tail]&0xc0 == 0x80 {
		tail++
	}
	return fmt.Sprintf("%s\n[%d bytes left out here]\n%s", text[:head], tail-head, text[tail:])
}
