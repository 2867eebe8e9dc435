package sandbox

import (
	"errors"
	"maps"
	"os"
	"slices"
)

// pipes are the extra files between us and a sandbox: our ends, and theirs in the order of their
// descriptors from 3 up.
type pipes struct{ ours, theirs []*os.File }

// from adds a pipe that we read.
func (p *pipes) from() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.ours, p.theirs = append(p.ours, r), append(p.theirs, w)
	return r, nil
}

// to adds a pipe that we write.
func (p *pipes) to() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.ours, p.theirs = append(p.ours, w), append(p.theirs, r)
	return w, nil
}

// files adds one pipe per text, in order of the names. Texts must fit a pipe's buffer (4 KiB at least).
func (p *pipes) files(texts map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		p.theirs = append(p.theirs, r)
		_, err = w.WriteString(texts[name])
		if err := errors.Join(err, w.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (p *pipes) closeTheirs() {
	for _, f := range p.theirs {
		f.Close()
	}
	p.theirs = nil
}

func (p *pipes) closeOurs() error {
	var err error
	for _, f := range p.ours {
		err = errors.Join(err, f.Close())
	}
	p.ours = nil
	return err
}
