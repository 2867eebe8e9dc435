package knowledge_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/knowledge"
)

var kinds = []knowledge.Kind{knowledge.Markdown, knowledge.Code, knowledge.JSON, knowledge.Log, knowledge.CSV, knowledge.Pages, knowledge.Text}

// sound holds what every cut must: each byte of the source is in exactly one chunk, in order, none is larger than
// it may be, all are valid text, and each says its line.
func sound(t interface {
	Helper()
	Fatalf(string, ...any)
}, kind knowledge.Kind, text string,
) []knowledge.Chunk {
	t.Helper()
	at, all := 0, knowledge.Cut(kind, text)
	for i, c := range all {
		if c.From != at || c.To <= c.From {
			t.Fatalf("%s: chunk %d is %d to %d, the last ended at %d", kind, i, c.From, c.To, at)
		}
		at = c.To
		whole := c.Text(text)
		if len(whole) > knowledge.MaxChunk || !utf8.ValidString(whole) || !utf8.ValidString(c.Title) || len(c.Title) > 400 {
			t.Fatalf("%s: chunk %d has %d bytes, title %q, valid %v", kind, i, len(whole), c.Title, utf8.ValidString(whole))
		}
		begin := text[:c.To-len(strings.TrimLeft(text[c.From:c.To], " \t\r\n"))]
		if want := 1 + strings.Count(begin, "\n"); c.Line != want && strings.TrimSpace(text[c.From:c.To]) != "" {
			t.Fatalf("%s: chunk %d says line %d, want %d", kind, i, c.Line, want)
		}
	}
	if at != len(text) {
		t.Fatalf("%s: chunks end at %d of %d", kind, at, len(text))
	}
	return all
}

func TestCut(t *testing.T) {
	long := strings.Repeat("The crane lifts barges over the sluice. ", 60)
	for _, tt := range []struct {
		name, text string
		kind       knowledge.Kind
		titles     string // joined by |
	}{
		{"headings", "intro\n# Quay\na\n## Crane\nb\n### Load\nc\n## Gate\nd\n# Office\ne\n", knowledge.Markdown, "|Quay|Quay > Crane|Quay > Crane > Load|Quay > Gate|Office"},
		{"underlined headings", "Quay\n====\n\na\n\nCrane\n-----\nb\n", knowledge.Markdown, "Quay|Quay > Crane"},
		{"no heading in code", "# Quay\n```sh\n# not one\n```\nb\n", knowledge.Markdown, "Quay"},
		{"closed and bare marks", "# Quay #\n#no\n#\n", knowledge.Markdown, "Quay"},
		{"a heading with nothing below", "# Quay\n\n## Crane\n\nb\n# Gate\n# Lock\nc\n\n# Office\n", knowledge.Markdown, "Quay > Crane|Lock"},
		{"underlined ones", "Quay\n====\n\nCrane\n-----\n\nb\n", knowledge.Markdown, "Quay > Crane"},
		{"nothing but headings", "# Quay\n## Crane\n", knowledge.Markdown, "Quay > Crane"},
		{"a heading above a long paragraph", "# Quay\n\n" + long + "\n\n## Crane\n\n" + long + "\n", knowledge.Markdown, "Quay|Quay > Crane"},
		{"a long section", "# Quay\n" + long + "\n\n" + long, knowledge.Markdown, "Quay|Quay"},
		{"Chinese headings", "# 码头\n甲\n## 起重机\n乙\n", knowledge.Markdown, "码头|码头 > 起重机"},
		{"declarations", "package quay\n\nimport \"fmt\"\n\n// Lift lifts.\nfunc Lift(n int) {\n\tfmt.Println(n)\n\n}\n" + "\n// " + long + "\nfunc Lower() {}\n", knowledge.Code, `package quay · import "fmt" · func Lift(n int)|func Lower()`},
		{"members", `{"quay": {"depth": 7, "note": "` + long + `"}, "gates": [{"name": "north"}, {"name": "south"}], "open": true}`, knowledge.JSON, "quay|quay|gates"},
		{"no JSON", "{not json\n\nb", knowledge.JSON, ""},
		{"two values", "{}\n{}\n", knowledge.JSON, ""},
		{"a log", "2026-03-01T10:00:00Z up\n2026-03-01T10:05:00Z ready\n\tat quay.go:7\n", knowledge.Log, "2026-03-01T10:00:00Z - 2026-03-01T10:05:00Z"},
		{"a table", "name,depth\nnorth,7\nsouth,9\n", knowledge.CSV, "rows 1-2"},
		{"a table without a head", "1,7\n2,9\n", knowledge.CSV, "rows 1-2"},
		{"pages", "one\n\ftwo\n", knowledge.Pages, "page 1|page 2"},
		{"empty", "", knowledge.Text, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var titles []string
			for _, c := range sound(t, tt.kind, tt.text) {
				titles = append(titles, c.Title)
			}
			if got := strings.Join(titles, "|"); got != tt.titles {
				t.Errorf("titles %q, want %q", got, tt.titles)
			}
		})
	}
}

