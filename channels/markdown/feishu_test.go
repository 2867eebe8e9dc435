package markdown_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/channels/markdown"
)

// element is an element of a card as the service reads it.
type element struct {
	Tag, Content string
	Page         int `json:"page_size"`
	Columns      []struct {
		Name    string
		Display string `json:"display_name"`
	}
	Rows []map[string]string
}

// elements gives the elements of a card that has been checked.
func elements(t reporter, c markdown.Card) []element {
	t.Helper()
	var out []element
	if err := json.Unmarshal(c.Body, &out); err != nil {
		t.Fatalf("%v: %.200s", err, c.Body)
	}
	checkWire(t, c.Body, c.Plain)
	tables := 0
	for _, e := range out {
		switch e.Tag {
		case "markdown":
			if strings.TrimSpace(e.Content) == "" || fencesOf(e.Content+"\n")%2 != 0 {
				t.Fatalf("bad text %q", e.Content)
			}
		case "table":
			tables++
			checkTable(t, e)
		case "hr":
		default:
			t.Fatalf("tag %q", e.Tag)
		}
	}
	if tables > markdown.MaxCardTables || len(out) > markdown.MaxCardElements || len(out) == 0 {
		t.Fatalf("%d tables, %d elements", tables, len(out))
	}
	return out
}

func checkTable(t reporter, e element) {
	t.Helper()
	if e.Page < 1 || e.Page > 10 || len(e.Columns) < 1 || len(e.Columns) > 50 || len(e.Rows) == 0 {
		t.Fatalf("page %d, %d columns, %d rows", e.Page, len(e.Columns), len(e.Rows))
	}
	for _, row := range e.Rows {
		for name := range row {
			if !slices.ContainsFunc(e.Columns, func(c struct {
				Name    string
				Display string `json:"display_name"`
			},
			) bool {
				return c.Name == name
			}) {
				t.Fatalf("cell %q has no column", name)
			}
		}
	}
}

// checkWire holds the limit for JSON that travels as a string in a request's JSON.
func checkWire(t reporter, body json.RawMessage, plain string) {
	t.Helper()
	quoted, _ := json.Marshal(string(body))
	n := len(quoted) - 5*strings.Count(string(quoted), `\u003c`) - 5*strings.Count(string(quoted), `\u003e`) - 5*strings.Count(string(quoted), `\u0026`)
	if n > markdown.FeishuLimit-markdown.FeishuEnvelope+2 {
		t.Fatalf("%d bytes on the wire", n)
	}
	if strings.TrimSpace(plain) == "" {
		t.Fatalf("no plain text beside %.100s", body)
	}
}

var (
	labelled = regexp.MustCompile(`\[([^\]]*)\]\(`)
	codeSpan = regexp.MustCompile("`+[^`]*`+")
)

// cardText is what all cards show, and if asked for, the links of tables twice.
func cardText(t reporter, cards []markdown.Card, twice bool) string {
	t.Helper()
	var b strings.Builder
	for _, c := range cards {
		for _, e := range elements(t, c) {
			if e.Content != "" {
				b.WriteString(shown(t, e.Content) + "\n")
			}
			for _, c := range e.Columns {
				b.WriteString(c.Display + "\n")
			}
			var below strings.Builder // Telegram shows the links of a table below it once more
			for _, row := range e.Rows {
				for _, c := range e.Columns {
					b.WriteString(shown(t, row[c.Name]) + "\n")
					for _, m := range labelled.FindAllStringSubmatch(codeSpan.ReplaceAllString(row[c.Name], ""), -1) {
						below.WriteString(shown(t, m[1]) + "\n")
					}
				}
			}
			if twice {
				b.WriteString(below.String())
			}
		}
	}
	return b.String()
}

func TestCardsHoldFewTables(t *testing.T) {
	var in strings.Builder
	for i := range 6 {
		fmt.Fprintf(&in, "| a | b |\n|---|---|\n| %d | x |\n\n", i)
	}
	cards := markdown.Cards(in.String())
	if len(cards) != 2 {
		t.Fatalf("%d cards, want 2", len(cards))
	}
	var got []string
	for _, c := range cards {
		for _, e := range elements(t, c) {
			got = append(got, e.Columns[0].Display, e.Rows[0]["c00"])
		}
	}
	if want := "a 0 a 1 a 2 a 3 a 4 a 5"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}

