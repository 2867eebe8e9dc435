package memory

import (
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/akitad/akitad"
)

const (
	peopleDir = "people"
	topicsDir = "topics"
	userFile  = "USER.md"
	mainFile  = "MEMORY.md"
)

// folderName makes a person's id a name that is safe in every file system and belongs to no other
// person: "telegram:1001" becomes "telegram@1001", other unusual bytes %xx. An id of more than 120
// bytes after that is hashed to "=" and its digest, and the USER.md in it begins with the id.
func folderName(person string) string {
	var b strings.Builder
	for i := range len(person) {
		c := person[i]
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		case c == ':':
			b.WriteByte('@')
		default:
			b.WriteString("%" + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
		}
	}
	if b.Len() > 120 {
		return "=" + akitad.Digest(person)
	}
	return b.String()
}

// personOf undoes folderName; hashed and foreign names give "".
func personOf(folder string) string {
	person, err := url.PathUnescape(strings.ReplaceAll(folder, "@", ":"))
	if err != nil || folderName(person) != folder {
		return ""
	}
	return person
}

// title is the line that a new file begins with. It is a heading, and so no entry. In a hashed folder
// it is the person's id, escaped, so that the folder can be read without knowing whose it is.
func title(owner, name string) string {
	switch {
	case strings.HasPrefix(folderName(owner), "="):
		return "# " + url.PathEscape(owner)
	case path.Base(name) == userFile:
		return "# What is remembered about " + clean(owner)
	case path.Base(name) == mainFile:
		return "# Memory"
	}
	return "# " + strings.TrimSuffix(path.Base(name), ".md")
}

// personIn gives the person whose folder this is, "" for a folder that is nobody's.
func (m *Memory) personIn(folder string) string {
	if !strings.HasPrefix(folder, "=") {
		return personOf(folder)
	}
	dir := path.Join(peopleDir, folder)
	found, err := fs.ReadDir(m.root.FS(), dir)
	if err != nil {
		return ""
	}
	for _, f := range found {
		if !isNote(f.Name()) {
			continue
		}
		data, err := readFile(m.root, path.Join(dir, f.Name()))
		head, _, _ := strings.Cut(string(data), "\n")
		person, perr := url.PathUnescape(strings.TrimSpace(strings.TrimPrefix(head, "# ")))
		if err == nil && perr == nil && folderName(person) == folder {
			return person
		}
	}
	return ""
}
