package knowledge_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/knowledge"
)

func newBase(t testing.TB) (*knowledge.Base, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "knowledge.db")
	b := knowledge.New(file, knowledge.Options{})
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b, file
}

func add(t testing.TB, b *knowledge.Base, name, text string) knowledge.Source {
	t.Helper()
	src, _, err := b.Add(t.Context(), knowledge.Document{Name: name, Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func search(t testing.TB, b *knowledge.Base, q knowledge.Query) []knowledge.Hit {
	t.Helper()
	hits, err := b.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%q: %v", q.Text, err)
	}
	return hits
}

// harbour fills a base with documents of every kind.
func harbour(t testing.TB) *knowledge.Base {
	b, _ := newBase(t)
	add(t, b, "quay.md", "# Harbour\n\n## Crane\nThe crane on the north quay lifts twelve tonnes. It is inspected every March.\n\n## Sluice\nThe sluice gate opens at high tide.\n")
	add(t, b, "码头.md", "# 码头\n\n## 起重机\n北码头的起重机可以吊起十二吨货物，每年三月检修一次。\n\n## 船闸\n船闸在涨潮时开启。\n")
	add(t, b, "berths.csv", "berth,depth,ship\nB1,7.5,Gannet\nB2,9.0,Petrel\n")
	add(t, b, "tariff.json", `{"mooring": {"daily": 40, "currency": "EUR"}, "pilotage": {"inbound": 310}}`)
	add(t, b, "winch.go", "package winch\n\n// PayOut lets cable out until the drum is empty.\nfunc PayOut(metres int) error {\n\treturn nil\n}\n")
	add(t, b, "radio.log", "2026-03-01T10:00:00Z INFO vessel Gannet reported anchor fouled\n2026-03-01T10:07:00Z WARN channel sixteen silent\n")
	return b
}

func TestSearch(t *testing.T) {
	b := harbour(t)
	for _, tt := range []struct{ text, name, title, snippet string }{
		{"inspected crane", "quay.md", "Harbour > Crane", "inspected every March"},
		{"inspections of cranes", "quay.md", "Harbour > Crane", "twelve tonnes"}, // stems
		{"sluices", "quay.md", "Harbour > Sluice", "high tide"},
		{"起重机", "码头.md", "码头 > 起重机", "十二吨"},
		{"涨潮", "码头.md", "码头 > 船闸", "涨潮时开启"}, // two characters
		{"闸", "码头.md", "码头 > 船闸", "船闸"},     // one
		{"每年什么时候检修起重机？", "码头.md", "码头 > 起重机", "三月"},
		{"Petrel", "berths.csv", "rows 1-2", "B2,9.0,Petrel"},
		{"pilotage inbound", "tariff.json", "", "310"},
		{"payout", "winch.go", "", "PayOut"},
		{"ayOut", "winch.go", "", "PayOut"}, // part of a word
		{"anchor fouled", "radio.log", "2026-03-01T10:00:00Z - 2026-03-01T10:07:00Z", "Gannet"},
		{`"channel sixteen"`, "radio.log", "", "channel sixteen silent"},
		{"sluise", "quay.md", "Harbour > Sluice", "sluice gate"}, // misspelt
		{"inspceted", "quay.md", "Harbour > Crane", "inspected"},
		{"AND OR NOT (crane", "quay.md", "Harbour > Crane", "crane"}, // no operators
		{"the crane*", "quay.md", "Harbour > Crane", "crane"},
	} {
		hits := search(t, b, knowledge.Query{Text: tt.text})
		if len(hits) == 0 {
			t.Errorf("%q finds nothing", tt.text)
			continue
		}
		h := hits[0]
		if h.Name != tt.name || tt.title != "" && h.Title != tt.title || !strings.Contains(h.Text, tt.snippet) {
			t.Errorf("%q: %s, %q, %q; want %s, %q, %q", tt.text, h.Name, h.Title, h.Text, tt.name, tt.title, tt.snippet)
		}
		if h.Source != "knowledge" || h.Score <= 0 || h.Score > 1 || h.Line < 1 || h.ID == "" {
			t.Errorf("%q: %+v", tt.text, h)
		}
	}
	for _, text := range []string{"", "  ", "?!", "zeppelin", "飞艇", "\"", "the of and zeppelin", "xyzzyq"} {
		if hits := search(t, b, knowledge.Query{Text: text}); len(hits) > 0 {
			t.Errorf("%q finds %+v", text, hits)
		}
	}
}

// A word in a title counts as five in the text.
func TestTitlesCountMore(t *testing.T) {
	b, _ := newBase(t)
	add(t, b, "a.md", "# Ropes\nbuoy buoy lantern and chain\n# Buoy\nlantern and chain and ropes here\n")
	if hits := search(t, b, knowledge.Query{Text: "buoy"}); len(hits) != 2 || hits[0].Title != "Buoy" {
		t.Errorf("%+v", hits)
	}
}

// Where words fill the answer, what no chunk has as a word is still looked for in parts of words and corrected.
func TestWhatWordsDoNotFill(t *testing.T) {
	b := harbour(t)
	for i := range 12 {
		add(t, b, fmt.Sprintf("berth%d.md", i), "A lantern burns at this berth.")
	}
	add(t, b, "both.md", "PayOutCable empties the drum of the sluice below the lantern, which nobody has to hold or to see while it runs.")
	for _, text := range []string{"lantern ayOut", "lantern sluise"} {
		if hits := search(t, b, knowledge.Query{Text: text, Limit: 2}); len(hits) != 2 || hits[0].Name != "both.md" {
			t.Errorf("%q: %+v", text, hits)
		}
	}
}

// A word that thousands of chunks hold tells none from another: it is left out beside rarer ones, and found alone.
func TestCommonWords(t *testing.T) {
	b, _ := newBase(t)
	var text strings.Builder
	for i := range 2100 {
		fmt.Fprintf(&text, "# B%d\ngranite berth\n", i)
	}
	text.WriteString("# Last\nthe petrel lies here\n")
	add(t, b, "berths.md", text.String())
	if hits := search(t, b, knowledge.Query{Text: "granite berth petrel"}); len(hits) != 1 || hits[0].Title != "Last" {
		t.Errorf("%+v", hits)
	}
	if hits := search(t, b, knowledge.Query{Text: "granite berth"}); len(hits) != knowledge.DefaultLimit {
		t.Errorf("%d hits", len(hits))
	}
}

// So do pairs of characters.
func TestCommonPairs(t *testing.T) {
	b, _ := newBase(t)
	var text strings.Builder
	for i := range 2100 {
		fmt.Fprintf(&text, "# B%d\n灯塔泊位\n", i)
	}
	text.WriteString("# Last\n灯塔旁有海燕\n")
	add(t, b, "berths.md", text.String())
	if hits := search(t, b, knowledge.Query{Text: "灯塔泊位海燕"}); len(hits) != 1 || hits[0].Title != "Last" {
		t.Errorf("%+v", hits)
	}
	if hits := search(t, b, knowledge.Query{Text: "灯塔泊位"}); len(hits) != knowledge.DefaultLimit {
		t.Errorf("%d hits", len(hits))
	}
}

// A part of a word finds it in every script that has words, by letters, marks and digits.
func TestPartsOfWords(t *testing.T) {
	b, _ := newBase(t)
	long := strings.Repeat("ab12", 60)
	docs := []string{
		"The fault ERR-947110x was seen.", "A SensorArray9000Unit stands there.", "Die Überprüfungsstelle prüft.", "यह नमस्तेजी लिखा है",
		"Проверкаслова здесь.", "\"quoted'word\" ends", long + " is a key", "ǅungla ﬁnance", "ᱥᱟᱱᱛᱟᱲᱤᱭᱟ ᱯᱟᱹᱨᱥᱤ", "船闸在涨潮时开启",
	}
	for i, d := range docs {
		add(t, b, fmt.Sprintf("n%d.txt", i), d)
	}
	for i, part := range []string{"4711", "rray90", "rüfungss", "मस्ते", "веркасл", "uoted", "b12ab12ab12a", "ungl", "ᱟᱱᱛᱟᱲ", "涨潮时"} {
		hits := search(t, b, knowledge.Query{Text: part})
		if len(hits) != 1 || hits[0].Name != fmt.Sprintf("n%d.txt", i) {
			t.Errorf("%q: %+v", part, hits)
		}
	}
	one, err := b.Source(t.Context(), "n1.txt")
	if err != nil {
		t.Fatal(err)
	}
	if hits := search(t, b, knowledge.Query{Text: "4711 rray90", Source: one.ID}); len(hits) != 1 || hits[0].Name != "n1.txt" {
		t.Errorf("in one source: %+v", hits)
	}
}

// What no source holds any more is found neither by a part of it nor by a slip; what another one holds is.
func TestWordsThatAreGone(t *testing.T) {
	b, file := newBase(t)
	add(t, b, "a.md", "the foghorn and the winchlock")
	add(t, b, "b.md", "one winchlock more")
	add(t, b, "a.md", "the sternpost and the winchlock")
	for word, want := range map[string]int{"oghor": 0, "foghron": 0, "inchloc": 2, "wnichlock": 2, "ternpos": 1, "strenpost": 1} {
		if hits := search(t, b, knowledge.Query{Text: word}); len(hits) != want {
			t.Errorf("%s: %+v, want %d", word, hits, want)
		}
	}
	if _, err := b.Remove(t.Context(), "a.md"); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]int{"ternpos": 0, "strenpost": 0, "inchloc": 1, "wnichlock": 1} {
		if hits := search(t, b, knowledge.Query{Text: word}); len(hits) != want {
			t.Errorf("after it is removed, %s: %+v, want %d", word, hits, want)
		}
	}
	if got, want := spelling(t, file), "b md more one winchlock"; got != want {
		t.Errorf("the words are %q, want %q", got, want)
	}
}

// spelling gives the words that the file of a base has, once their parts are what they should be.
func spelling(t *testing.T, file string) (words string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`INSERT INTO parts (parts) VALUES ('integrity-check')`); err != nil {
		t.Error(err)
	}
	if err := db.QueryRow(`SELECT group_concat(word, ' ') FROM (SELECT word FROM spelling ORDER BY word)`).Scan(&words); err != nil {
		t.Error(err)
	}
	return words
}

