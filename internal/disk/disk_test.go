package disk_test

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/disk"
)

func TestRoom(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name string
		room disk.Room
		low  bool
	}{
		{"nothing is reserved", disk.Room{Path: dir}, false},
		{"no disk", disk.Room{Reserve: math.MaxInt64}, false},
		{"there is room", disk.Room{Path: dir, Reserve: 1}, false},
		{"there is none", disk.Room{Path: dir, Reserve: math.MaxInt64}, true},
	} {
		err := tt.room.Check()
		low, is := errors.AsType[*disk.Low](err)
		if is != tt.low || is && (akitad.KindOf(err) != akitad.Overloaded || low.Free <= 0) || !is && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if err := (disk.Room{Path: filepath.Join(dir, "gone"), Reserve: 1}).Check(); err == nil || errors.As(err, new(*disk.Low)) {
		t.Errorf("a folder that is gone: %v", err)
	}
}
