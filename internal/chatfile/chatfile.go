// Package chatfile has the rules for files that people send in chats: what they may be called and
// how large they may be. It stores nothing.
package chatfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"

	"github.com/akitad/akitad"
)

// maxName is the most bytes that a file's name may have in a folder.
const maxName = 120

// Name makes of a name that a person chose one that names a file in a folder and nothing else, and reads
// as it is; it is fallback if nothing is left.
func Name(name, fallback string) string {
	name = strings.Map(safe, strings.ToValidUTF8(strings.ReplaceAll(name, `\`, "/"), "_"))
	name = strings.Trim(path.Base(path.Clean("/"+name)), "/")
	name = strings.TrimLeftFunc(name, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
	return cmp.Or(shorten(strings.TrimSpace(name)), fallback)
}

// safe returns a letter as it may stand in a name. What turns the direction of writing goes: by it an ending
// looks like another one.
func safe(r rune) rune {
	switch {
	case unicode.Is(unicode.Bidi_Control, r):
		return -1
	case unicode.IsControl(r), strings.ContainsRune(`:*?"<>|`, r):
		return '_'
	}
	return r
}

// shorten keeps the extension.
func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > 20 {
		return ""
	}
	return strings.ToValidUTF8(name[:maxName-len(ext)], "") + ext
}

// Apart returns the files of one message different names, by numbers before the extension.
func Apart(files []akitad.File) []akitad.File {
	seen := map[string]bool{}
	for i := range files {
		name := files[i].Name
		ext := path.Ext(name)
		for n := 2; seen[files[i].Name]; n++ {
			files[i].Name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
		}
		seen[files[i].Name] = true
	}
	return files
}

// Bound returns body, which fails with invalid_request where it gets longer than limit bytes.
func Bound(body io.ReadCloser, limit int64) io.ReadCloser {
	return &bounded{ReadCloser: body, limit: limit, left: limit}
}

type bounded struct {
	io.ReadCloser
	limit, left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, TooLarge(b.limit)
	}
	return n, err
}

// errTooLarge is inside of what TooLarge gives.
var errTooLarge = errors.New("the file is too large")

// TooLarge is the error for a file of more than limit bytes.
func TooLarge(limit int64) error {
	return akitad.Errorf(akitad.InvalidRequest, "%w: it has more than %d MB", errTooLarge, limit>>20)
}

// IsTooLarge reports that err is one of TooLarge's.
func IsTooLarge(err error) bool { return errors.Is(err, errTooLarge) }

// ReadAll reads what a file may have, and fails with invalid_request if there is more.
func ReadAll(body io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, TooLarge(limit)
	}
	return data, err
}

// Load opens a file that goes into a chat and reads it, as ReadAll does.
func Load(ctx context.Context, f akitad.File, limit int64, open func(context.Context, akitad.File) (io.ReadCloser, error)) ([]byte, error) {
	body, err := open(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", f.Name, err)
	}
	defer body.Close()
	data, err := ReadAll(body, limit)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", f.Name, err)
	}
	return data, nil
}

// Picture reports whether chats show a file of that name as a picture.
func Picture(f akitad.File) bool {
	switch strings.ToLower(path.Ext(f.Name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp":
		return true
	}
	return f.Kind == akitad.FilePhoto
}
