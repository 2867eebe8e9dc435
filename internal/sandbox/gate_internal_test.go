package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A daemon that dies while it starts a program tells it neither to go on nor to begin: bwrap goes on
// all the same, and nothing would end with the daemon what it starts then.
func TestAProgramThatNobodyTellsToBegin(t *testing.T) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return // the other rung has no such moment
	}
	for name, tell := range map[string]string{"nobody": "", "somebody": "go\n"} {
		l, err := makeLayout(nil)
		if err != nil {
			t.Fatal(err)
		}
		c := Command{Argv: []string{"/bin/sh", "-c", "echo ran > ran"}, Dir: t.TempDir()}
		var ends pipes
		_, err = ends.from()
		for _, text := range []string{"", tell} {
			if err == nil {
				var w *os.File
				if w, err = ends.to(); err == nil {
					_, err = w.WriteString(text)
				}
			}
		}
		if err == nil {
			err = ends.texts(l)
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd := &exec.Cmd{Path: bwrap, Args: append([]string{"bwrap"}, bubblewrapArgs(l, c)...), Env: environment(nil), ExtraFiles: ends.theirs}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ends.closeTheirs()
		for _, w := range ends.ours[1:] { // bwrap may go on to report on the first
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		err = cmd.Wait()
		if err := ends.ours[0].Close(); err != nil {
			t.Fatal(err)
		}
		_, missing := os.Stat(filepath.Join(c.Dir, "ran"))
		if ran := missing == nil; ran != (tell != "") {
			t.Errorf("%s tells it to begin: it ran %v (%v)", name, ran, err)
		}
	}
}
