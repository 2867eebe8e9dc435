package pdf_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pdf"
)

// written gives a file of objects, numbered from 1, the first of which is the root.
func written(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString("trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF")
	return b.Bytes()
}

func packed(text string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

func stream(head, body string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", head, len(body), body)
}

// onePage is a file of one page that draws with a font; more objects begin with number 6.
func onePage(font, draws string, more ...string) []byte {
	return written(append([]string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>", stream("/Filter/FlateDecode", packed(draws)), font,
	}, more...)...)
}

const latin = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"

func hexOf(s string, code func(rune) string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(code(r))
	}
	return "<" + b.String() + ">"
}

func ucs2(r rune) string { return fmt.Sprintf("%04X", r) }

func gbk(s string) string {
	b, err := simplifiedchinese.GBK.NewEncoder().Bytes([]byte(s))
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("<%X>", b)
}

func composite(encoding, more string) string {
	return "<</Type/Font/Subtype/Type0/BaseFont/STSong/Encoding/" + encoding + "/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/DW 1000/W[1[500 500]]>>]" + more + ">>"
}

// lzw packs a text as the writers of PDF do, with codes that grow that many entries early.
func lzw(text string, early int) string {
	var out []byte
	bits, have, width := uint32(0), 0, 9
	put := func(code int) {
		bits, have = bits<<width|uint32(code), have+width
		for ; have >= 8; have -= 8 {
			out = append(out, byte(bits>>(have-8)))
		}
	}
	known, next := map[string]int{}, 258
	codeOf := func(s string) int {
		if len(s) == 1 {
			return int(s[0])
		}
		return known[s]
	}
	put(256)
	last := ""
	for i := range len(text) {
		longer := last + text[i:i+1]
		if _, ok := known[longer]; ok || len(longer) == 1 {
			last = longer
			continue
		}
		put(codeOf(last))
		known[longer] = next
		if next++; next+early-1 >= 1<<width && width < 12 {
			width++
		}
		if last = text[i : i+1]; next > 4090 {
			put(codeOf(last))
			put(256)
			known, next, width, last = map[string]int{}, 258, 9, ""
		}
	}
	if last != "" {
		put(codeOf(last))
	}
	put(257)
	return string(append(out, byte(bits<<(8-have))))
}

// below packs rows as the difference from the row above.
func below(text string, columns int) string {
	var out []byte
	above := make([]byte, columns)
	for i := 0; i < len(text); i += columns {
		row := []byte((text + strings.Repeat(" ", columns))[i : i+columns])
		out = append(out, 2)
		for k, c := range row {
			out = append(out, c-above[k])
		}
		above = row
	}
	return packed(string(out))
}

// at draws texts at places.
func at(size int, texts ...any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "BT /F1 %d Tf ", size)
	for i := 0; i+2 < len(texts); i += 3 {
		fmt.Fprintf(&b, "1 0 0 1 %v %v Tm (%v) Tj ", texts[i], texts[i+1], texts[i+2])
	}
	return b.String() + "ET"
}

// twoColumns draws a page with a title and a footer, row by row, the footer first.
func twoColumns() string {
	drawn := []any{200, 20, "Page 7", 130, 740, "A title over both columns of the page"}
	for i := range 5 {
		drawn = append(drawn, 50, 700-14*i, fmt.Sprintf("the left column has line %d of", i), 260, 700-14*i, fmt.Sprintf("and the right one has %d of them", i))
	}
	return at(10, drawn...)
}

const columnsRead = "A title over both columns of the page\n\nthe left column has line 0 of\nthe left column has line 1 of\nthe left column has line 2 of\nthe left column has line 3 of\nthe left column has line 4 of\n\n" +
	"and the right one has 0 of them\nand the right one has 1 of them\nand the right one has 2 of them\nand the right one has 3 of them\nand the right one has 4 of them\n\nPage 7"

// packedPage is a page whose contents are packed in some other way.
func packedPage(head, body string) []byte {
	return written("<</Pages 2 0 R>>", "<</Kids[3 0 R]>>", "<</Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>", stream(head, body), latin)
}

func TestFilters(t *testing.T) {
	var want []string
	var b strings.Builder
	for i := range 900 {
		want = append(want, fmt.Sprintf("line %d of a text that needs long codes %x", i, i*i*7919))
		fmt.Fprintf(&b, "BT /F1 10 Tf 1 0 0 1 50 %d Tm (%s) Tj ET\n", 12*(1000-i), want[i])
	}
	all, draws := strings.Join(want, "\n"), b.String()
	for name, data := range map[string][]byte{
		"LZW":            packedPage("/Filter/LZWDecode", lzw(draws, 1)),
		"LZW, not early": packedPage("/Filter[/LZW]/DecodeParms[<</EarlyChange 0>>]", lzw(draws, 0)),
		"differences":    packedPage("/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 64>>", below(draws, 64)),
	} {
		if got, err := pdf.Text(t.Context(), data); err != nil || got != all {
			t.Errorf("%s: %d bytes, %v, want %d: %.200q", name, len(got), err, len(all), got)
		}
	}
	if got, err := pdf.Text(t.Context(), packedPage("/Filter/RunLengthDecode", "\x0fBT /F1 10 Tf (zz\xfbz\x07z) Tj ET\x80")); got != "zzzzzzzzz" {
		t.Errorf("runs: %q, %v", got, err)
	}
}

