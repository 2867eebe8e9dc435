package knowledge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pdf"
	"github.com/akitad/akitad/internal/rows"
)

// Kind is how a document is cut.
type Kind string

// The kinds. Pages is the text of a PDF.
const (
	Markdown Kind = "markdown"
	Code     Kind = "code"
	JSON     Kind = "json"
	Log      Kind = "log"
	CSV      Kind = "csv"
	Pages    Kind = "pages"
	Text     Kind = "text"
)

var kinds = map[string]Kind{
	".md": Markdown, ".markdown": Markdown, ".mdx": Markdown, ".json": JSON, ".log": Log, ".csv": CSV, ".tsv": CSV, ".txt": Text, ".rst": Text,
}

// codeEndings are those of programs and of what is written like them.
const codeEndings = " .go .py .js .mjs .cjs .jsx .ts .tsx .java .kt .kts .scala .c .h .cc .cpp .hpp .cs .rs .rb .php .swift .m .sh .bash .zsh .ps1 .sql .lua .pl .r .jl .dart .ex .exs .erl .hs .clj .proto .tf .html .css .scss .xml .vue .svelte "

// KindOf finds how a document is to be cut, by its name's ending and else by how it begins.
func KindOf(name string, data []byte) Kind {
	ending := strings.ToLower(filepath.Ext(name))
	if kind, ok := kinds[ending]; ok && kind != Text {
		return kind
	}
	if ending != "" && strings.Contains(codeEndings, " "+ending+" ") {
		return Code
	}
	head := data[:min(len(data), 64<<10)]
	if begin := bytes.TrimSpace(head); len(begin) > 0 && (begin[0] == '{' || begin[0] == '[') && byPath(string(data)) != nil {
		return JSON
	}
	switch rows.Detect(name, head) {
	case rows.CSV:
		if kinds[ending] != Text {
			return CSV
		}
	case rows.Log, rows.JSONL:
		return Log
	}
	return Text
}

// Document is what is to be indexed: the file at Path, or Data under a Name.
type Document struct {
	Path string
	Name string
	Data []byte
}

// read returns a document's name, its place if it is a file, its text and kind. Errors name the document and say
// what to do.
func (b *Base) read(ctx context.Context, d Document) (src Source, place, text string, err error) {
	if d.Path != "" {
		if place, err = canonical(d.Path); err != nil {
			return src, "", "", unreadable(d.Path, err)
		}
		if err := b.forbidden(place); err != nil {
			return src, "", "", err
		}
		if d.Data, err = readFile(place); err != nil {
			return src, "", "", err
		}
		d.Name = place
	}
	if err := checkName(d.Name); err != nil {
		return src, "", "", err
	}
	if len(d.Data) > MaxFile {
		return src, "", "", tooLarge(d.Name, int64(len(d.Data)))
	}
	src = Source{ID: idOf(place, d.Name), Name: d.Name, File: place != "", Bytes: int64(len(d.Data))}
	src.Kind, text, err = textOf(ctx, d.Name, d.Data)
	return src, place, text, err
}

func checkName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return akitad.Errorf(akitad.InvalidRequest, "the document has no name").WithHint("give a name of its own, by which it is replaced and removed")
	case len(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return akitad.Errorf(akitad.InvalidRequest, "the name %.60q cannot be used", name).WithHint("use up to 512 bytes of text without control characters")
	}
	return nil
}

// canonical returns the one path of a file.
func canonical(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// forbidden refuses what lies in the private folder.
func (b *Base) forbidden(place string) error {
	if b.opts.Private == "" {
		return nil
	}
	home, err := canonical(b.opts.Private)
	if err != nil {
		return nil // then nothing lies there
	}
	if rel, err := filepath.Rel(home, place); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return akitad.Errorf(akitad.PermissionDenied, "%s lies in the home of akitad, which holds keys and what people said", place).
			WithHint("copy the document to another folder and add it from there")
	}
	return nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return nil, akitad.Errorf(akitad.InvalidRequest, "%s is a folder", path).WithHint("akitad index add takes folders: it adds each file in them")
	case !info.Mode().IsRegular():
		return nil, akitad.Errorf(akitad.InvalidRequest, "%s is no regular file", path).WithHint("add files that hold text")
	case info.Size() > MaxFile:
		return nil, tooLarge(path, info.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, unreadable(path, err)
	}
	return data, nil
}

func unreadable(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return akitad.Errorf(akitad.NotFound, "there is no file %s", path).WithHint("check the path; the daemon reads it on its own machine")
	case errors.Is(err, fs.ErrPermission):
		return akitad.Errorf(akitad.PermissionDenied, "%s cannot be read: %w", path, err).WithHint("let the user that runs akitad read it")
	}
	return akitad.Errorf(akitad.Unavailable, "%s cannot be read: %w", path, err).WithHint("check the file and try again")
}

func tooLarge(name string, size int64) error {
	return akitad.Errorf(akitad.InvalidRequest, "%s has %d bytes, at most %d are taken", name, size, int64(MaxFile)).
		WithHint("split it into smaller files")
}

// textOf returns the text of a document: that of a PDF's pages, else the bytes themselves, which must be UTF-8.
func textOf(ctx context.Context, name string, data []byte) (Kind, string, error) {
	if pdf.Is(data) {
		text, err := pdf.Text(ctx, data)
		if err != nil {
			return Pages, "", fmt.Errorf("%s: %w", name, err)
		}
		return Pages, strings.ToValidUTF8(text, "\uFFFD"), nil
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return Text, "", akitad.Errorf(akitad.InvalidRequest, "%s is empty", name).WithHint("there is nothing to index")
	case bytes.IndexByte(data, 0) >= 0:
		return Text, "", akitad.Errorf(akitad.InvalidRequest, "%s is no text but binary data", name).WithHint("add the text of it: a .txt, .md or .pdf")
	case !utf8.Valid(data):
		return Text, "", akitad.Errorf(akitad.InvalidRequest, "%s is not UTF-8", name).WithHint("convert it, e.g.: iconv -f GB18030 -t UTF-8 FILE > NEW")
	}
	return KindOf(name, data), string(data), nil
}
