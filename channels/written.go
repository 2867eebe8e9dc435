package channels

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

const (
	// maxUnnamed is how many written files go with an answer that names none of them.
	maxUnnamed = 5
	// maxNamed is how many go with one that names them.
	maxNamed = 10
)

// files are those that go with an answer, each once: the result's own, and of the others that the task or
// its children wrote those that the answer names. An answer with neither takes all that were written, up
// to five. What was not stored is left out. kept is how many more were written that nobody is shown.
// Stickers come last, whatever the answer says, up to five.
func files(t *journal.Task) (out []akitad.File, kept int) {
	out, kept = work(t)
	stickers := 0
	for _, f := range t.Files {
		if isSticker(f) && stickers < maxUnnamed && named(out, f.Name) < 0 {
			out, stickers = append(out, f), stickers+1
		}
	}
	return out, kept
}

func isSticker(f akitad.File) bool { return f.Kind == akitad.FileSticker && f.Artifact != "" }

// work gives what files does but the stickers that the result does not name.
func work(t *journal.Task) (out []akitad.File, kept int) {
	written := writtenFor(t)
	for _, f := range t.Result.Artifacts {
		if at := named(t.Files, f.Name); f.Artifact == "" && at >= 0 {
			f.Artifact, f.Size, f.Kind = t.Files[at].Artifact, t.Files[at].Size, t.Files[at].Kind
		}
		if f.Artifact != "" && named(out, f.Name) < 0 {
			out = append(out, f)
		}
	}
	written = slices.DeleteFunc(written, func(f akitad.File) bool { return named(out, f.Name) >= 0 })
	most := maxNamed
	some := slices.DeleteFunc(slices.Clone(written), func(f akitad.File) bool { return !mentions(t.Result.Text, f.Name) })
	switch {
	case len(some) == 0 && len(out) > 0: // the agent has chosen
		return out, 0
	case len(some) == 0:
		some, most = written, maxUnnamed
	}
	going := some[:min(len(some), most)]
	return append(out, going...), len(some) - len(going)
}

// writtenFor gives the stored files that the task and its children wrote for the person: not those that
// the person sent, unless they were changed, and not what the work left behind for itself.
func writtenFor(t *journal.Task) []akitad.File {
	var out []akitad.File
	for _, f := range t.Files {
		sent := slices.ContainsFunc(t.Sub.Files, func(g akitad.File) bool { return g.Name == f.Name && g.Artifact == f.Artifact })
		if f.Artifact != "" && !sent && !isSticker(f) && !forItself(f.Name) {
			out = append(out, f)
		}
	}
	return out
}

// forItself reports whether a file's name says that it is no work for others: hidden, temporary, or a
// note on the progress of a step.
func forItself(name string) bool {
	for _, part := range strings.Split(name, "/") {
		switch lower := strings.ToLower(part); {
		case strings.HasPrefix(part, "."), lower == "tmp", lower == "temp", lower == "__pycache__":
			return true
		}
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".tmp", ".temp", ".bak", ".swp", ".pyc", ".part":
		return true
	}
	return strings.HasSuffix(name, "~") || journal.IsProgressNote(name)
}

// named gives the place of the file with that name; below 0 if there is none.
func named(list []akitad.File, name string) int {
	return slices.IndexFunc(list, func(f akitad.File) bool { return f.Name == name })
}

// mentions reports whether a text names a file, by its path or by its last part, as a word of its own.
func mentions(text, name string) bool {
	base := path.Base(name)
	for from := 0; ; {
		at := strings.Index(text[from:], base)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(base)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[from:])
		if !inName(before) && (!inName(after) || after == '.' && ended(text[from+1:])) {
			return true
		}
	}
}

// inName reports whether a character beside a file's name would make it another name. Han characters do
// not: no space stands before a name there.
func inName(r rune) bool {
	return r != utf8.RuneError && !unicode.Is(unicode.Han, r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '.')
}

// ended reports whether a full stop before rest ends a sentence.
func ended(rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return !inName(next)
}
