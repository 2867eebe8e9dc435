package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

// show returns what the model sees of an output. A long output is stored as an artifact, and the model sees
// the tool's own summary, or what the filter selects for the intent of the call. How a program ended is
// always shown. Its running time is not part of the artifact, so that equal outputs are one artifact.
func (r *run) show(ctx context.Context, p prepared, res tool.Result) (text, artifact string) {
	info := p.tool.Info()
	intent := tool.Intent(info, p.args)
	if intent == "" && info.Paged || !r.opts.Filter.Long(res.Text, intent) {
		return res.Text, ""
	}
	ended := runTime.FindString(res.Text)
	whole := runTime.ReplaceAllString(cmp.Or(res.Whole, res.Text), "$1\n")
	hash, err := r.put(ctx, []byte(whole))
	if err != nil {
		text, _ = tool.Clip(res.Text)
		return text + "\n[the rest could not be kept]", ""
	}
	if r.opts.Unfiltered {
		text, _ = tool.Clip(res.Text)
		return text + "\n[the whole output is artifact " + hash[:12] + "]", hash
	}
	if res.Summary != "" {
		short := fmt.Sprintf("%s\n[a summary of %d bytes; the whole output is artifact %s]", res.Summary, len(res.Text), hash[:12])
		if !r.opts.Filter.Long(short, "") && len(short) < len(res.Text) {
			return short, hash
		}
	}
	if text = ended + r.opts.Filter.Reply(whole, intent, hash[:12]); len(text) > len(res.Text) {
		return res.Text, hash
	}
	return text, hash
}

// maxErrorText is the length, in bytes, above which an error message is shown like a long output.
const maxErrorText = 4_000

// showError returns what the model sees of a failed call: the error with its hint. A long message or the
// output of a program is treated like any output, and f keeps only the beginning of it.
func (r *run) showError(ctx context.Context, p prepared, res tool.Result, f *akitad.Failure) (text, artifact string) {
	first, _, _ := strings.Cut(f.Message, "\n")
	if len(f.Message) <= maxErrorText && (res.Whole == "" || p.tool == nil) {
		return errorText(f), ""
	}
	if res.Text == "" {
		res.Text = f.Message
	}
	brief := *f
	brief.Message, _ = headOf(first, maxErrorText/4)
	shown, artifact := "", ""
	if p.tool != nil {
		shown, artifact = r.show(ctx, p, res)
	}
	if artifact == "" { // the message is short, or there is no tool whose output it could be
		return errorText(f), ""
	}
	f.Message, _ = headOf(f.Message, maxErrorText)
	return errorText(&brief) + "\n" + shown, artifact
}

// headOf returns at most limit bytes of the beginning of a text, and whether that is the whole text.
func headOf(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, true
	}
	return strings.ToValidUTF8(s[:limit], "") + "…", false
}

// clip shortens a long text for a note and stores the whole text as an artifact.
func (r *run) clip(ctx context.Context, full string) string {
	text, cut := tool.Clip(full)
	if !cut {
		return text
	}
	hash, err := r.opts.PutBytes(ctx, []byte(full))
	if err != nil {
		return text + "\n[the rest could not be kept]"
	}
	r.kept = append(r.kept, hash)
	return text + "\n[the whole output is artifact " + hash[:12] + "]"
}