// Lines come in the order in which they are read, whatever the order in which they were drawn.
func TestOrder(t *testing.T) {
	for _, tt := range []struct{ name, draws, want string }{
		{"columns", twoColumns(), columnsRead},
		{"upwards", at(10, 50, 100, "third", 50, 114, "second", 50, 128, "first"), "first\nsecond\nthird"},
		{
			"a table by column", at(10, 50, 700, "Rope of hemp", 50, 686, "Anchor", 50, 672, "Lamp", 50, 658, "Ladder", 300, 700, "120.00", 300, 686, "340.50", 300, 672, "88.90", 300, 658, "45.00"),
			"Rope of hemp  120.00\nAnchor  340.50\nLamp  88.90\nLadder  45.00",
		},
		{"bold by drawing twice", at(10, 50, 700, "Total due", 50.3, 700, "Total due"), "Total due"},
		{"a raised figure", "BT /F1 10 Tf 50 700 Td (m) Tj /F1 6 Tf 4 Ts 1 0 0 1 58.4 704 Tm (2) Tj ET", "m2"},
		{"sideways", "BT /F1 10 Tf 0 1 -1 0 100 50 Tm (first) Tj 0 1 -1 0 114 50 Tm (second) Tj ET", "first\nsecond"},
		{"a stamp beside the text", "BT /F1 10 Tf 0 1 -1 0 20 50 Tm (stamp) Tj ET " + at(10, 50, 700, "the text itself"), "the text itself\n\nstamp"},
	} {
		if got, err := pdf.Text(t.Context(), onePage(latin, tt.draws)); err != nil || got != tt.want {
			t.Errorf("%s: %v\n%q, want\n%q", tt.name, err, got, tt.want)
		}
	}
}

