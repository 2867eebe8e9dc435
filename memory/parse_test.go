package memory

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
)

// FuzzDocument: a file is its lines; adding, changing and removing entries of ours changes no other
// byte, and an added entry reads back as it was.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{
		"", "- a\n", "# Facts\r\n- a\r\n", "---\nk: v\n---\n- x", "```\n- no\n", "<!-- \n- no", "- a <!-- m:x type=rule scope=global at=2026-11-30 until=permanent -->\n",
		"- a <!-- m:x superseded=y junk=1 -->\r\n  more\n\ttab\n", "1. one\n2) two\n", "\uFEFF- bom\n", "- \n-\n- ```\n", "a\x00\xff\n- <!-- m: -->",
	} {
		f.Add([]byte(s), "User lives in Oslo")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		where := place{file: "MEMORY.md", scope: Global}
		d := parse(string(data), where)
		if got := strings.Join(d.lines, ""); got != string(data) {
			t.Fatalf("parse and write changed the file: %q", got)
		}
		for _, it := range d.items {
			if it.first < 0 || it.end > len(d.lines) || it.first >= it.end || it.entry.Text == "" || strings.ContainsAny(it.entry.Text, "\r\n") {
				t.Fatalf("bad item %+v", it)
			}
		}
		text = clean(text)
		if text == "" {
			return
		}
		e := Entry{ID: "new1", Text: text, Type: Fact, Scope: PersonScope("a:b --> c"), Until: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)}
		added := parse(strings.Join(d.with(note{entry: e}.line()), ""), where)
		if got := len(added.items); got != len(d.items)+1 {
			t.Fatalf("%d entries after adding one to %d:\n%q", got, len(d.items), added.lines)
		}
		var fresh item
		for _, it := range added.items {
			if it.entry.ID == "new1" {
				fresh = it
			}
		}
		if fresh.entry.Text != text || fresh.entry.Scope != e.Scope || !fresh.entry.Until.Equal(e.Until) {
			t.Fatalf("read back %+v, want %+v", fresh.entry, e)
		}
		gone := strings.Join(added.without([]item{fresh}), "")
		if rest, ok := strings.CutPrefix(gone, string(data)); (!ok || rest != "" && rest != d.eol) && d.open == len(d.lines) {
			t.Fatalf("adding and removing left %q of %q", gone, data)
		}
	})
}

func TestChangingOneLineLeavesTheOthers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		kinds := []string{"- by hand\n", "text\r\n", "", "# head\n", "  - nested <!-- m:n1 type=fact scope=global odd=%20x -->\r\n", "```\n- code\n```\n", "- ours <!-- m:o1 type=rule scope=global at=2026-01-01 until=permanent -->\n"}
		file := strings.Join(rapid.SliceOfN(rapid.SampledFrom(kinds), 0, 10).Draw(rt, "lines"), "")
		d := parse(file, place{file: "MEMORY.md", scope: Global})
		for _, it := range d.items {
			if it.hand {
				continue
			}
			it.entry.SupersededBy = "later1"
			lines := d.changed(it)
			for i := range lines {
				if i != it.first && lines[i] != d.lines[i] {
					rt.Fatalf("line %d changed: %q", i, lines[i])
				}
			}
			was := d.lines[it.first]
			if want := strings.Replace(was, " -->", " superseded=later1 -->", 1); lines[it.first] != want && !strings.Contains(was, "n1") {
				rt.Fatalf("got %q, want %q", lines[it.first], want)
			}
			if strings.Contains(was, "n1") && (!strings.Contains(lines[it.first], "odd=%20x") || !strings.HasSuffix(lines[it.first], "-->\r\n") || !strings.HasPrefix(lines[it.first], "  - ")) {
				rt.Fatalf("lost what was not ours: %q", lines[it.first])
			}
		}
	})
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := clean(rapid.OneOf(rapid.String(), rapid.StringMatching(`([<>!&;-]|lt|gt|amp|--){0,12}`)).Draw(rt, "text"))
		if stored := toFile.Replace(text); fromFile.Replace(stored) != text || strings.Contains(stored, "-->") || strings.Contains(stored, "<!") {
			rt.Fatalf("%q is stored as %q and read as %q", text, stored, fromFile.Replace(stored))
		}
		if clean(text) != text {
			rt.Fatalf("cleaning %q again gives %q", text, clean(text))
		}
	})
}

func bigFile(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		e := Entry{
			ID: akitad.Digest(fmt.Sprint(i))[:12], Type: Types[i%len(Types)], Scope: Global, At: time.Date(2026, 1, 1+i%300, 0, 0, 0, 0, time.UTC),
			Text: fmt.Sprintf("Project %d of team %d uses the %s database, keeps notes in room %d and 每周%d开会讨论进度", i, i%97, []string{"zebra", "goat", "horse"}[i%3], i%400, i%7),
		}
		b.WriteString(note{entry: e}.line() + "\n")
	}
	return b.Bytes()
}

func bigMemory(b *testing.B, n int) *Memory {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, mainFile), bigFile(n), 0o600); err != nil {
		b.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	os.Chtimes(filepath.Join(dir, mainFile), old, old)
	m, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close() })
	m.Core(Query{}) // reads the file
	return m
}

// 5,000 entries in one file; the query shares terms with every third of them.
func BenchmarkRecall(b *testing.B) {
	m := bigMemory(b, 5000)
	q := Query{Text: "Which project of team 42 uses the zebra database, and when do we meet? 讨论进度", Person: "telegram:1"}
	for b.Loop() {
		if hits, err := m.Recall(b.Context(), q); err != nil || len(hits) != 5 {
			b.Fatal(len(hits), err)
		}
	}
}

func BenchmarkCore(b *testing.B) {
	m := bigMemory(b, 5000)
	for b.Loop() {
		m.Core(Query{Person: "telegram:1"})
	}
}

func BenchmarkParse(b *testing.B) {
	data := bigFile(5000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		newPage(place{file: mainFile, scope: Global}, string(data), stamp{}, nil)
	}
}

func BenchmarkRemember(b *testing.B) {
	m := bigMemory(b, 5000)
	i := 0
	for b.Loop() {
		i++
		if _, err := m.Remember(b.Context(), Entry{Text: fmt.Sprintf("Zebra %d sleeps in stable %d", i, i*i)}); err != nil {
			b.Fatal(err)
		}
	}
}
