package knowledge

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
)

// lost says what became of a file of documents that made place for an empty one, of which the names of files are kept.
func lost(s *store, path string) string {
	what := fmt.Sprintf("the index of documents could not be used (%s) and is empty now; the old one is %s.broken: ", s.Rebuilt, path)
	if n := keepNames(s, path+".broken"); n > 0 {
		return what + fmt.Sprintf("akitad index reindex reads the files that it had (%d) again; what else it had must be added again with akitad index add", n)
	}
	return what + "add the documents again with akitad index add"
}

// keepNames lists in a new file, with nothing in them, the files that an old one had, and gives how many: from their
// names they can be read again. An old one that cannot be read gives none.
func keepNames(s *store, old string) int {
	files, err := filesOf(old)
	if err != nil || len(files) == 0 {
		return 0
	}
	err = s.Change(context.Background(), "keep the names of documents", func(tx *sql.Tx) error {
		for _, f := range files {
			if _, err := tx.Exec(`INSERT OR IGNORE INTO sources (id, name, place, kind, bytes, chunks, hash, indexed) VALUES (?, ?, ?, ?, ?, 0, '', ?)`,
				f.ID, f.Name, f.place, f.Kind, f.Bytes, f.indexed); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0
	}
	return len(files)
}

// oldFile is a file that another base had.
type oldFile struct {
	Source
	place   string
	indexed int64
}

func filesOf(path string) (out []oldFile, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String()+"?mode=ro&immutable=1")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.Query(`SELECT id, name, place, kind, bytes, indexed FROM sources WHERE place <> '' ORDER BY n`)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var f oldFile
		if err = rows.Scan(&f.ID, &f.Name, &f.place, &f.Kind, &f.Bytes, &f.indexed); err != nil {
			break
		}
		if f.ID == idOf(f.place, f.Name) { // else the file is damaged here
			out = append(out, f)
		}
	}
	return out, errors.Join(err, rows.Err(), rows.Close())
}
