package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestAuthor(t *testing.T) {
	for _, tt := range []struct {
		line  string
		from  int64
		words string
	}{
		{"hello", 7, "hello"}, {"12: hello", 12, "hello"}, {"note: buy milk", 7, "note: buy milk"}, {"12:", 12, ""}, {" ", 7, ""}, {"-5: x", 7, "-5: x"},
	} {
		if from, words := author(tt.line, 7); from != tt.from || words != tt.words {
			t.Errorf("%q: %d says %q, want %d, %q", tt.line, from, words, tt.from, tt.words)
		}
	}
}

// The end of the input ends the program, and it has said how to reach it.
func TestRunTellsHowToConnect(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), "127.0.0.1:0", 7, io.Reader(strings.NewReader("hello\n")), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"TELEGRAM_API_URL=http://127.0.0.1:", "TELEGRAM_ALLOW=7"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
}
