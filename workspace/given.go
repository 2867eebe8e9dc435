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

// Place writes a given file into the folder, read-only. It replaces a given file of the same name, also if a
// program has changed that one. If the agent has made a file of that name, the error is invalid_request.
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
	// Record first: after a crash in between, the next Place still knows that the file was given.
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

// given returns the names of the given files with the hashes of their content.
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

// record stores that a name is a given file with the given content.
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

// Given reports whether a file is a given file.
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