// Who asks one source is told of that one alone, whatever was added, replaced and removed beside it.
func TestOneSourceAmongChanges(t *testing.T) {
	b, _ := newBase(t)
	ids := map[string]string{}
	for i, name := range []string{"a.md", "b.md", "c.md", "a.md", "d.md", "b.md"} {
		ids[name] = add(t, b, name, fmt.Sprintf("# One\ngranite %d\n# Two\ngranite again\n", i)).ID
	}
	if _, err := b.Remove(t.Context(), "c.md"); err != nil {
		t.Fatal(err)
	}
	for name, id := range ids {
		want := 2
		if name == "c.md" {
			want = 0
		}
		hits := search(t, b, knowledge.Query{Text: "granite", Source: id})
		if len(hits) != want || slices.ContainsFunc(hits, func(h knowledge.Hit) bool { return h.Name != name }) {
			t.Errorf("%s: %+v", name, hits)
		}
	}
}

// A word is corrected by what each source holds: into another word in another source, and not where it is known.
func TestCorrectionIsPerSource(t *testing.T) {
	b, _ := newBase(t)
	en := add(t, b, "en.md", "The harbour colour code is blue.")
	us := add(t, b, "us.md", "The color code of the marina is red.")
	none := add(t, b, "none.md", "Nothing of the kind stands here.")
	read := func(id, text string) string {
		hits := search(t, b, knowledge.Query{Text: text, Source: id})
		if len(hits) == 0 {
			return ""
		}
		return fmt.Sprint(hits[0].Read)
	}
	for _, tt := range []struct{ id, text, want string }{
		{en.ID, "colour", "map[]"},
		{us.ID, "colour", "map[colour:color]"},
		{en.ID, "color", "map[color:colour]"},
		{en.ID, "colonr", "map[colonr:colour]"},
		{us.ID, "coler", "map[coler:color]"},
		{none.ID, "colour", ""},
		{en.ID, "codes", "map[]"}, // a form of a word that it holds
		{en.ID, "ab", ""},
	} {
		if got := read(tt.id, tt.text); got != tt.want {
			t.Errorf("%q in %s is read as %q, want %q", tt.text, tt.id, got, tt.want)
		}
	}
	hits := search(t, b, knowledge.Query{Text: "colour"})
	if len(hits) != 2 || hits[0].Name != "en.md" || hits[1].Read["colour"] != "color" {
		t.Errorf("over all: %+v", hits)
	}
}

