package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Place puts a file given with a task into the folder, read-only. The same bytes again are fine;
// other bytes replace an earlier given file of the name, and so does the original if a program
// changed it. A file of that name that the agent made is never overwritten: invalid_request.
func (d *Dir) Place(name string, data []byte) error {
	const op = "place"
	name, err := clean(op, name)
	if err != nil {
		return err
	}
	d.folder.mu.Lock()
	defer d.folder.mu.Unlock()
	given, err := d.given()
	if err != nil {
		return err
	}
	if d.same(name, data) {
		return d.record(given, name, data)
	}
	if err := d.mayPlace(op, name, given); err != nil {
		return err
	}
	// The record comes first: after a crash in between the next Place still knows the name as its own.
	if err := d.record(given, name, data); err != nil {
		return err
	}
	return d.replace(op, name, 0o400, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func (d *Dir) mayPlace(op, name string, given map[string]string) error {
	if _, ok := given[name]; ok {
		return nil
	}
	_, err := d.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return classify(op, name, err)
	}
	return invalid(op, name, errors.New("exists already"), "give the file another name")
}

// given reads the names of the given files and the hashes of their content.
func (d *Dir) given() (map[string]string, error) {
	given := map[string]string{}
	data, err := os.ReadFile(d.givenPath())
	if errors.Is(err, fs.ErrNotExist) {
		return given, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &given)
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of given files: %w", err)
	}
	return given, nil
}

// record notes that a name is a given file with this content.
func (d *Dir) record(given map[string]string, name string, data []byte) error {
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:])
	if given[name] == hash {
		return nil
	}
	given[name] = hash
	text, err := json.Marshal(given)
	if err != nil {
		return fmt.Errorf("note given file: %w", err)
	}
	return writeWhole(d.givenPath(), text)
}

func (d *Dir) givenPath() string { return filepath.Join(d.home, "given", d.name+".json") }

// Given reports whether a file was given with a task.
func (d *Dir) Given(name string) (bool, error) {
	name, err := clean("stat", name)
	if err != nil {
		return false, err
	}
	given, err := d.given()
	if err != nil {
		return false, err
	}
	_, ok := given[name]
	return ok, nil
}
