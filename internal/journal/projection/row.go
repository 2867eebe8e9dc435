package projection

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// TextLimit is the maximum number of characters of a task's text in a row; listings show no more.
const TextLimit = 500

// Row is one task in the list. Root, Parent, Depth, Session, Channel, Sender, Text and Created are stored
// when the row is added and never change.
type Row struct {
	ID       akitad.TaskID
	Root     akitad.TaskID // itself for a root task
	Parent   akitad.TaskID // empty for a root task
	Depth    int
	State    akitad.State
	Reason   string // of pending and waiting tasks
	Profile  string
	Session  akitad.SessionKey
	Channel  string // of the origin
	Sender   string
	Text     string // cut to TextLimit characters by Apply
	Created  time.Time
	Updated  time.Time  // of the last event
	Started  *time.Time // nil before the first claim
	Ended    *time.Time // nil while open
	Priority akitad.Priority
	Rounds   int
	Attempts int // number of agents and retries that have begun it
	Usage    akitad.Usage
	Seq      uint64  // stream sequence of the last event folded in
	Settled  bool    // the task has ended, and no event but its delivery will follow
	Spent    []Spent // the task's own usage, without its children; written by Apply, not returned by List
	// Delivered says that the answer has reached the person.
	Delivered bool
}

const columns = `id, root, parent, depth, state, reason, profile, session, channel, sender, text,
	created, updated, started, ended, priority, rounds, attempts, usage, seq, settled, delivered`

// A row that is applied again, or late, never replaces a newer one. The fields that never change are not
// updated, because writing them again would update five of the seven indexes.
const upsert = `INSERT INTO tasks (` + columns + `, folded)
	VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
	ON CONFLICT (id) DO UPDATE SET
	state = excluded.state, reason = excluded.reason, profile = excluded.profile,
	updated = excluded.updated, started = excluded.started, ended = excluded.ended,
	priority = excluded.priority, rounds = excluded.rounds, attempts = excluded.attempts, usage = excluded.usage, seq = excluded.seq,
	settled = excluded.settled, delivered = excluded.delivered
	WHERE excluded.seq >= tasks.seq`

// Apply stores the rows and moves the cursor in one transaction. It ignores a row whose Seq is below the
// stored one, and never moves the cursor back, so that the same events may be applied again after a
// crash.
func (p *Projection) Apply(ctx context.Context, rows []Row, cursor uint64) error {
	return p.db.Change(ctx, "apply to projection", func(tx *sql.Tx) error {
		put, err := tx.PrepareContext(ctx, upsert)
		if err != nil {
			return err
		}
		defer put.Close()
		usage, err := tx.PrepareContext(ctx, putUsage)
		if err != nil {
			return err
		}
		defer usage.Close()
		for _, r := range rows {
			values, err := r.values()
			if err != nil {
				return err
			}
			done, err := put.ExecContext(ctx, values...)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil || n == 0 {
				continue // a newer row is there, with a newer ledger
			}
			if err := spend(ctx, usage, r); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE feed SET cursor = max(cursor, ?)`, int64(cursor))
		return err
	})
}

func (r Row) values() ([]any, error) {
	usage, err := json.Marshal(r.Usage)
	if err != nil {
		return nil, err
	}
	text := firstRunes(strings.ToValidUTF8(r.Text, "\uFFFD"), TextLimit)
	return []any{
		string(r.ID), string(r.Root), string(r.Parent), r.Depth, string(r.State), r.Reason, r.Profile,
		string(r.Session), r.Channel, r.Sender, text, nanos(&r.Created), nanos(&r.Updated),
		nanos(r.Started), nanos(r.Ended), string(r.Priority), r.Rounds, r.Attempts, string(usage), int64(r.Seq),
		r.Settled, r.Delivered, fold(text),
	}, nil
}

type scanner interface{ Scan(into ...any) error }

func scan(from scanner) (r Row, err error) {
	var created, updated, started, ended, seq int64
	var usage []byte
	err = from.Scan(&r.ID, &r.Root, &r.Parent, &r.Depth, &r.State, &r.Reason, &r.Profile, &r.Session,
		&r.Channel, &r.Sender, &r.Text, &created, &updated, &started, &ended, &r.Priority, &r.Rounds, &r.Attempts,
		&usage, &seq, &r.Settled, &r.Delivered)
	if err != nil {
		return r, err
	}
	r.Created, r.Updated, r.Seq = instant(created), instant(updated), uint64(seq)
	if started != 0 {
		r.Started = new(instant(started))
	}
	if ended != 0 {
		r.Ended = new(instant(ended))
	}
	return r, json.Unmarshal(usage, &r.Usage)
}

// nanos returns nanoseconds since 1970. No time is 0: the zero time.Time is outside the range of nanoseconds.
func nanos(t *time.Time) int64 {
	if t == nil || t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func instant(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// fold makes text and query comparable without regard to letter case, in any script.
func fold(s string) string { return strings.ToLower(s) }
