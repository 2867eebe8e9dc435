package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
)

// journalAt is where the journals of a drill are: in the home of a house, or on a server.
type journalAt struct{ dir, url string }

// row is what the kills of one kind of process by one signal did.
type row struct {
	kills, cut, claims, void, unknown int
	longest                           time.Duration
}

// verdict is what a drill came to.
type verdict struct {
	rows                                      map[string]*row // by victim and signal
	tasks, claims, void, unknown, twice, lost int
}

// report looks at every journal and every file, and prints what it finds as a table.
func (d *drill) report(at journalAt) {
	d.t.Helper()
	b := bustest.Open(d.t, bus.Options{Dir: dataOf(at.dir), URL: at.url, ClaimTTL: drillTTL})
	j := journal.New(b, "judge")
	v := &verdict{rows: map[string]*row{}}
	for _, down := range d.done {
		v.row(down).kills++
	}
	messages := d.chats()
	roots, named := 0, map[string]akitad.TaskID{} // by their answer
	for _, id := range d.tasks(b) {
		var events []akitad.Event
		task := journal.NewTask(id)
		if err := j.Events(d.t.Context(), id, 0, func(e akitad.Event) error { events = append(events, e); return nil }); err != nil {
			d.t.Fatal(err)
		}
		d.look(v, task, events)
		if task.IsRoot() {
			roots++
			named["done "+strings.Fields(task.Sub.Text)[1]] = id
		}
	}
	for chat, answers := range d.want {
		for _, a := range answers {
			d.lined[fmt.Sprint("of chat ", chat)] = append(d.lined[fmt.Sprint("of chat ", chat)], named[a])
		}
	}
	if roots != len(d.asks)+messages {
		d.t.Errorf("%d messages became %d tasks", len(d.asks)+messages, roots)
	}
	d.inOrder(j)
	d.effects(v)
	d.table(v)
}

// dataOf is where a house keeps its streams.
func dataOf(home string) string {
	if home == "" {
		return ""
	}
	return config.Layout(home).Data
}