func TestOneSource(t *testing.T) {
	b := harbour(t)
	src, err := b.Source(t.Context(), "radio.log")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range search(t, b, knowledge.Query{Text: "Gannet crane", Source: src.ID}) {
		if h.Name != "radio.log" {
			t.Errorf("%s", h.Name)
		}
	}
	if len(search(t, b, knowledge.Query{Text: "Gannet", Source: src.ID})) != 1 || len(search(t, b, knowledge.Query{Text: "Gannet", Limit: 1})) != 1 {
		t.Error("the limit or the source does not hold")
	}
}

// Long chunks are shown around what was looked for, one line, at whole words.
func TestSnippetIsAroundTheHit(t *testing.T) {
	b, _ := newBase(t)
	filler := strings.Repeat("Gulls circle over the breakwater all day. ", 30)
	add(t, b, "long.txt", filler+"The beacon at Skarv burns paraffin. "+filler)
	add(t, b, "长.txt", strings.Repeat("海鸥整天在防波堤上空盘旋。", 40)+"斯卡夫灯塔烧煤油。"+strings.Repeat("海鸥整天在防波堤上空盘旋。", 40))
	for text, want := range map[string]string{"skarv beacons": "The beacon at Skarv burns paraffin.", "灯塔煤油": "斯卡夫灯塔烧煤油"} {
		hits := search(t, b, knowledge.Query{Text: text})
		if len(hits) == 0 || !strings.Contains(hits[0].Text, want) || len(hits[0].Text) > 420 || !strings.HasPrefix(hits[0].Text, "…") || !strings.HasSuffix(hits[0].Text, "…") || strings.Contains(hits[0].Text, "\n") {
			t.Errorf("%q: %+v", text, hits)
		}
	}
}

