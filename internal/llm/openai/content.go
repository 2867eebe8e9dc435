package openai

import (
	"encoding/base64"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// content gives what a person said, with the images and files that the server takes. In the place of
// others stands the text in them, or why they are not shown.
func (p *Provider) content(m llm.Message) string {
	if len(m.Parts) == 0 {
		return wire.Text(m.Text)
	}
	var parts, told string
	for _, part := range m.Parts {
		if json, why := p.part(part); why == "" {
			parts += json + ","
		} else {
			told += part.Told(why) + "\n"
		}
	}
	if parts == "" {
		return wire.Text(told + m.Text)
	}
	return `[` + parts + `{"type":"text","text":` + wire.Text(told+m.Text) + `}]`
}

// part gives an image or a file as the protocol has it, or why it cannot be sent.
func (p *Provider) part(part llm.Part) (json, why string) {
	data := func() string {
		return wire.Text("data:" + part.MIME + ";base64," + base64.StdEncoding.EncodeToString(part.Data))
	}
	switch {
	case p.opts.NoParts, p.manners.noParts.Load():
		return "", "the model takes text only"
	case part.IsImage():
		return `{"type":"image_url","image_url":{"url":` + data() + `}}`, ""
	case part.MIME == "application/pdf" && p.vendor.files:
		return `{"type":"file","file":{"filename":` + wire.Text(part.Name) + `,"file_data":` + data() + `}}`, ""
	}
	return "", "the model takes no files of this type"
}
