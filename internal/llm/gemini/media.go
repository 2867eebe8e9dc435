package gemini

import (
	"encoding/base64"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// maxRequest is how many bytes a request may have, by Google's documentation.
const maxRequest = 20_000_000

// maxInline is how much one file may hold to go with a request: a whole request may have 20 MB, and
// base64 makes four bytes of three.
const maxInline = 14 << 20

// personPart gives an image or a file of a person's message: text as text, what the models take as it
// is, and in place of anything else the reason why it is not there.
func personPart(p llm.Part) string {
	kind, _, err := mime.ParseMediaType(p.MIME)
	if err != nil {
		kind = strings.ToLower(strings.TrimSpace(p.MIME))
	}
	switch {
	case len(p.Data) > maxInline:
		return textPart(wire.Unseen(p, "it is larger than the model's server takes"))
	case textual(kind) && utf8.Valid(p.Data):
		return textPart(p.Name + ":\n" + string(p.Data))
	case takes(kind):
		return `{"inlineData":{"mimeType":` + wire.Text(kind) + `,"data":"` + base64.StdEncoding.EncodeToString(p.Data) + `"}}`
	}
	return textPart(wire.Unseen(p, "the model takes no files of this type"))
}

func textual(kind string) bool {
	switch kind {
	case "application/json", "application/xml", "application/yaml", "application/x-yaml":
		return true
	}
	return strings.HasPrefix(kind, "text/")
}

// takes lists what Gemini models take, by Google's documentation.
func takes(kind string) bool {
	switch kind {
	case "image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "application/pdf":
		return true
	}
	return strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "video/")
}
