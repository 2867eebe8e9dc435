package journal

import (
	"context"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// Artifact is content that a task keeps outside of its context.
type Artifact struct {
	Hash      string
	Body      []byte
	Untrusted bool // a task that refers to it has read untrusted text
}

// How many tasks Artifact searches at most: of the tree, and of the session before it.
const (
	maxTree    = 500
	maxSession = 20
)

// minName is the minimum number of digits of the hash by which an artifact can be found.
const minName = 8

// Artifact reads an artifact by its hash or the first 8 or more digits of it. It finds only artifacts that
// are referred to by the task itself, by a task of its tree, or by an earlier task of its session; all
// others are not_found, as if they did not exist. An ambiguous prefix is invalid_request.
func (j *Journal) Artifact(ctx context.Context, id akitad.TaskID, name string) (Artifact, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	if len(name) < minName || len(name) > 64 || strings.Trim(name, "0123456789abcdef") != "" {
		return Artifact{}, akitad.Errorf(akitad.InvalidRequest, "%q does not name an artifact", name).WithHint("give the hash as it stands in an earlier result, at least 8 digits of it")
	}
	s := search{j: j, name: name, seen: map[akitad.TaskID]bool{}}
	if err := s.around(ctx, id); err != nil {
		return Artifact{}, err
	}
	switch {
	case len(s.found) == 0:
		return Artifact{}, akitad.Errorf(akitad.NotFound, "no result of this task is kept as artifact %s", name).WithHint("use a hash that an earlier result names")
	case len(s.found) > 1:
		return Artifact{}, akitad.Errorf(akitad.InvalidRequest, "%d artifacts begin with %s", len(s.found), name).WithHint("give more digits of the hash: " + strings.Join(s.found, ", "))
	}
	body, err := j.bus.GetArtifact(ctx, s.found[0])
	return Artifact{Hash: s.found[0], Body: body, Untrusted: s.untrusted}, err
}

// search is one search for an artifact in the journals of tasks.
type search struct {
	j         *Journal
	name      string
	seen      map[akitad.TaskID]bool
	found     []string
	untrusted bool
}

// around searches the task, then its tree, then its session, until something is found.
func (s *search) around(ctx context.Context, id akitad.TaskID) error {
	t, err := s.look(ctx, id)
	if err != nil || len(s.found) > 0 {
		return err
	}
	root := t.Sub.Root
	clear(s.seen) // the children of the task were not searched yet
	if err := s.below(ctx, root); err != nil || len(s.found) > 0 {
		return err
	}
	top, err := s.j.Load(ctx, root)
	for n := 0; err == nil && n < maxSession && top.Sub.Follows != "" && len(s.found) == 0; n++ {
		top, err = s.look(ctx, top.Sub.Follows)
	}
	return err
}

// below searches a task and all tasks below it.
func (s *search) below(ctx context.Context, id akitad.TaskID) error {
	if id == "" || len(s.seen) >= maxTree {
		return nil
	}
	t, err := s.look(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range t.Children {
		if s.seen[c.ID] {
			continue
		}
		if err := s.below(ctx, c.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) look(ctx context.Context, id akitad.TaskID) (*Task, error) {
	t, err := s.j.Load(ctx, id)
	if err != nil || s.seen[id] {
		return t, err
	}
	s.seen[id] = true
	for _, hash := range t.Kept() {
		if !strings.HasPrefix(hash, s.name) {
			continue
		}
		s.untrusted = s.untrusted || t.Tainted
		if !slices.Contains(s.found, hash) {
			s.found = append(s.found, hash)
		}
	}
	return t, nil
}

// Kept returns the hashes of all artifacts that a task refers to, in no order and with repeats: long
// outputs, what was taken out of the window, files, long answers.
func (t *Task) Kept() (out []string) {
	add := func(hash string) {
		if hash != "" {
			out = append(out, hash)
		}
	}
	for _, r := range t.Rounds {
		for _, hash := range r.Thought.Kept {
			add(hash)
		}
		for _, o := range r.Results {
			add(o.Artifact)
		}
	}
	for _, d := range t.Reduced {
		add(d.Dump)
		for _, m := range d.Masks {
			add(m.Artifact)
		}
	}
	files := [][]akitad.File{t.Sub.Files, t.Files}
	results := []*akitad.Result{t.Result}
	for _, c := range t.Children {
		results = append(results, c.Result)
	}
	for _, r := range results {
		if r != nil {
			add(r.Whole)
			files = append(files, r.Artifacts)
		}
	}
	for _, f := range slices.Concat(files...) {
		add(f.Artifact)
	}
	return out
}
