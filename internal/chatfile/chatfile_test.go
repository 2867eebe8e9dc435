package chatfile_test

import (
	"bytes"
	"errors"
	"io"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

func TestName(t *testing.T) {
	long := strings.Repeat("长", 100)
	for _, tt := range []struct{ in, want string }{
		{"report.pdf", "report.pdf"},
		{"../../etc/passwd", "passwd"},
		{`C:\Users\x\a.txt`, "a.txt"},
		{".hidden", "hidden"},
		{"", "file"},
		{"/", "file"},
		{"..", "file"},
		{"a\x00b\n.txt", "a_b_.txt"},
		{`what?"<>|:*.txt`, "what_______.txt"},
		{"bad\xff.txt", "bad_.txt"},
		{long + ".docx", strings.Repeat("长", 38) + ".docx"},
		{strings.Repeat("x", 200), strings.Repeat("x", 120)},
		{"a." + strings.Repeat("x", 200), "file"},
		{"report\u202efdp.exe", "reportfdp.exe"},
		{"a\u2066b\u2069\u200f.txt", "ab.txt"},
		{" .bashrc", "bashrc"},
		{". .x", "x"},
		{"报告.docx", "报告.docx"},
	} {
		if got := chatfile.Name(tt.in, "file"); got != tt.want {
			t.Errorf("Name(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"a/b", "..", `\\x`, "长.txt", "\xff", "a. "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := chatfile.Name(name, "file")
		if got == "" || got == "." || got == ".." || path.Base(got) != got || len(got) > 120 || strings.ContainsAny(got, "\x00/\\\n\u202e") || got[0] == '.' {
			t.Errorf("Name(%q) = %q", name, got)
		}
	})
}

func TestApart(t *testing.T) {
	got := chatfile.Apart([]akitad.File{{Name: "a.jpg"}, {Name: "a.jpg"}, {Name: "a-2.jpg"}, {Name: "b"}, {Name: "b"}})
	seen := map[string]bool{}
	for _, f := range got {
		if seen[f.Name] {
			t.Errorf("two files are called %q", f.Name)
		}
		seen[f.Name] = true
	}
	if got[1].Name != "a-2.jpg" || got[4].Name != "b-2" {
		t.Errorf("names %v", got)
	}
}

func TestBoundAndReadAll(t *testing.T) {
	body := func() io.ReadCloser { return io.NopCloser(strings.NewReader("12345")) }
	if data, err := io.ReadAll(chatfile.Bound(body(), 5)); err != nil || string(data) != "12345" {
		t.Errorf("Bound = %q, %v", data, err)
	}
	if _, err := io.ReadAll(chatfile.Bound(body(), 4)); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("Bound with one byte too many: %v", err)
	}
	if data, err := chatfile.ReadAll(body(), 5); err != nil || string(data) != "12345" {
		t.Errorf("ReadAll = %q, %v", data, err)
	}
	if _, err := chatfile.ReadAll(body(), 4); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("ReadAll with one byte too many: %v", err)
	}
	broken := errors.New("broken")
	if _, err := chatfile.ReadAll(io.MultiReader(strings.NewReader("1"), failing{broken}), 5); !errors.Is(err, broken) {
		t.Errorf("ReadAll hides %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestPicture(t *testing.T) {
	for _, tt := range []struct {
		file akitad.File
		want bool
	}{
		{akitad.File{Name: "x.PNG"}, true},
		{akitad.File{Name: "x.pdf"}, false},
		{akitad.File{Name: "x", Kind: akitad.FilePhoto}, true},
		{akitad.File{Name: "png"}, false},
	} {
		if got := chatfile.Picture(tt.file); got != tt.want {
			t.Errorf("Picture(%v) = %v", tt.file, got)
		}
	}
}

func TestForm(t *testing.T) {
	form := chatfile.NewForm("file", "a \"b\".txt", []byte("bytes"), "kind", "text", "name", "文件")
	r := httptest.NewRequest("POST", "/", bytes.NewReader(form.Body))
	r.Header.Set("Content-Type", form.Type)
	f, head, err := r.FormFile("file")
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err != nil || string(data) != "bytes" || head.Filename != "a \"b\".txt" || r.FormValue("kind") != "text" || r.FormValue("name") != "文件" {
		t.Errorf("%q %q %v %v", data, head.Filename, r.Form, err)
	}
}
