package pdf_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
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
		{"Chinese letter by letter", onePage(composite("UniGB-UCS2-H", ""), "BT /F1 10 Tf 1 0 0 1 50 700 Tm <4F60> Tj 1 0 0 1 63 700 Tm <597D> Tj ET"), "你好"},
		{"a drawing in a drawing", onePage(latin, "q /X Do Q", stream("/Subtype/Form/Resources<</Font<</F1 5 0 R>>>>", "BT /F1 10 Tf (inside) Tj ET")), "inside"},
		{"an image beside text", onePage(latin, "/X Do BT /F1 10 Tf (below) Tj ET", stream("/Subtype/Image", "x")), "below"},
		{"an image among the operators", onePage(latin, "BI /W 1 ID \xff(no) EI BT /F1 10 Tf (yes) Tj ET"), "yes"},
		{"no length", written("<</Type/Catalog/Pages 2 0 R>>", "<</Kids[3 0 R]>>", "<</Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>", "<<>>stream\nBT /F1 10 Tf (x y) Tj ET\nendstream", latin), "x y"},
		{"a lost tree of pages", written("<</Type/Other>>", "<<>>", "<</Type/Page/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>", stream("", "BT /F1 10 Tf (found) Tj ET"), latin), "found"},
		{"two pages", written("<</Pages 2 0 R>>", "<</Kids[3 0 R 3 0 R 6 0 R]/Resources<</Font<</F1 5 0 R>>>>>>", "<</Contents 4 0 R>>", stream("", "BT /F1 10 Tf (one) Tj ET"), latin, "<</Contents[4 0 R 4 0 R]>>"), "one\f\noneone"},
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

// Files that are made to cost time or memory cost little, and those that lead in circles end.
func TestBounds(t *testing.T) {
	bomb := strings.Repeat("BT /F1 12 Tf (aaaaaaaaaaaaaaaa) Tj ET\n", 1_000_000)
	for name, data := range map[string][]byte{
		"unpacks to much":   onePage(latin, bomb),
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
	f.Add([]byte("%PDF-1.4 1 0 obj<</Root 1 0 R/Pages 1 0 R/Kids[1 0 R]>>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := pdf.Text(t.Context(), data)
		if !utf8.ValidString(text) || err == nil && strings.TrimSpace(text) == "" {
			t.Errorf("%q, %v", text, err)
		}
	})
}
