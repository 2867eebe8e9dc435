package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
)

// shelfOf is a shelf on which some files cannot be put.
type shelfOf map[string]error

func (s shelfOf) index(_ context.Context, d client.Document) (client.Knowledge, error) {
	return client.Knowledge{Name: d.Path, Chunks: 1, Changed: true}, s[filepath.Base(d.Path)]
}

func (shelfOf) find(context.Context, string, string, string, int) (client.Page[client.Knowledge], error) {
	return client.Page[client.Knowledge]{}, nil
}

func (shelfOf) remove(context.Context, string) error { return nil }

// What one file does to the adding of a folder: the others are indexed, what was indexed is told, and the end says that
// something failed. What is not about the file ends it, and is told as well.
func TestAddGoesOn(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	odd, bad := akitad.Errorf(akitad.Unavailable, "input/output error"), akitad.Errorf(akitad.InvalidRequest, "is empty")
	for _, tt := range []struct {
		name   string
		shelf  shelfOf
		want   string // "" for nothing printed
		failed error
	}{
		{"all well", nil, "indexed 5 files (5 chunks), unchanged 0, skipped 0", nil},
		{"not fit", shelfOf{"b": bad}, "indexed 4 files (4 chunks), unchanged 0, skipped 1", nil},
		{"one cannot be read", shelfOf{"b": odd}, "indexed 4 files (4 chunks), unchanged 0, skipped 0", odd},
		{"two, and one that is not fit", shelfOf{"a": odd, "b": odd, "c": bad, "d": odd}, "indexed 1 file (1 chunk), unchanged 0, skipped 1", odd},
		{"three in a row", shelfOf{"b": odd, "c": odd, "d": odd}, "indexed 1 file (1 chunk), unchanged 0, skipped 0", odd},
		{"no room", shelfOf{"c": akitad.Errorf(akitad.Overloaded, "full")}, "indexed 2 files (2 chunks), unchanged 0, skipped 0", akitad.Errorf(akitad.Overloaded, "")},
		{"the daemon goes", shelfOf{"c": client.NoDaemon(client.ErrNoDaemon)}, "", client.ErrNoDaemon},
	} {
		var out, said bytes.Buffer
		err := addAll(t.Context(), environment{Stdout: &out, Stderr: &said}, tt.shelf, []string{dir}, false)
		if got := strings.TrimSpace(out.String()); got != tt.want {
			t.Errorf("%s: printed %q, want %q", tt.name, got, tt.want)
		}
		if (err != nil) != (tt.failed != nil) || tt.failed != nil && !errors.Is(err, tt.failed) && akitad.KindOf(err) != akitad.KindOf(tt.failed) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.failed)
		}
	}
}
