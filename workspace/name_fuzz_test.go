package workspace_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad/workspace"
)

// Whatever a name looks like, what is written under it lies in the folder, and is read back.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"a", "a/b", "../x", "/etc/x", "a/../../x", "a//b/./c", "..", "a\\..\\b", "…/x", "a\x00b", ".akita-part-x", "~/x", "C:x"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		root := t.TempDir()
		w, err := workspace.Open(root)
		must(t, err)
		d := open(t, w, "x")
		written := d.WriteFile(name, []byte("fuzz")) == nil
		if data, err := d.ReadFile(name); (err == nil) != written || written && string(data) != "fuzz" {
			t.Errorf("%q: written %v, read back %q, %v", name, written, data, err)
		}
		must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && !strings.HasPrefix(path, d.Path()+"/") {
				t.Errorf("%q made %s", name, path)
			}
			return err
		}))
	})
}
