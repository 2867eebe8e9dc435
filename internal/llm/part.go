package llm

import (
	"archive/zip"
	"bytes"
	"context"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/pdf"
)

// maxPartText bounds the text that stands for a file, in bytes.
const maxPartText = 64 << 10

// IsImage reports whether the part is an image in one of the forms that all vendors with eyes take.
func (p Part) IsImage() bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, p.MIME)
}

// Unseen gives the text that stands in the place of a part which cannot be sent: what it is, and why
// the model does not see it.
func (p Part) Unseen(why string) string {
	return "[" + p.Name + " (" + p.MIME + ", " + strconv.Itoa(len(p.Data)) + " bytes) is not shown: " + why + "]"
}

// Told gives what a model that takes no such part is told in its place: the text in it, where that is
// cheap to have, else why it is not shown.
func (p Part) Told(why string) string {
	text, ok := p.text()
	if p.MIME == "application/pdf" {
		var err error
		if text, err = pdf.Text(context.Background(), p.Data); err != nil {
			return p.Unseen(why + ", and " + err.Error())
		}
		ok = true
	}
	if !ok {
		return p.Unseen(why)
	}
	if len(text) > maxPartText {
		text = strings.ToValidUTF8(text[:maxPartText], "") + "\n(cut: the file is longer)"
	}
	return "<file name=" + strconv.Quote(p.Name) + ">\n" + strings.TrimSpace(text) + "\n</file>"
}

// text gives the text of a file that is text, or a Word document.
func (p Part) text() (string, bool) {
	switch {
	case p.MIME == "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
		return wordText(p.Data)
	case textual.MatchString(p.MIME) && utf8.Valid(p.Data):
		return string(p.Data), true
	}
	return "", false
}

var textual = pattern.New(`^text/|^application/(?:json|xml|yaml|x-yaml|toml|sql|javascript|x-sh|x-ndjson)\b|\+(?:json|xml)$`)

// wordText reads the paragraphs of a Word document.
func wordText(data []byte) (string, bool) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", false
	}
	file, err := archive.Open("word/document.xml")
	if err != nil {
		return "", false
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, 16<<20)) // an archive may unpack to anything
	if err != nil {
		return "", false
	}
	text := html.UnescapeString(wordTags.ReplaceAllString(wordBreaks.Replace(string(body)), ""))
	return text, strings.TrimSpace(text) != ""
}

// wordBreaks are the tags of a Word document that stand for a character; wordTags are all.
var (
	wordBreaks = strings.NewReplacer("</w:p>", "\n", "<w:br/>", "\n", "<w:tab/>", "\t", "</w:tc>", "\t")
	wordTags   = pattern.New(`(?s)<[^>]*>`)
)

// withoutImages gives a message with why there is nothing to see in the place of each image, before its
// text.
func (m Message) withoutImages(why string) Message {
	var told strings.Builder
	var rest []Part
	for _, p := range m.Parts {
		if p.IsImage() {
			told.WriteString(p.Unseen(why) + "\n")
		} else {
			rest = append(rest, p)
		}
	}
	m.Text, m.Parts = told.String()+m.Text, rest
	return m
}

// HasImages reports whether a message of the request holds an image.
func (r Request) HasImages() bool {
	return slices.ContainsFunc(r.Messages, func(m Message) bool { return slices.ContainsFunc(m.Parts, Part.IsImage) })
}