// The same document again costs nothing and changes nothing; another content replaces the old one; two sources
// never share an id.
func TestAddAgain(t *testing.T) {
	b, _ := newBase(t)
	first := add(t, b, "a.md", "# Pier\nold timber\n")
	src, changed, err := b.Add(t.Context(), knowledge.Document{Name: "a.md", Data: []byte("# Pier\nold timber\n")})
	if err != nil || changed || src != first {
		t.Errorf("again: %+v, %v, %v", src, changed, err)
	}
	src, changed, err = b.Add(t.Context(), knowledge.Document{Name: "a.md", Data: []byte("# Pier\nnew concrete\n")})
	if err != nil || !changed || src.ID != first.ID {
		t.Errorf("replaced: %+v, %v, %v", src, changed, err)
	}
	if n := len(search(t, b, knowledge.Query{Text: "timber"})); n != 0 {
		t.Errorf("the old text is found %d times", n)
	}
	if n := len(search(t, b, knowledge.Query{Text: "concrete"})); n != 1 {
		t.Errorf("the new text is found %d times", n)
	}
	if other := add(t, b, "b.md", "# Pier\nnew concrete\n"); other.ID == first.ID {
		t.Error("two names share an id")
	}
	if _, _, err := b.Sources(t.Context(), "x", 1); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), `"x" is no cursor`) {
		t.Errorf("a cursor that nobody gave: %v", err)
	}
	all, next, err := b.Sources(t.Context(), "", 0)
	if err != nil || next != "" || len(all) != 2 || all[0].Name != "a.md" || all[0].Chunks != 1 || all[0].Bytes == 0 || all[0].Indexed.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
	page, next, err := b.Sources(t.Context(), "", 1)
	if err != nil || len(page) != 1 || page[0].Name != "a.md" {
		t.Errorf("the first page: %+v, %v", page, err)
	}
	if page, _, err = b.Sources(t.Context(), next, 1); err != nil || len(page) != 1 || page[0].Name != "b.md" {
		t.Errorf("the page after %q: %+v, %v", next, page, err)
	}
}

