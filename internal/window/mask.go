package window

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

const (
	writeTool   = "write_file" // its argument content can be left out of the prompt, because the file has it
	askTool     = "ask_user"   // the only tool whose results can be a person's own words
	contentArg  = "content"
	leastText   = 200 // bytes; a shorter content is not worth a placeholder
	newFailures = 3   // in so many of the newest rounds, each failure is shown in full

	// noHash stands in for a hash while a gain is computed: any SHA-256 has about as many tokens.
	noHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

// candidate is a mask that could be put on a call.
type candidate struct {
	call string                         // id of the call
	mask func(hash string) journal.Mask // makes the mask; hash names the artifact with what it hides
	body string                         // what the mask hides; it is stored as an artifact if hash is empty
	hash string                         // of the artifact that has the body already
	gain int                            // tokens by which the request becomes smaller; negative if it grows
}

// maskOld is the first stage: it masks old results, contents of written files and repeated failures. It masks all
// of them at once, and only if that frees a batch: each reduction gives up the provider's cached prefix.
func (w *reduction) maskOld(ctx context.Context) error {
	if !w.Strategy.masks() || !w.over(w.MaskAt) {
		return nil
	}
	old := w.older(max(1, w.MaskRounds))
	repeated := w.failures()
	return w.mask(ctx, 1, batch(w.budget), slices.Concat(repeated, w.results(old, calls(repeated)), w.contents(old)))
}

// calls gives the ids of the calls that candidates mask.
func calls(of []candidate) map[string]bool {
	out := map[string]bool{}
	for _, c := range of {
		out[c.call] = true
	}
	return out
}

// older gives the index of the first of the newest keep rounds: the shown rounds before it are the older ones.
func (w *reduction) older(keep int) int { return max(w.view.from, len(w.view.rounds)-keep) }

// mask records all candidates, if together they gain at least least tokens. Contents that no artifact has yet are
// stored first.
func (w *reduction) mask(ctx context.Context, stage, least int, all []candidate) error {
	gain := 0
	for _, c := range all {
		gain += c.gain
	}
	if len(all) == 0 || gain < max(1, least) {
		return nil
	}
	for _, c := range all {
		if c.hash == "" {
			hash, err := w.Keep(ctx, []byte(c.body))
			if err != nil {
				return fmt.Errorf("keep what is masked: %w", err)
			}
			c.hash = hash
		}
		w.d.Masks = append(w.d.Masks, c.mask(c.hash))
	}
	w.stage(stage)
	w.d.Masked += w.saved()
	return nil
}

// results gives the results before round upto that can be masked: not what a person said, not what is
// masked already, not a repeated failure, and not what is as short as its placeholder.
func (w *reduction) results(upto int, folded map[string]bool) (out []candidate) {
	for _, r := range w.view.rounds[w.view.from:upto] {
		for i, o := range r.Results {
			c := r.Thought.Calls[i]
			known := w.view.masks[o.Call]
			if known.Text != "" && !known.Clipped || personal(o) || folded[o.Call] {
				continue
			}
			shown := o.Text
			if known.Text != "" {
				shown = known.Text
			}
			gain := w.tokens(shown) - w.tokens(placeholder(c, o, noHash))
			if gain <= 0 {
				continue
			}
			out = append(out, candidate{call: o.Call, body: o.Text, hash: o.Artifact, gain: gain, mask: func(hash string) journal.Mask {
				return journal.Mask{Call: o.Call, Text: placeholder(c, o, hash), Artifact: hash}
			}})
		}
	}
	return out
}

// personal reports whether a result is a person's own words. Only ask_user gives such results: text from another
// tool that begins with the same prefix may come from a file or a web page.
func personal(o akitad.Observation) bool {
	return o.Tool == askTool && strings.HasPrefix(o.Text, journal.AnswerPrefix)
}

// placeholder is the line that replaces a result: it names the call, the size, and the artifact to read it from.
func placeholder(c akitad.Call, o akitad.Observation, hash string) string {
	failed := ""
	if o.Error != nil {
		failed = ", failed: " + string(o.Error.Kind)
	}
	return fmt.Sprintf("[left out to save room: the result of %s (arguments %s, %d bytes%s). All of it is artifact %s: read_artifact]",
		c.Tool, akitad.Digest(c.Tool, string(c.Args))[:12], max(o.Bytes, len(o.Text)), failed, hash)
}

// contents gives the candidates that hide the contents which write_file calls before round upto carry.
func (w *reduction) contents(upto int) (out []candidate) {
	for _, r := range w.view.rounds[w.view.from:upto] {
		for _, c := range r.Thought.Calls {
			content, ok := written(c)
			if !ok || w.view.masks[c.ID].Args != nil {
				continue
			}
			gain := w.tokens(string(c.Args)) - w.tokens(string(unwritten(c, content, noHash)))
			if gain <= 0 {
				continue
			}
			out = append(out, candidate{call: c.ID, body: content, gain: gain, mask: func(hash string) journal.Mask {
				return journal.Mask{Call: c.ID, Args: unwritten(c, content, hash), Artifact: hash}
			}})
		}
	}
	return out
}

// written gives the content that a call wrote to a file; false if it is none, or too short to leave out.
func written(c akitad.Call) (string, bool) {
	var args struct{ Path, Content string }
	if c.Tool != writeTool || json.Unmarshal(c.Args, &args) != nil || args.Path == "" || len(args.Content) < leastText {
		return "", false
	}
	return args.Content, true
}

// unwritten gives a call's arguments with a placeholder for the content. The path stays.
func unwritten(c akitad.Call, content, hash string) json.RawMessage {
	var args map[string]json.RawMessage
	err := json.Unmarshal(c.Args, &args)
	if err == nil {
		args[contentArg], err = json.Marshal(fmt.Sprintf("[%d bytes, written; left out to save room: artifact %s: read_artifact]", len(content), hash))
	}
	out, merr := json.Marshal(args)
	if err != nil || merr != nil {
		return c.Args
	}
	return out
}

// failures gives the candidates for failures that are repeated word for word, outside of the newest newFailures
// rounds: all but the last of each are hidden, and the last one says how many there were.
func (w *reduction) failures() (out []candidate) {
	alike := map[string][]akitad.Observation{}
	var order []string
	for _, r := range w.view.rounds[w.view.from:w.older(newFailures)] {
		for _, o := range r.Results {
			if o.Error == nil || personal(o) {
				continue
			}
			key := o.Tool + "\x1f" + string(o.Error.Kind) + "\x1f" + o.Text
			if alike[key] == nil {
				order = append(order, key)
			}
			alike[key] = append(alike[key], o)
		}
	}
	for _, key := range order {
		out = append(out, w.fold(alike[key])...)
	}
	return out
}

// fold gives the candidates that reduce identical failures to the last one and a count; none if that gains nothing.
// Failures that were folded before stay as they are.
func (w *reduction) fold(same []akitad.Observation) (out []candidate) {
	last, gain := same[len(same)-1], 0
	for _, o := range same[:len(same)-1] {
		known := w.view.masks[o.Call]
		text := "[failed as call " + last.Call + " did, which stands below]"
		if known.Text != "" && !known.Clipped || w.tokens(o.Text) <= w.tokens(text) {
			continue
		}
		gained := w.tokens(o.Text) - w.tokens(text)
		gain += gained
		out = append(out, candidate{call: o.Call, body: o.Text, gain: gained, mask: func(hash string) journal.Mask {
			return journal.Mask{Call: o.Call, Text: text, Artifact: hash}
		}})
	}
	count := fmt.Sprintf("\n[it failed like this %d times in all]", len(same))
	if gain -= w.tokens(count); gain <= 0 || w.view.masks[last.Call].Text != "" {
		return nil
	}
	return append(out, candidate{call: last.Call, body: last.Text, gain: -w.tokens(count), mask: func(hash string) journal.Mask {
		return journal.Mask{Call: last.Call, Text: last.Text + count, Artifact: hash, Clipped: true}
	}})
}
