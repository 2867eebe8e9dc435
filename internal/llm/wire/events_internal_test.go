package wire

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func all(from io.Reader) (out []string, err error) {
	e := NewEvents(from)
	for {
		data, ok := e.Next()
		if !ok {
			return out, e.Err()
		}
		out = append(out, string(data))
	}
}

func TestEvents(t *testing.T) {
	for _, tt := range []struct{ name, sent, want string }{
		{"one", "data: a\n\n", "[a]"},
		{"no space", "data:a\n\n", "[a]"},
		{"two spaces", "data:  a\n\n", "[ a]"},
		{"two lines", "data: a\ndata: b\n\n", "[a\nb]"},
		{"an empty line of two", "data\ndata: b\n\n", "[\nb]"},
		{"empty", "data:\n\ndata: b\n\n", "[ b]"},
		{"other fields", ": hi\nevent: x\nid: 1\nretry: 5\ndatum: 1\ndata: a\n\n", "[a]"},
		{"nothing but comments", ": a\n\n: b\n\n", "[]"},
		{"carriage returns and line feeds", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", "[a\nb c]"},
		{"carriage returns", "data: a\rdata: b\r\rdata: c\r\r", "[a\nb c]"},
		{"a mixture", "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r", "[a b c]"},
		{"not closed", "data: a\n\ndata: b", "[a b]"},
		{"a colon", "data: a: b\n\n", "[a: b]"},
	} {
		for form, from := range map[string]io.Reader{"at once": strings.NewReader(tt.sent), "by bytes": iotest.OneByteReader(strings.NewReader(tt.sent))} {
			if got, err := all(from); fmt.Sprint(got) != tt.want || err != nil {
				t.Errorf("%s, %s: %q (%v), want %q", tt.name, form, got, err, tt.want)
			}
		}
	}
}

// An event that the connection broke off in is none, and the reason is told.
func TestEventsOfABrokenStream(t *testing.T) {
	reset := errors.New("connection reset")
	got, err := all(io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(reset)))
	if fmt.Sprint(got) != "[a]" || !errors.Is(err, reset) {
		t.Errorf("%q, %v", got, err)
	}
}

// JSON that stands bare behind the events is kept, and nothing else that is no event.
func TestTailOfAStream(t *testing.T) {
	for sent, want := range map[string]string{
		"data: a\n\n{\n  \"error\": 1\n}\n": "{\n  \"error\": 1\n}\n",
		"data: a\r\n\r\n[{\r\n}]":           "[{\n}]\n",
		"{\n}\ndata: a\n\n":                 "",
		": ping\nevent: x\nplain words\n":   "",
		"data: {\n\n":                       "",
	} {
		e := NewEvents(strings.NewReader(sent))
		for ok := true; ok; _, ok = e.Next() {
		}
		if got := string(e.Tail()); got != want {
			t.Errorf("%q leaves %q, want %q", sent, got, want)
		}
	}
	e := NewEvents(strings.NewReader(strings.Repeat("{\n", 1<<20)))
	if e.Next(); len(e.Tail()) > maxOutside {
		t.Errorf("%d bytes are kept", len(e.Tail()))
	}
}

// An event is given out when its end is there, not when the next byte is.
func TestEventsDoNotWait(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\r", "\r\n\r"} {
		r, w := io.Pipe()
		go func() { _, _ = io.WriteString(w, "data: a"+end) }()
		if data, ok := NewEvents(r).Next(); string(data) != "a" || !ok {
			t.Errorf("%q: %q", end, data)
		}
		r.Close()
	}
}

// However the bytes are cut, the events are those of the whole text read by the standard's words.
func FuzzEvents(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "data:a\r\n\r\ndata\r\rdata: x", ": c\n\nevent: y\ndata: {}\n\n", "\r\n\n\r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := plainly(text)
		for _, from := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.HalfReader(strings.NewReader(text))} {
			if got, err := all(from); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%q: got %q (%v), want %q", text, got, err, want)
			}
		}
	})
}

func plainly(text string) (out []string) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var data []string
	for _, line := range append(strings.Split(text, "\n"), "") {
		if line == "" {
			if data != nil {
				out = append(out, strings.Join(data, "\n"))
			}
			data = nil
		}
		if field, value, _ := strings.Cut(line, ":"); field == "data" {
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return out
}