func TestCardsFit(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		least    int
	}{
		{"Chinese", strings.Repeat("汉", 30000), 4},
		{"less than signs", strings.Repeat("<", 6000), 1},
		{"quotes", strings.Repeat(`"`, 9000), 2},
		{"backslashes in code", "```\n" + strings.Repeat(`\`, 9000) + "\n```", 2},
		{"emoji", strings.Repeat("👨\u200d👩\u200d👧", 5000), 3},
		{"words", strings.Repeat("word ", 9000), 2},
		{"lines", strings.Repeat("line\n", 9000), 2},
		{"paragraphs", strings.Repeat("line\n\n", 9000), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := squeeze(strings.ReplaceAll(tt.in, "```", ""))
			cards := markdown.Cards(tt.in)
			if got := squeeze(cardText(t, cards, false)); got != want || len(cards) < tt.least {
				t.Errorf("%d cards show %d bytes, want %d", len(cards), len(got), len(want))
			}
		})
	}
}

func TestCardElements(t *testing.T) {
	in := "# Title\n\nSee [Go](https://e.test/Go_(x)) for `a<b` & *more*: 2 * 3 < $5 :OK:\n\n```c++\nint x; // <b>\n```\n\n---\n\n" +
		"- a\n  - b\n    ```go\n    f()\n    ```\n    - c\n- d\n\n> q\n> r\n\n| n | v |\n|---|--:|\n| **b** | [l](https://e.test/) |\n\n![i](https://e.test/i.png)"
	cards := markdown.Cards(in)
	if len(cards) != 1 {
		t.Fatalf("%d cards", len(cards))
	}
	golden(t, "card.json", indented(t, cards[0].Body))
	golden(t, "card.txt", []byte(cards[0].Plain))
}

func TestTablesOfOddShape(t *testing.T) {
	wide := "|" + strings.Repeat(" c |", 60) + "\n|" + strings.Repeat("---|", 60) + "\n|" + strings.Repeat(" v |", 60)
	long := "| a | b |\n|---|---|\n" + strings.Repeat("| [x](https://e.test/) | y |\n", 350)
	huge := "| a | b |\n|---|---|\n| 1 | " + strings.Repeat("word ", 8000) + "|\n| 2 | end |"
	for _, tt := range []struct {
		name, in string
		tables   int
		words    map[string]int
	}{
		{"too many columns", wide, 0, map[string]int{"v": 60, "c": 60}},
		{"many rows", long, 4, map[string]int{"x": 350, "y": 350}},
		{"a row that fits no card", huge, 0, map[string]int{"word": 8000, "end": 1}},
		{"no rows", "| a | b |\n|---|---|", 0, map[string]int{"a": 1, "b": 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cards := markdown.Cards(tt.in)
			tables := 0
			for _, c := range cards {
				for _, e := range elements(t, c) {
					if e.Tag == "table" {
						tables++
					}
				}
			}
			text := strings.Fields(cardText(t, cards, false))
			for word, n := range tt.words {
				if got := len(slices.DeleteFunc(slices.Clone(text), func(s string) bool { return s != word })); got != n {
					t.Errorf("%q is there %d times, want %d", word, got, n)
				}
			}
			if tables != tt.tables {
				t.Errorf("%d tables, want %d", tables, tt.tables)
			}
		})
	}
}

func TestFeishuLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkFeishu(t, strings.Repeat(document().Draw(t, "text")+"\n\n", rapid.SampledFrom([]int{1, 1, 1, 40}).Draw(t, "times")))
	})
}

func FuzzFeishu(f *testing.F) {
	f.Add("# a\n\n| a |\n|-|\n| `|` |\n\n```\nc")
	f.Add("# # <br>")
	f.Add("# \n0\n-|\nA")
	f.Fuzz(func(t *testing.T, in string) { checkFeishu(t, in) })
}

func checkFeishu(t reporter, in string) {
	t.Helper()
	want := letters(shown(t, in))
	if strings.Trim(want, "0123456789.)") == "" {
		return // nothing but marks, which are shown one way or another
	}
	cards := markdown.Cards(in)
	order := func(s string) string { return s }
	if slices.ContainsFunc(cards, func(c markdown.Card) bool { return bytes.Contains(c.Body, []byte(`"tag":"table"`)) }) {
		order = sorted // the links of its head stand elsewhere
	}
	if got := letters(cardText(t, cards, true)); order(got) != order(want) {
		t.Fatalf("cards of %q\nshow %q\nwant %q", in, got, want)
	}
}

func sorted(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(r)
}

// letters is a text without space and punctuation, which tables, quotes and numbers are drawn with.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-+|>☐.)", r) {
			return -1
		}
		return r
	}, bare(html.UnescapeString(s)))
}
