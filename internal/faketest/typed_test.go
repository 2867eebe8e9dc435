package faketest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad/internal/faketest"
)

func TestFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := faketest.Fresh()
		time.Sleep(time.Minute)
		if n := faketest.Fresh() - before; n != 60 {
			t.Errorf("it grows by %d in a minute", n)
		}
	})
}

func TestFile(t *testing.T) {
	for typed, want := range map[string][2]string{
		"a.pdf":                  {"a.pdf", ""},
		" a.pdf  my list ":       {"a.pdf", "my list"},
		`"my list.pdf" look "x"`: {"my list.pdf", `look "x"`},
		`"open end`:              {`"open`, "end"},
		"":                       {"", ""},
	} {
		if path, words := faketest.File(typed); path != want[0] || words != want[1] {
			t.Errorf("%q: %q, %q", typed, path, words)
		}
	}
}