func TestFilesAndNames(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return at
	}
	at := write("docs/a.md", "# Pier\ntimber\n")
	write("docs/deep/b.txt", "gravel")
	write("docs/.git/c.txt", "hidden")
	write("docs/.env", "KEY=1")
	if err := os.Symlink(at, filepath.Join(dir, "docs", "link.md")); err != nil {
		t.Fatal(err)
	}
	files, skipped, err := knowledge.Files(filepath.Join(dir, "docs"))
	if err != nil || len(files) != 2 || len(skipped) != 3 {
		t.Fatalf("%v, %v, %v", files, skipped, err)
	}
	b, file := newBase(t)
	ctx := t.Context()
	one, _, err := b.Add(ctx, knowledge.Document{Path: at})
	if err != nil {
		t.Fatal(err)
	}
	// By another way to the same file it is the same source; a name that reads like its path is another.
	if two, changed, err := b.Add(ctx, knowledge.Document{Path: filepath.Join(dir, "docs", "link.md")}); err != nil || changed || two.ID != one.ID {
		t.Errorf("by a link: %+v, %v, %v", two, changed, err)
	}
	if three, _, err := b.Add(ctx, knowledge.Document{Name: one.Name, Data: []byte("# Pier\ntimber\n")}); err != nil || three.ID == one.ID {
		t.Errorf("a name like a path: %+v, %v", three, err)
	}
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Add(ctx, knowledge.Document{Path: at}); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("a file that is gone: %v", err)
	}
	if src, err := b.Remove(ctx, one.ID); err != nil || src.ID != one.ID {
		t.Errorf("removed %+v, %v", src, err)
	}
	if _, err := b.Remove(ctx, one.ID); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("removed twice: %v", err)
	}
	// What was added is there for who opens the file next.
	again := knowledge.New(file, knowledge.Options{})
	if len(search(t, again, knowledge.Query{Text: "timber"})) != 1 {
		t.Error("a second opening finds nothing")
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return at
	}
	b := knowledge.New(filepath.Join(t.TempDir(), "k.db"), knowledge.Options{Private: filepath.Join(dir, "home")})
	t.Cleanup(func() { b.Close() })
	for _, tt := range []struct {
		name string
		doc  knowledge.Document
		kind akitad.Kind
		say  string
	}{
		{"binary", knowledge.Document{Path: write("a.bin", []byte("\x7fELF\x00\x01"))}, akitad.InvalidRequest, "binary"},
		{"not UTF-8", knowledge.Document{Path: write("a.txt", []byte("caf\xe9"))}, akitad.InvalidRequest, "not UTF-8"},
		{"empty", knowledge.Document{Path: write("empty.txt", nil)}, akitad.InvalidRequest, "empty"},
		{"too large", knowledge.Document{Path: write("large.txt", make([]byte, knowledge.MaxFile+1))}, akitad.InvalidRequest, "at most"},
		{"missing", knowledge.Document{Path: filepath.Join(dir, "no.txt")}, akitad.NotFound, "no.txt"},
		{"a folder", knowledge.Document{Path: dir}, akitad.InvalidRequest, "folder"},
		{"of the home", knowledge.Document{Path: write("home/admin.token", []byte("secret"))}, akitad.PermissionDenied, "home"},
		{"no name", knowledge.Document{Name: " ", Data: []byte("x")}, akitad.InvalidRequest, "name"},
		{"a bad name", knowledge.Document{Name: "a\x00b", Data: []byte("x")}, akitad.InvalidRequest, "name"},
		{"a broken PDF", knowledge.Document{Name: "a.pdf", Data: []byte("%PDF-1.4\nnothing")}, "", "a.pdf"},
	} {
		_, _, err := b.Add(t.Context(), tt.doc)
		if err == nil || tt.kind != "" && akitad.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.say) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if all, _, err := b.Sources(t.Context(), "", 0); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// A search answers while somebody writes, and sees what was there before.
