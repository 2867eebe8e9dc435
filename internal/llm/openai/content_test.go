package openai_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

var (
	png = llm.Part{Name: "scan.png", MIME: "image/png", Data: []byte("\x89PNG\r\n")}
	pdf = llm.Part{Name: "a.pdf", MIME: "application/pdf", Data: []byte("%PDF-1.7")}
	csv = llm.Part{Name: "t.csv", MIME: "text/csv", Data: []byte("a,b\n1,2\n")}
)

// sent gives the content of the user's message as it went out.
func sent(t *testing.T, s *llmtest.Server, at int) string {
	t.Helper()
	var body struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err := json.Unmarshal(s.Seen()[at].Body, &body); err != nil {
		t.Fatal(err)
	}
	for _, m := range body.Messages {
		if m.Role == "user" {
			return string(m.Content)
		}
	}
	return ""
}

func TestParts(t *testing.T) {
	image := `{"type":"image_url","image_url":{"url":"data:image/png;base64,` + base64.StdEncoding.EncodeToString(png.Data) + `"}}`
	file := `{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,` + base64.StdEncoding.EncodeToString(pdf.Data) + `"}}`
	for _, tt := range []struct {
		name  string
		opts  openai.Options
		parts []llm.Part
		want  string
	}{
		{"no parts", openai.Options{}, nil, `"what is it?"`},
		{"an image", openai.Options{}, []llm.Part{png}, `[` + image + `,{"type":"text","text":"what is it?"}]`},
		{"a PDF where it is taken", openai.Options{Vendor: "openai"}, []llm.Part{png, pdf}, `[` + image + `,` + file + `,{"type":"text","text":"what is it?"}]`},
		{"a PDF where it is not", openai.Options{}, []llm.Part{pdf}, `"[a.pdf (application/pdf, 8 bytes) is not shown: the model takes no files of this type, and the PDF has no text to read: no page of it can be found]\nwhat is it?"`},
		{"a text", openai.Options{}, []llm.Part{csv, png}, `[` + image + `,{"type":"text","text":"\u003cfile name=\"t.csv\"\u003e\na,b\n1,2\n\u003c/file\u003e\nwhat is it?"}]`},
		{"nothing taken", openai.Options{NoParts: true}, []llm.Part{png}, `"[scan.png (image/png, 6 bytes) is not shown: the model takes text only]\nwhat is it?"`},
	} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
		req := ask("what is it?")
		req.Messages[0].Parts = tt.parts
		if _, err := provider(t, s, tt.opts).Generate(t.Context(), req); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := sent(t, s, 0); got != strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(tt.want) {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestServersThatTakeNoImages(t *testing.T) {
	for _, body := range []string{
		`{"error":{"message":"Invalid content type. image_url is only supported by certain models.","type":"invalid_request_error"}}`,
		`{"error":{"message":"Failed to deserialize the JSON body: messages[1]: unknown variant image_url, expected text"}}`,
		`{"error":{"code":404,"message":"No endpoints found that support image input"}}`,
	} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok"), llmtest.Text("ok")), llmtest.Options{})
		status := 400
		if strings.Contains(body, "404") {
			status = 404
		}
		s.Next(llmtest.Status(status, body))
		p := provider(t, s, openai.Options{})
		req := ask("what is it?")
		req.Messages[0].Parts = []llm.Part{png}
		for range 2 {
			if _, err := p.Generate(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
		if len(s.Seen()) != 3 || !strings.Contains(sent(t, s, 2), "is not shown: the model takes text only") {
			t.Errorf("%s: %d requests, the last with %s", body, len(s.Seen()), sent(t, s, len(s.Seen())-1))
		}
	}
}
