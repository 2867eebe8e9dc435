package anthropic

import (
	"encoding/base64"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// block is a piece of a message's content, as JSON.
type block struct {
	kind string // its type: text, tool_use, thinking ...
	json string
}

const (
	kindText     = "text"
	kindCall     = "tool_use"
	kindResult   = "tool_result"
	kindThought  = "thinking"
	kindRedacted = "redacted_thinking"
)

// thought reports whether the block is the model's thinking, in clear or not.
func (b block) thought() bool { return b.kind == kindThought || b.kind == kindRedacted }

// rank is the order of the person's side: results come before everything else.
func (b block) rank() int {
	if b.kind == kindResult {
		return 0
	}
	return 1
}

func textBlock(text string) block {
	return block{kindText, `{"type":"text","text":` + wire.Text(text) + `}`}
}

func callBlock(id, tool string, args akitad.RawJSON) block {
	return block{kindCall, `{"type":"tool_use","id":` + wire.Text(id) + `,"name":` + wire.Text(llm.WireName(tool)) +
		`,"input":` + wire.ArgumentsOut(args) + `}`}
}

func resultBlock(id string, o akitad.Observation) block {
	text := llm.ObservationText(o)
	if blank(text) {
		text = "(no output)"
	}
	out := `{"type":"tool_result","tool_use_id":` + wire.Text(id) + `,"content":` + wire.Text(text)
	if o.Error != nil {
		out += `,"is_error":true`
	}
	return block{kindResult, out + `}`}
}

// What the service takes of files (its documentation, vision and PDF support).
const (
	maxImage = 5 << 20  // bytes of an image in base64
	maxPDF   = 32 << 20 // bytes of a request; a larger file cannot fit
)

// partBlock gives an image or a file, or the reason why it is not there.
func partBlock(p llm.Part) block {
	if len(p.Data) == 0 {
		return textBlock(wire.Unseen(p, "it is empty"))
	}
	kind, _, err := mime.ParseMediaType(p.MIME)
	if err != nil {
		kind = p.MIME
	}
	switch kind {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
		if base64.StdEncoding.EncodedLen(len(p.Data)) > maxImage {
			return textBlock(wire.Unseen(p, "it is larger than the 5 MB that this model takes"))
		}
		return block{"image", `{"type":"image","source":` + encoded(kind, p.Data) + `}`}
	case "application/pdf":
		if base64.StdEncoding.EncodedLen(len(p.Data)) > maxPDF {
			return textBlock(wire.Unseen(p, "it is larger than the 32 MB that this model takes"))
		}
		return block{"document", `{"type":"document","source":` + encoded(kind, p.Data) + title(p) + `}`}
	}
	if strings.HasPrefix(kind, "text/") && utf8.Valid(p.Data) && !blank(string(p.Data)) {
		return block{"document", `{"type":"document","source":{"type":"text","media_type":"text/plain","data":` + wire.Text(string(p.Data)) + `}` + title(p) + `}`}
	}
	return textBlock(wire.Unseen(p, "this model takes JPEG, PNG, GIF, WebP, PDF and text"))
}

func encoded(kind string, data []byte) string {
	return `{"type":"base64","media_type":"` + kind + `","data":"` + base64.StdEncoding.EncodeToString(data) + `"}`
}

func title(p llm.Part) string {
	if p.Name == "" {
		return ""
	}
	return `,"title":` + wire.Text(p.Name)
}
