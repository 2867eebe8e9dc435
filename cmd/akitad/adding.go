package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/knowledge"
)

// addAll indexes what the paths name. A file that is named itself and cannot be indexed is an error, after all
// others have been.
func addAll(ctx context.Context, env environment, s shelf, paths []string, asJSON bool) error {
	a := newAdding(s)
	return a.end(env, asJSON, a.paths(ctx, paths))
}

// adding is what came of adding so far.
type adding struct {
	indexed
	shelf  shelf
	failed error // of single files
	odd    int   // failures, one after the other, of which it is not clear that they are a file's own
}

// oddMost is how many such failures end it: then it is not about the files.
const oddMost = 3

func newAdding(s shelf) *adding {
	return &adding{shelf: s, indexed: indexed{Items: []client.Knowledge{}, Skipped: []knowledge.Skip{}}}
}

// paths indexes all files of the paths. An error is one that leaves nothing to go on with.
func (a *adding) paths(ctx context.Context, paths []string) error {
	for _, path := range paths {
		files, skipped, err := knowledge.Files(path)
		a.failed = errors.Join(a.failed, err)
		a.Skipped = append(a.Skipped, skipped...)
		for _, file := range files {
			err := a.add(ctx, file)
			if err != nil && file != path && ownFault(err) {
				a.skip(file, strings.TrimLeft(strings.TrimPrefix(err.Error(), file), ": "))
				continue
			}
			if err := a.fail(ctx, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// again indexes files that are indexed already. One that is gone is no failure: what was read of it is still there.
func (a *adding) again(ctx context.Context, files []string) error {
	for _, file := range files {
		err := a.add(ctx, file)
		if akitad.KindOf(err) == akitad.NotFound {
			a.skip(file, fmt.Sprintf("it is gone, and what was read of it is still quoted; take it out with: akitad index rm %q", file))
			continue
		}
		if err := a.fail(ctx, err); err != nil {
			return err
		}
	}
	return nil
}

func (a *adding) add(ctx context.Context, file string) error {
	k, err := addOne(ctx, a.shelf, file)
	if err == nil {
		a.Items = append(a.Items, k)
	}
	if err == nil || ownFault(err) {
		a.odd = 0
	}
	return err
}

func (a *adding) skip(file, why string) {
	a.Skipped = append(a.Skipped, knowledge.Skip{Name: file, Reason: why})
}

// fail keeps a file's error for the end, or gives it back if no other file would fare better.
func (a *adding) fail(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if !ownFault(err) {
		a.odd++
	}
	if ctx.Err() != nil || errors.Is(err, client.ErrNoDaemon) || akitad.KindOf(err) == akitad.Overloaded || a.odd >= oddMost {
		return err
	}
	a.failed = errors.Join(a.failed, err)
	return nil
}

// end prints what came of it, whatever ended it. Without a daemon all is done once more, and printed then.
func (a *adding) end(env environment, asJSON bool, err error) error {
	if errors.Is(err, client.ErrNoDaemon) {
		return err
	}
	return errors.Join(a.print(env, asJSON), a.failed, err)
}

// ownFault reports whether an error is for sure one of the file.
func ownFault(err error) bool {
	kind := akitad.KindOf(err)
	return kind == akitad.InvalidRequest || kind == akitad.NotFound || kind == akitad.PermissionDenied
}

func addOne(ctx context.Context, s shelf, file string) (client.Knowledge, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return client.Knowledge{}, err
	}
	return s.index(ctx, client.Document{Path: abs})
}