func TestReadersDoNotWait(t *testing.T) {
	b, file := newBase(t)
	add(t, b, "a.md", "# Pier\ntimber\n")
	db, err := sql.Open("sqlite", "file:"+file+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE chunks SET text = 'half'; DELETE FROM words; DELETE FROM sources`); err != nil {
		t.Fatal(err)
	}
	hits := search(t, b, knowledge.Query{Text: "timber"})
	if len(hits) != 1 || hits[0].Name != "a.md" || !strings.Contains(hits[0].Text, "timber") {
		t.Errorf("%+v", hits)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
}

// A file that is none of ours makes place for a new one and is kept.
func TestBrokenFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "knowledge.db")
	var lost []string
	b := knowledge.New(file, knowledge.Options{Lost: func(why string) { lost = append(lost, why) }})
	t.Cleanup(func() { _ = b.Close() })
	if err := os.WriteFile(file, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	add(t, b, "a.md", "# Pier\ntimber\n")
	if len(search(t, b, knowledge.Query{Text: "timber"})) != 1 {
		t.Error("it is not found")
	}
	if _, err := os.Stat(file + ".broken"); err != nil {
		t.Error(err)
	}
	if len(lost) != 1 || !strings.Contains(lost[0], file+".broken") || !strings.Contains(lost[0], "akitad index add") {
		t.Errorf("told of the loss: %q", lost)
	}
}

// Many who add, search and remove at once get in each other's way only by waiting.
func TestManyAtOnce(t *testing.T) {
	b, _ := newBase(t)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			name := fmt.Sprintf("n%d.md", i)
			for round := range 4 {
				if _, _, err := b.Add(t.Context(), knowledge.Document{Name: name, Data: fmt.Appendf(nil, "# Dock %d\nround %d granite\n", i, round)}); err != nil {
					t.Error(err)
				}
				if hits, err := b.Search(t.Context(), knowledge.Query{Text: "granite"}); err != nil || len(hits) == 0 {
					t.Errorf("%v, %v", hits, err)
				}
			}
			if _, err := b.Remove(t.Context(), name); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if all, _, err := b.Sources(t.Context(), "", 0); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// A search sees one state of the base: no chunk that came in the place of the one that was found.
func TestASearchSeesOneState(t *testing.T) {
	b, _ := newBase(t)
	add(t, b, "first.md", "# Quay\ngranite\n")
	done := make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(done)
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				hits, err := b.Search(t.Context(), knowledge.Query{Text: "granite"})
				if err != nil || len(hits) > 0 && !strings.Contains(hits[0].Chunk, "granite") {
					t.Errorf("%+v, %v", hits, err)
					return
				}
			}
		})
	}
	for range 60 {
		for _, swap := range [][3]string{{"first.md", "other.md", "timber"}, {"other.md", "first.md", "granite"}} {
			if _, err := b.Remove(t.Context(), swap[0]); err != nil {
				t.Fatal(err)
			}
			add(t, b, swap[1], "# Quay\n"+swap[2]+"\n")
		}
	}
}

// Whatever is added, replaced and removed: the base holds what a map would, and finds each by its own words.
func TestLikeAMap(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		b := knowledge.New(filepath.Join(dir, fmt.Sprint(n, ".db")), knowledge.Options{})
		defer b.Close()
		ctx, model := t.Context(), map[string]string{}
		names := []string{"a.md", "b.txt", "丙.md"}
		words := []string{"granite", "walrus", "潮汐", "码头", "lantern"}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			if rapid.IntRange(0, 3).Draw(t, "what") == 0 {
				_, err := b.Remove(ctx, name)
				if _, there := model[name]; there != (err == nil) {
					t.Fatalf("remove %s: %v", name, err)
				}
				delete(model, name)
				continue
			}
			text := rapid.SampledFrom(words).Draw(t, "word")
			_, changed, err := b.Add(ctx, knowledge.Document{Name: name, Data: []byte(text)})
			if err != nil || changed != (model[name] != text) {
				t.Fatalf("add %s: %v, %v", name, changed, err)
			}
			model[name] = text
		}
		for _, word := range append(words, "ranit", "alru", "anter") { // parts of them
			var want, got []string
			for name, text := range model {
				if strings.Contains(text, word) {
					want = append(want, name)
				}
			}
			hits, err := b.Search(ctx, knowledge.Query{Text: word})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				got = append(got, h.Name)
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s is in %v, want %v", word, got, want)
			}
		}
	})
}
