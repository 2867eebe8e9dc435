package filter_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/window"
)

const ref = "0123456789ab"

// sound checks what holds for every reply to an output.
func sound(t interface{ Errorf(string, ...any) }, raw, reply string) {
	switch {
	case len(reply) > len(raw):
		t.Errorf("%d bytes became %d", len(raw), len(reply))
	case !utf8.ValidString(reply):
		t.Errorf("%q is not UTF-8", reply)
	case len(reply) == len(raw):
	case !strings.Contains(reply, "left out") || !strings.Contains(reply, ref):
		t.Errorf("does not say what it leaves out, or where it is:\n%s", reply)
	}
	if n := window.Tokens(reply); len(reply) < len(raw) && n > filter.DefaultReply {
		t.Errorf("a reply of %d tokens", n)
	}
}

func TestReplyIsSound(t *testing.T) {
	f := newFilter()
	for name, text := range large(200_000) {
		for _, intent := range []string{"", "refund of the order", "zebra crossing", "the", "最大 订单"} {
			t.Run(name+"/"+intent, func(t *testing.T) {
				sound(t, text, f.Reply(text, intent, ref))
				sound(t, text, f.Find(text, intent, ref))
			})
		}
	}
}

func TestLong(t *testing.T) {
	f := newFilter()
	for _, tt := range []struct {
		name, text, intent string
		want               bool
	}{
		{"short", strings.Repeat("a", 5_000), "x", false},
		{"with an intent", strings.Repeat("a", 5_001), "x", true},
		{"without", strings.Repeat("a", 5_001), " ", false},
		{"5,000 tokens", strings.Repeat("a line of words\n", 2_000), "", true},
		{"5,000 tokens in Chinese", strings.Repeat("表", 3_000), "", true},
	} {
		if got := f.Long(tt.text, tt.intent); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestNothingMatches holds that an intent which nothing answers brings the ends of a text and words to
// search for.
func TestNothingMatches(t *testing.T) {
	text := "the very first line\n" + strings.Repeat("plain words over and over\n", 400) + "hippopotamus\n" + strings.Repeat("plain words over and over\n", 400) + "the very last line\n"
	got := newFilter().Reply(text, "kangaroo", ref)
	sound(t, text, got)
	for _, want := range []string{"nothing in it has: kangaroo", "the very first line", "the very last line", "rare words: ", "hippopotamu", "[left out here: "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
}

// TestListWithoutIntent holds that a list is shown as five rows and the total.
func TestListWithoutIntent(t *testing.T) {
	for _, f := range corpus() {
		if f.name != "orders table" && f.name != "search hits" && f.name != "pod table" {
			continue
		}
		got := newFilter().Reply(f.text, "", ref)
		if n := strings.Count(got, "-- row "); n != 5 {
			t.Errorf("%s: %d rows in:\n%s", f.name, n, got)
		}
		if want := map[string]string{"orders table": "5 of 800 rows", "search hits": "5 of 180 rows", "pod table": "5 of 240 rows"}[f.name]; !strings.Contains(got, want) {
			t.Errorf("%s: no %q in:\n%s", f.name, want, got)
		}
	}
}

// TestLiteral holds that what is no word, or a part of one, is found too.
func TestLiteral(t *testing.T) {
	text := strings.Repeat("some words of no interest\n", 400) + "if (a >>>= b) overwhelmingly\n" + strings.Repeat("some words of no interest\n", 400)
	for _, words := range []string{">>>=", "whelming"} {
		if got := newFilter().Find(text, words, ref); !strings.Contains(got, "if (a >>>= b)") {
			t.Errorf("%s is not found:\n%s", words, got)
		}
	}
}

// TestPlaces holds that the offsets in a reply are those of the output, with and without line numbers.
func TestPlaces(t *testing.T) {
	var plain, numbered strings.Builder
	for i := range 400 {
		line := strings.Repeat("word ", 6)
		if i == 250 {
			line = "the needle lies here"
		}
		plain.WriteString(line + "\n")
		numbered.WriteString(pad(i+1) + "\t" + line + "\n")
	}
	for _, text := range []string{plain.String(), numbered.String()} {
		got := newFilter().Reply(text, "needle", ref)
		at := strings.Index(text, "the needle")
		if want := "line 251 @" + digits(at); !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

func TestAnyOutput(t *testing.T) {
	pieces := []string{"{", "}", "[", "]", `"key": `, `"a value"`, ",", "\n", "  ", "\t", "- item", "# Head\n", "| a | b |\n", "|---|---|\n", "commit 12ab\n", "2025-01-02T03:04:05Z ERROR failed\n", "a,b,c\n1,2,3\n", "<html><p>", "</p>", "<", "错误", "\xff", "🙂", "src/a.go:12: bad\n", "   12\t", "exit code 1 after 0.1 s\nstdout:\n", "[", "NAME    READY    AGE\n", "\r\n", "\x00"}
	f := newFilter()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 900).Draw(t, "text"), "")
		intent := rapid.SampledFrom([]string{"", "failed", "value of key", "错误", "b", "NAME READY"}).Draw(t, "intent")
		once, again := f.Reply(text, intent, ref), f.Reply(text, intent, ref)
		sound(t, text, once)
		sound(t, text, f.Find(text, intent, ref))
		if once != again {
			t.Errorf("two replies to one question")
		}
	})
}

func FuzzReply(f *testing.F) {
	for _, x := range corpus() {
		f.Add(x.text[:min(len(x.text), 600)], x.queries[0].intent)
	}
	fl := newFilter()
	f.Fuzz(func(t *testing.T, text, intent string) {
		sound(t, text, fl.Reply(text, intent, ref))
		sound(t, text, fl.Find(text, intent, ref))
	})
}