// tasks lists all that there are.
func (d *drill) tasks(b *bus.Bus) (ids []akitad.TaskID) {
	seen := map[akitad.TaskID]bool{}
	err := b.ScanTasks(d.t.Context(), []string{"akita.task.>"}, 0, func(s bus.Stored) error {
		id := akitad.TaskID(strings.Split(s.Subject, ".")[2])
		if !seen[id] {
			seen[id], ids = true, append(ids, id)
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return ids
}

// look folds one journal, event by event, and holds it to what was promised.
func (d *drill) look(v *verdict, task *journal.Task, events []akitad.Event) {
	next, ends := 0, 0
	for at, e := range events {
		from := next
		for next < len(d.done) && d.done[next].at.Before(e.At) {
			next++
		}
		v.interrupted(d.done[from:next], task, e)
		rounds, void := len(task.Rounds), task.Voided
		var thought uint64
		if rounds > 0 {
			thought = task.Rounds[rounds-1].Epoch
		}
		if err := task.Apply(e); err != nil {
			d.t.Errorf("%s: event %d: %v", task.ID, at, err)
			return
		}
		switch {
		case task.Voided > void:
			v.last(d.done[:next]).void++
		case e.Kind == journal.Claimed:
			v.last(d.done[:next]).claims++
		case e.Kind == journal.Completed, e.Kind == journal.Failed, e.Kind == journal.Cancelled:
			ends++
		case e.Kind == journal.Round && thought != e.Epoch:
			d.rerun(v, v.last(d.done[:next]), task)
		}
	}
	v.tasks, v.claims, v.void = v.tasks+1, v.claims+task.Claims, v.void+task.Voided
	if name := strings.Fields(task.Sub.Text)[1]; ends != 1 || task.State != akitad.Completed || task.Result.Text != "done "+name {
		d.t.Errorf("%s (%s) has %d ends and is %s (%s) with %+v %+v", task.ID, task.Sub.Text, ends, task.State, task.Reason, task.Result, task.Error)
		v.lost++
	}
}

// rerun looks at a round that another claim had begun: no call that had begun there may have been made again. Each one
// is on record as begun before it is made; those of a plan's steps by their thought.
func (d *drill) rerun(v *verdict, r *row, task *journal.Task) {
	round := task.Rounds[len(task.Rounds)-1]
	for _, o := range round.Results {
		begun := 0
		for _, c := range round.Begun {
			if c == o.Call {
				begun++
			}
		}
		switch {
		case o.Tool != "write_file" && o.Tool != "run_shell", round.Thought.Begins && begun == 1 && o.Error == nil:
		case o.Error != nil && o.Error.Kind == akitad.Unknown:
			v.unknown++
			r.unknown++
		default:
			d.t.Errorf("%s: %s was made again after a crash: %q", task.ID, o.Call, o.Text)
			v.twice++
		}
	}
}

func (v *verdict) row(d downtime) *row {
	name := d.victim + " | " + signalName(d.signal)
	if v.rows[name] == nil {
		v.rows[name] = &row{}
	}
	return v.rows[name]
}

func signalName(s syscall.Signal) string {
	if s == syscall.SIGTERM {
		return "TERM"
	}
	return "KILL"
}

// last is the row of the newest kill so far.
func (v *verdict) last(done []downtime) *row {
	if len(done) == 0 {
		return &row{} // before any
	}
	return v.row(done[len(done)-1])
}

// interrupted counts a task that kills cut off, and how long it was from the last of them until the next
// thing happened to it: lives may be too short to come round to every task. A kill of a model or a NATS
// server cuts off all that run; that of a node, those that it ran.
func (v *verdict) interrupted(kills []downtime, task *journal.Task, next akitad.Event) {
	kills = slices.DeleteFunc(slices.Clone(kills), func(d downtime) bool {
		return task.State != akitad.Running || d.node != "" && task.Claim.Node != d.node
	})
	for i, d := range kills {
		r := v.row(d)
		r.cut++
		if i == len(kills)-1 {
			r.longest = max(r.longest, next.At.Sub(d.at))
		}
	}
}

// inOrder checks that a session's tasks followed each other, each begun when the one before had ended.
func (d *drill) inOrder(j *journal.Journal) {
	for name, ids := range d.lined {
		var before *journal.Task
		for i, id := range ids {
			task, err := j.Load(d.t.Context(), id)
			if err != nil {
				d.t.Fatal(err)
			}
			if before != nil && (task.Sub.Follows != before.ID || task.Started.Before(before.Ended)) {
				d.t.Errorf("session %s: task %d began at %s before the last one ended at %s (follows %s)", name, i, task.Started, before.Ended, task.Sub.Follows)
			}
			before = task
		}
	}
}

// effects checks that no line was written twice into any file of any home.
func (d *drill) effects(v *verdict) {
	files := 0
	for _, p := range d.all {
		found, err := filepath.Glob(filepath.Join(config.Layout(p.home()).Files, "*", "effects-*.txt"))
		if err != nil {
			d.t.Fatal(err)
		}
		files += len(found)
		for _, f := range found {
			body, err := os.ReadFile(f)
			if err != nil {
				d.t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(body)), "\n")
			slices.Sort(lines)
			if n := len(lines); n != len(slices.Compact(lines)) {
				d.t.Errorf("%s: an effect happened twice: %q", f, body)
				v.twice++
			}
		}
	}
	if files == 0 {
		d.t.Error("no task wrote anything")
	}
}

// table prints what the drill came to, as Markdown.
func (d *drill) table(v *verdict) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, SEED=%d: %d kills, %d programs of tools cut off\n", d.t.Name(), d.seed, len(d.done), d.seen)
	b.WriteString("| victim | signal | kills | tasks cut off | claims | void events | calls of unknown outcome | longest recovery |\n|---|---|---|---|---|---|---|---|\n")
	names := make([]string, 0, len(v.rows))
	for name := range v.rows {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r := v.rows[name]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %.2f s |\n", name, r.kills, r.cut, r.claims, r.void, r.unknown, r.longest.Seconds())
	}
	fmt.Fprintf(&b, "%d tasks of %d requests and %d chat messages, %d claims, %d void events, %d calls of unknown outcome, %d placeholders left behind, %d duplicates, %d lost",
		v.tasks, len(d.asks), d.messages(), v.claims, v.void, v.unknown, d.behind, v.twice, v.lost)
	d.t.Log(b.String())
}

func (d *drill) messages() (n int) {
	for _, want := range d.want {
		n += len(want)
	}
	return n
}
