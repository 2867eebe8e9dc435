package orchestrator

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// rollbackWait is how long one node may take to undo a task's files.
const rollbackWait = time.Minute

// Rollback restores the files of an ended root task to their state before its first write, on every node that
// has run it, and returns which files were restored and which removed. A second call changes nothing. The
// error is a Conflict if the task has not ended or is delegated, if its snapshot is gone, or if a node cannot
// be reached.
func (o *Orchestrator) Rollback(ctx context.Context, id akitad.TaskID) (journal.RolledBackData, error) {
	none := journal.RolledBackData{Restored: []string{}, Removed: []string{}}
	t, err := o.known(ctx, id)
	switch {
	case err != nil:
		return none, err
	case !t.IsRoot():
		return none, conflictf("roll back its root: akitad task rollback "+string(t.Sub.Root), "task %s was delegated and belongs to %s", id, t.Sub.Root)
	case !t.Final():
		return none, conflictf("cancel it first, or wait for its end", "task %s is %s", id, t.State)
	}
	if t, err = o.whole(ctx, t); err != nil {
		return none, err
	}
	if absent, err := o.absent(ctx, t.Nodes); err != nil || len(absent) > 0 {
		return none, firstOf(err, conflictf("start it, then try again", "the files of task %s are on node %s, which is not there", id, strings.Join(absent, ", ")))
	}
	done := none
	for _, node := range t.Nodes {
		did, err := o.rollbackOn(ctx, node, t)
		if err != nil {
			return done, err
		}
		done.Restored, done.Removed = merged(done.Restored, did.Restored), merged(done.Removed, did.Removed)
	}
	moved, tries := error(nil), t.Retries
	err = o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		switch {
		case !t.Final(), t.Retries != tries:
			moved = conflictf("cancel it, or wait for its end, then roll it back again", "task %s was retried while its files were undone", id)
			return nil
		case t.RolledBack:
			return nil
		}
		return &journal.Decision{Kind: journal.RolledBack, Data: done}
	})
	return done, firstOf(err, moved)
}

func merged(have, more []string) []string {
	have = append(have, more...)
	slices.Sort(have)
	return slices.Compact(have)
}

// absent returns the nodes that do not answer.
func (o *Orchestrator) absent(ctx context.Context, nodes []string) (out []string, err error) {
	for _, node := range nodes {
		if _, found, err := o.askNode(ctx, node, journal.FolderAsk{}); err != nil {
			return nil, err
		} else if !found {
			out = append(out, node)
		}
	}
	return out, nil
}

func (o *Orchestrator) askNode(ctx context.Context, node string, ask journal.FolderAsk) (out journal.FolderAnswer, found bool, err error) {
	body, err := json.Marshal(ask)
	if err != nil {
		return out, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, rollbackWait)
	defer cancel()
	answer, found, err := o.Bus.AskNode(ctx, node, body)
	if err == nil && found {
		err = json.Unmarshal(answer, &out)
	}
	return out, found, err
}

// rollbackOn asks one node to undo the files that the task and its children wrote there.
func (o *Orchestrator) rollbackOn(ctx context.Context, node string, t *journal.Task) (journal.RolledBackData, error) {
	ask := journal.FolderAsk{Task: t.ID, Folder: t.Sub.Folder}
	for _, f := range t.Files {
		ask.Files = append(ask.Files, f.Name)
	}
	out, found, err := o.askNode(ctx, node, ask)
	switch {
	case err != nil:
		return out.RolledBackData, err
	case !found:
		return out.RolledBackData, conflictf("start it, then try again", "node %s, which has files of task %s, is not there any more", node, t.ID)
	case out.Error != nil && out.Error.Kind == akitad.NotFound:
		return out.RolledBackData, conflictf(out.Error.Hint, "node %s has no snapshot of task %s any more", node, t.ID)
	}
	return out.RolledBackData, out.Error.Err()
}