// The texts of Chinese and Latin files come out as a reader sees them: letters, blanks between words, lines.
func TestText(t *testing.T) {
	const han = "你好，世界。合同金额"
	table := "1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0003> <4F60> <0004> <597D> endbfchar 1 beginbfrange <0005> <0007> <4E00> endbfrange 1 beginbfrange <0008> <0009> [<00660069> <516D>] endbfrange"
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"Latin", onePage(latin, "BT /F1 12 Tf 50 700 Td (Invoice 4711) Tj 0 -14 Td [(To)-20(tal: )-300(99.50)] TJ ET"), "Invoice 4711\nTotal: 99.50"},
		{"words by their place", onePage(latin, "BT /F1 10 Tf 1 0 0 1 50 700 Tm (red) Tj 1 0 0 1 70 700 Tm (blue) Tj 1 0 0 1 50 600 Tm (green) Tj ET"), "red blue\n\ngreen"},
		{"words by the room in them", onePage(latin, "BT /F1 10 Tf [(one)-600(two)] TJ ET"), "one two"},
		{"signs and escapes", onePage(latin, `BT /F1 10 Tf (a\(b\) \247 \223x\224 caf\351) Tj ET`), "a(b) § “x” café"},
		{"names of letters", onePage("<</Type/Font/Subtype/Type1/Encoding<</Differences[1/H/i/space/fi/eacute/uni4F60/zero]>>>>", "BT /F1 10 Tf <01020304050607> Tj ET"), "Hi fie\u0301你0"},
		{"a table of letters", onePage(composite("Identity-H", "/ToUnicode 6 0 R"), "BT /F1 10 Tf <00030004000500060007> Tj 0 -14 Td <00080009> Tj ET", stream("", table)), "你好一丁丂\nfi六"},
		{"UniGB", onePage(composite("UniGB-UCS2-H", ""), "BT /F1 10 Tf "+hexOf(han, ucs2)+" Tj ET"), han},
		{"GBK", onePage(composite("GBK-EUC-H", ""), "BT /F1 10 Tf "+gbk(han+" A4")+" Tj ET"), han + " A4"},
		{"GB 18030", onePage(composite("GBK2K-H", ""), "BT /F1 10 Tf <C4E3 8139EE39 41> Tj ET"), "你㐀A"},
		{"UTF-16 in pairs", onePage(composite("UniGB-UTF16-H", ""), "BT /F1 10 Tf <4F60D840DC0B0041> Tj ET"), "你𠀋A"},
		{"Adobe's order of GB 2312", onePage(composite("Identity-H", "/DescendantFonts[<</CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)>>>>]"), "BT /F1 10 Tf <002203AB12560061> Tj ET"), "A啊亍、"},
		{"Macintosh", onePage("<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding/MacRomanEncoding>>", `BT /F1 10 Tf (caf\216 \322x\323) Tj ET`), "café “x”"},
		{"Chinese letter by letter", onePage(composite("UniGB-UCS2-H", ""), "BT /F1 10 Tf 1 0 0 1 50 700 Tm <4F60> Tj 1 0 0 1 63 700 Tm <597D> Tj ET"), "你好"},
		{"a drawing in a drawing", onePage(latin, "q /X Do Q", stream("/Subtype/Form/Resources<</Font<</F1 5 0 R>>>>", "BT /F1 10 Tf (inside) Tj ET")), "inside"},
		{"an image beside text", onePage(latin, "/X Do BT /F1 10 Tf (below) Tj ET", stream("/Subtype/Image", "x")), "below"},
		{"an image among the operators", onePage(latin, "BI /W 1 ID \xff(no) EI BT /F1 10 Tf (yes) Tj ET"), "yes"},
		{"no length", written("<</Type/Catalog/Pages 2 0 R>>", "<</Kids[3 0 R]>>", "<</Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>", "<<>>stream\nBT /F1 10 Tf (x y) Tj ET\nendstream", latin), "x y"},
		{"a lost tree of pages", written("<</Type/Other>>", "<<>>", "<</Type/Page/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>", stream("", "BT /F1 10 Tf (found) Tj ET"), latin), "found"},
		{"two pages", written("<</Pages 2 0 R>>", "<</Kids[3 0 R 3 0 R 6 0 R]/Resources<</Font<</F1 5 0 R>>>>>>", "<</Contents 4 0 R>>", stream("", "BT /F1 10 Tf (one) Tj ET"), latin, "<</Contents[4 0 R 7 0 R]>>", stream("", "BT /F1 10 Tf 30 0 Td (two) Tj ET")), "one\f\none two"},
		{"objects in a stream", written("<</Pages 9 0 R>>", stream("/Type/ObjStm/N 2/First 12/Filter/FlateDecode", packed("9 0 10 18   <</Kids[10 0 R]>> <</Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>")), stream("", "BT /F1 10 Tf (packed) Tj ET"), latin), "packed"},
	} {
		got, err := pdf.Text(t.Context(), tt.data)
		if err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// Where there is no text, the reason is told.
func TestNoText(t *testing.T) {
	for _, tt := range []struct {
		name string
		data []byte
		why  string
	}{
		{"scanned", onePage(latin, "q 600 0 0 800 0 0 cm /X Do Q", stream("/Subtype/Image", "x")), "1 of its 1 pages are images"},
		{"encrypted", bytes.Replace(onePage(latin, "BT /F1 10 Tf (x) Tj ET"), []byte("<</Root"), []byte("<</Encrypt 9 0 R/Root"), 1), "encrypted"},
		{"letters that nobody knows", onePage(composite("Identity-H", ""), "BT /F1 10 Tf <00030004> Tj ET"), "do not say which letters"},
		{"a charset that is not known", onePage(composite("ETen-B5-H", ""), "BT /F1 10 Tf <A7DAA7DA> Tj ET"), `written in "ETen-B5-H"`},
		{"nothing drawn", onePage(latin, "q Q"), "holds no text"},
		{"no pages", written("<<>>"), "no page"},
		{"not a PDF", []byte("PK\x03\x04"), "no PDF"},
		{"empty", nil, "no PDF"},
		{"too large", append([]byte("%PDF-1.4"), make([]byte, pdf.MaxFile)...), "larger than 32 MiB"},
	} {
		got, err := pdf.Text(t.Context(), tt.data)
		if akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), tt.why) || got != "" {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.why)
		}
	}
}

// Files that are encrypted under no password are read, as every viewer does. Two other programs made them, one
// for each way to encrypt.
func TestEncrypted(t *testing.T) {
	for file, want := range map[string]string{
		"rc4-40": "Statement of account 4711\nBalance 1,204.50", "rc4-128": "Balance 1,204.50", "aes-128": "Balance 1,204.50", "aes-256-early": "Balance 1,204.50",
		"aes-256": "Invoice 2025-118\nDue on 14 March", "aes-128-packed": "Row 7  87.5",
	} {
		if got, err := pdf.Text(t.Context(), made(t, file)); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
	if got, err := pdf.Text(t.Context(), made(t, "password")); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), "password") || got != "" {
		t.Errorf("with a password: %q, %v", got, err)
	}
}

