package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

// show gives what the model sees of an output. Of a long one that is the tool's own summary, or what the
// filter makes of it for the intent; the whole is kept as an artifact first. How a program ended is shown
// in any case. How long it ran is not kept: the same output once more is the same artifact.
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

// maxErrorText is how long the message of an error may be before it is shown like any output, in bytes.
const maxErrorText = 4_000

// showError gives what the model sees of a failed call: the error with its hint and, of a long message or of
// a program's output, what is shown of any output. The failure keeps the beginning.
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
	if artifact == "" { // it is not long, or there is no tool whose output it could be
		return errorText(f), ""
	}
	f.Message, _ = headOf(f.Message, maxErrorText)
	return errorText(&brief) + "\n" + shown, artifact
}

// headOf gives at most so many bytes of the beginning of a text, and whether that is all.
func headOf(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, true
	}
	return strings.ToValidUTF8(s[:limit], "") + "…", false
}

// clip shortens a long text that a note quotes, and keeps all of it as an artifact.
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
