package llm_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
)

// word gives a Word document with this body.
func word(t *testing.T, body string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(`<?xml version="1.0"?><w:document xmlns:w="x"><w:body>` + body + `</w:body></w:document>`)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTold(t *testing.T) {
	const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	for _, tt := range []struct {
		part llm.Part
		want string
	}{
		{llm.Part{Name: "a.csv", MIME: "text/csv", Data: []byte("x,y\n1,2\n")}, "<file name=\"a.csv\">\nx,y\n1,2\n</file>"},
		{llm.Part{Name: "a.json", MIME: "application/json; charset=utf-8", Data: []byte(`{"a":1}`)}, "<file name=\"a.json\">\n{\"a\":1}\n</file>"},
		{llm.Part{Name: "a.svg", MIME: "image/svg+xml", Data: []byte("<svg/>")}, "<file name=\"a.svg\">\n<svg/>\n</file>"},
		{llm.Part{Name: "a.docx", MIME: docx, Data: word(t, `<w:p><w:r><w:t>Hello &amp; &lt;b&gt;</w:t><w:tab/><w:t>you</w:t></w:r></w:p><w:p><w:t>二</w:t></w:p>`)}, "<file name=\"a.docx\">\nHello & <b>\tyou\n二\n</file>"},
		{llm.Part{Name: "a.docx", MIME: docx, Data: []byte("no archive")}, "[a.docx (" + docx + ", 10 bytes) is not shown: why]"},
		{llm.Part{Name: "a.txt", MIME: "text/plain", Data: []byte("\xff\xfe")}, "[a.txt (text/plain, 2 bytes) is not shown: why]"},
		{llm.Part{Name: "a.pdf", MIME: "application/pdf", Data: []byte("%PDF")}, "[a.pdf (application/pdf, 4 bytes) is not shown: why, and the PDF has no text to read: it is no PDF file]"},
		{llm.Part{Name: "a.png", MIME: "image/png", Data: []byte("x")}, "[a.png (image/png, 1 bytes) is not shown: why]"},
	} {
		if got := tt.part.Told("why"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.part.Name, got, tt.want)
		}
	}
	long := llm.Part{Name: "a.txt", MIME: "text/plain", Data: []byte(strings.Repeat("汉", 60_000))}
	if got := long.Told("why"); len(got) > 66<<10 || !strings.Contains(got, "(cut: the file is longer)") || strings.Contains(got, "\ufffd") {
		t.Errorf("a long text gives %d bytes", len(got))
	}
}

// Of a PDF that a model does not take, it is told the text; of one without, why there is none.
func TestToldOfAPDF(t *testing.T) {
	const file = "%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<</Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n" +
		"4 0 obj<<>>stream\nBT /F 9 Tf (Invoice 4711) Tj ET\nendstream endobj 5 0 obj<</Subtype/Type1>>endobj trailer<</Root 1 0 R>>"
	for data, want := range map[string]string{
		file:       "<file name=\"a.pdf\">\nInvoice 4711\n</file>",
		"%PDF-1.4": "[a.pdf (application/pdf, 8 bytes) is not shown: the model takes no files, and the PDF has no text to read: no page of it can be found]",
	} {
		p := llm.Part{Name: "a.pdf", MIME: "application/pdf", Data: []byte(data)}
		if got := p.Told("the model takes no files"); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}
