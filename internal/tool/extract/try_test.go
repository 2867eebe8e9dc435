package extract_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool/extract"
)

type tdir struct{ root string }

func (d tdir) Open(n string) (fs.File, error) { return os.DirFS(d.root).Open(n) }
func (d tdir) Files() (out []akitad.File, err error) {
	err = fs.WalkDir(os.DirFS(d.root), ".", func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			out = append(out, akitad.File{Name: p})
		}
		return err
	})
	return
}

func TestTry(t *testing.T) {
	var a extract.Args
	if err := json.Unmarshal([]byte(os.Getenv("ARGS")), &a); err != nil {
		t.Fatal(err)
	}
	s, err := extract.Run(context.Background(), tdir{os.Getenv("DIR")}, a)
	fmt.Println(s, err)
}