func made(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file+".pdf"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What is missing from a text is told.
func TestPartsThatAreMissing(t *testing.T) {
	scan := written("<</Pages 2 0 R>>", "<</Kids[3 0 R 6 0 R]/Resources<</Font<</F1 5 0 R>>/XObject<</X 7 0 R>>>>>>", "<</Contents 4 0 R>>", stream("", "BT /F1 10 Tf (words) Tj ET"), latin,
		"<</Contents 8 0 R>>", stream("/Subtype/Image", "x"), stream("", "/X Do"))
	half := onePage(composite("Identity-H", "/ToUnicode 6 0 R"), "BT /F1 10 Tf <00030004> Tj ET", stream("", "1 beginbfchar <0003> <4F60> endbfchar"))
	for want, data := range map[string][]byte{
		"words\f\n\n(1 of 2 pages hold images and no text, such as of a scanner)":            scan,
		"你\uFFFD\n(1 of 2 letters could not be read: their fonts do not say which they are)": half,
	} {
		if got, err := pdf.Text(t.Context(), data); got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}

// Files that are made to cost time or memory cost little, and those that lead in circles end.
func TestBounds(t *testing.T) {
	bomb := strings.Repeat("BT /F1 12 Tf (aaaaaaaaaaaaaaaa) Tj ET\n", 1_000_000)
	var scattered strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&scattered, "1 0 0 1 %d %d Tm (x) Tj ", i*7919%600, i*104729%9_000)
	}
	for name, data := range map[string][]byte{
		"unpacks to much":   onePage(latin, bomb),
		"letters all over":  onePage(latin, "BT /F1 1 Tf "+scattered.String()+" ET"),
		"one long line":     onePage(latin, "BT /F1 1 Tf "+strings.Repeat("(x) Tj ", 1_000_000)+" ET"),
		"LZW that grows":    packedPage("/Filter[/LZW/LZW/LZW/LZW]", lzw(lzw(lzw(lzw(strings.Repeat("a", 1<<20), 1), 1), 1), 1)),
		"pages in a circle": written("<</Pages 2 0 R>>", "<</Kids[2 0 R 3 0 R]>>", "<</Kids[2 0 R]>>"),
		"refers to itself":  written("<</Pages 2 0 R>>", "2 0 R"),
		"draws itself":      onePage(latin, "/X Do", stream("/Subtype/Form/Resources<</XObject<</X 6 0 R>>>>", strings.Repeat("/X Do ", 5))),
		"deep":              append([]byte("%PDF-1.4\n1 0 obj "), bytes.Repeat([]byte("["), 1<<20)...),
		"deep dictionaries": append([]byte("%PDF-1.4\n1 0 obj "), bytes.Repeat([]byte("<</a"), 1<<19)...),
		"wide ranges":       onePage(composite("Identity-H", "/ToUnicode 6 0 R"), "BT /F1 10 Tf <0003> Tj ET", stream("", strings.Repeat("1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange ", 10_000))),
		"many widths":       onePage(composite("Identity-H", "/DescendantFonts[<</W[0 4000000000 1]>>]"), "BT /F1 10 Tf <0003> Tj ET"),
	} {
		text, err := pdf.Text(t.Context(), data)
		if len(text) > 3<<20 || err != nil && akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pdf.Text(ctx, onePage(latin, "BT /F1 12 Tf (a) Tj ET")); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}

func FuzzText(f *testing.F) {
	f.Add(onePage(latin, "BT /F1 12 Tf 50 700 Td (Invoice 4711) Tj 0 -14 Td [(To)-20(tal: )-300(99.50)] TJ ET"))
	f.Add(onePage(composite("Identity-H", "/ToUnicode 6 0 R"), "BT /F1 10 Tf <0003> Tj ET", stream("", "1 beginbfrange <0003> <0005> <4E00> endbfrange")))
	f.Add(written("<</Pages 9 0 R>>", stream("/Type/ObjStm/N 2/First 12", "9 0 10 18   <</Kids[10 0 R]>> <</Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>"), stream("", "BT /F1 10 Tf (packed) Tj ET"), latin))
	f.Add(packedPage("/Filter/LZWDecode", lzw(twoColumns(), 1)))
	f.Add(packedPage("", twoColumns()))
	for _, file := range []string{"rc4-40", "aes-128-packed", "aes-256"} {
		f.Add(made(f, file))
	}
	f.Add(packedPage("/Filter/RunLengthDecode", "\x0fBT /F1 10 Tf (zz\xfbz\x07z) Tj ET\x80"))
	f.Add(onePage(composite("GBK2K-H", ""), "BT /F1 10 Tf <C4E3 8139EE39 41> Tj ET"))
	f.Add([]byte("%PDF-1.4 1 0 obj<</Root 1 0 R/Pages 1 0 R/Kids[1 0 R]>>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := pdf.Text(t.Context(), data)
		if !utf8.ValidString(text) || err == nil && strings.TrimSpace(text) == "" {
			t.Errorf("%q, %v", text, err)
		}
	})
}