// The head of a table stands above each part of it, and a row with a line end in it stays whole.
func TestCutRepeatsTheHead(t *testing.T) {
	text := "name,note\n" + strings.Repeat("north,\"deep\nand cold\"\n", 200)
	all := sound(t, knowledge.CSV, text)
	if len(all) < 3 {
		t.Fatalf("%d chunks", len(all))
	}
	for i, c := range all {
		body := c.Text(text)
		if !strings.HasPrefix(body, "name,note\n") || strings.Count(body, `"`)%2 != 0 {
			t.Errorf("chunk %d: %q", i, body)
		}
	}
}

// What has no place to be cut at is cut between characters.
func TestCutBetweenCharacters(t *testing.T) {
	for _, kind := range kinds {
		sound(t, kind, strings.Repeat("港", 5000))
		sound(t, kind, strings.Repeat("x", 9000))
		sound(t, kind, strings.Repeat("[", 9000))
	}
}

func TestCutAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"# Quay\n", "## 港\n", "\n", "\n\n", "```\n", "---\n", "{", "}", "[1,2]", `{"a":[`, `"`, ",", "a,b,c\n", "2026-03-01 10:00:00 ERROR x\n", "\tat x\n", "func a() {\n", "词语", " ", "\f", "\r\n", strings.Repeat("word ", 300), strings.Repeat("港口", 900)})
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "")
		sound(t, rapid.SampledFrom(kinds).Draw(t, "kind"), text)
	})
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{"# a\nb\n\nc", `{"a":[1,{"b":"c"}]}`, "a,b\n1,\"2\n3\"\n", "2026-03-01 x\n y\n", "func a() {\n}\n\n// b\n", "\f\f", "港\n==\n"} {
		for i := range kinds {
			f.Add(s, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, kind uint8) {
		if text = strings.ToValidUTF8(text, "?"); len(text) > 1<<16 {
			return
		}
		sound(t, kinds[int(kind)%len(kinds)], text)
		sound(t, kinds[int(kind)%len(kinds)], strings.Repeat(text, 1+5000/(len(text)+1)))
	})
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       knowledge.Kind
	}{
		{"a.md", "x", knowledge.Markdown},
		{"A.MARKDOWN", "x", knowledge.Markdown},
		{"a.go", "x", knowledge.Code},
		{"a.json", "x", knowledge.JSON},
		{"a", `{"a": 1}`, knowledge.JSON},
		{"a", `{a`, knowledge.Text},
		{"a.csv", "x", knowledge.CSV},
		{"a.log", "x", knowledge.Log},
		{"a", "2026-03-01T10:00:00Z INFO up\n2026-03-01T10:00:01Z INFO on\n", knowledge.Log},
		{"a.txt", "The quay is deep.\n\nIt is cold.", knowledge.Text},
		{"Makefile", "all:\n\tgo build\n", knowledge.Text},
	} {
		if got := knowledge.KindOf(tt.name, []byte(tt.text)); got != tt.want {
			t.Errorf("%s %q is %s, want %s", tt.name, tt.text, got, tt.want)
		}
	}
}
