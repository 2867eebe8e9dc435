package channels

import (
	"cmp"
	"context"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/lane"
)

// Commands serves what a person types with a leading slash. handled is false for words that are no
// command. An error means that the command could not be served now: the message is handed over again,
// so what a person did wrong is a reply. An empty reply sends nothing.
type Commands interface {
	Run(ctx context.Context, m akitad.Message) (reply string, handled bool, err error)
}

// Options tune a Gateway. The zero value works.
type Options struct {
	Commands  Commands      // nil: commands are words like any other
	SlowAfter time.Duration // an answer later than this is announced by a notifying message, default 30 s
	Grace     time.Duration // how long what is being sent may go on after the stop, default 5 s
	Log       *zap.Logger

	// Node is the name of this process among those on the NATS server, the same after a restart. If others reach the
	// server too, one node serves a channel at a time. Empty: this one does not ask who else does.
	Node string
	// Renew is how often a node says that it still serves a channel, default 10 s, and TTL after how long in silence
	// another one takes over, default 30 s; the same on all nodes, and at least twice Renew.
	Renew, TTL time.Duration

	// Access says who may talk through each channel, by its name, and PerSender in which channels each
	// sender of a group has a session of his own. Through a channel without Access nobody may talk.
	Access    map[string]*access.Door
	PerSender map[string]bool
	// LongAnswer is from how many bytes on an answer is sent as a file with a summary, by the channel's
	// name; 0 is never.
	LongAnswer map[string]int

	// Transcribe writes down what is said in a voice message; name has the ending of its format. Nil:
	// nothing is written down, and people are told so.
	Transcribe func(ctx context.Context, name string, audio []byte) (string, error)
	// Questions lets people answer by buttons, or by a choice's number. Nil: questions are text.
	Questions Questions
	// Running gives the task that has a session's turn; false if none has. Nil: none is known.
	Running func(ctx context.Context, session akitad.SessionKey) (akitad.TaskID, bool, error)

	// Language gives the language that people set for a session, and the one that they wrote there last;
	// both may be empty. Nil: a message is answered in its own language.
	Language func(ctx context.Context, session akitad.SessionKey) (set, spoke string, err error)

	// Room says by a *disk.Low that the disk is too full for new work: then a message is refused and
	// its sender told. Nil: there is room.
	Room func() error
	// Place tells a waiting task's place in its session's queue, from 1; 0 if it need not wait. Nil:
	// people are not told.
	Place func(ctx context.Context, session akitad.SessionKey, task akitad.TaskID) (int, error)
	// Open lists a channel's tasks that have not ended, so that their progress is shown again after a
	// restart. It may be incomplete. Nil: progress goes on with the next message.
	Open func(ctx context.Context, channel string) ([]akitad.TaskID, error)
}

// Gateway stands between channels and the spine: what people write goes into the inbox stream before
// it is acknowledged, and what tasks end with goes back, once, in order for each session. A home has
// one running Gateway, and of several homes on one NATS server one serves a channel at a time.
type Gateway struct {
	desks []*desk
}

// desk serves one channel. A message goes through it like this: receive takes it from the channel, judges it (admit) and
// stores it in the stream of raw messages; unpack takes it from there, makes it whole (albums, files, voice) and stores it for
// the orchestrator. An answer goes the other way: announce puts a placeholder and questions into the chat, watch shows
// progress, and deliver puts the answer in the placeholder's place.
type desk struct {
	bus     *bus.Bus
	journal *journal.Journal
	ch      Channel
	opts    Options
	door    *access.Door
	log     *zap.Logger
	hold    *hold

	// lanes hold, for each session, its placeholders, questions and answers in the order of the
	// journal: a placeholder is in the chat, or given up, before the answer that replaces it is sent.
	lanes *lane.Lanes
	// looks hold the events of sessions that are on their way into lanes.
	looks    *lane.Lanes
	sessions *sessions
	// words hold what belongs to no task: replies to commands, receipts.
	words   *lane.Lanes
	watches *watches // tasks whose progress is being shown
	loans   *loans   // events of tasks that are in a lane and not settled yet
	served  served   // commands that took effect: one that comes again must not take effect twice
	joined  served   // parts of albums that became a task: one that comes late must not become another
	edits   served   // changed messages whose sender was told that the change does not count
	halts   *halts   // messages on their way that a person may still stop
	settled settled  // questions whose message in the chat says what became of them

	// raws hold, for each session, what people sent and nothing has been made of yet; albums are those
	// whose parts still come.
	raws     *lane.Lanes
	rawLoans *loans
	albums   *albums
	bundles  *bundles
	backlog  *backlog            // how many messages of each session are not unpacked yet
	fetching *semaphore.Weighted // room for the bytes of files that are being fetched

	began time.Time // when this run began: older tasks are told that the daemon was restarted
}

// maxDeliveries bounds the events of one kind that a channel has in its lanes at a time, and maxRaw what
// people sent.
const (
	maxDeliveries = 512
	maxRaw        = 2048
)

// New gives a gateway for channels; Run starts it.
func New(b *bus.Bus, j *journal.Journal, channels []Channel, opts Options) *Gateway {
	opts.SlowAfter = cmp.Or(opts.SlowAfter, 30*time.Second)
	opts.Grace = cmp.Or(opts.Grace, 5*time.Second)
	opts.Log, opts.Renew = cmp.Or(opts.Log, zap.NewNop()), cmp.Or(opts.Renew, 10*time.Second)
	opts.TTL = cmp.Or(opts.TTL, 30*time.Second)
	g := &Gateway{}
	for _, ch := range channels {
		g.desks = append(g.desks, newDesk(b, j, ch, opts))
	}
	return g
}

func newDesk(b *bus.Bus, j *journal.Journal, ch Channel, opts Options) *desk {
	name := ch.Name()
	log := opts.Log.With(zap.String("channel", name))
	return &desk{
		bus: b, journal: j, ch: ch, opts: opts, door: opts.Access[name], log: log,
		hold:  &hold{bus: b, key: holdKey(name), node: opts.Node, renew: opts.Renew, ttl: opts.TTL, log: log},
		lanes: lane.New(2 * maxDeliveries), looks: lane.New(2 * maxDeliveries), words: lane.New(maxDeliveries),
		sessions: newSessions(), watches: newWatches(), loans: newLoans(), halts: newHalts(),
		served: served{b, "commands." + name}, joined: served{b, "albums." + name}, edits: served{b, "edits." + name},
		raws: lane.New(maxRaw), rawLoans: newLoans(), albums: newAlbums(), bundles: newBundles(), backlog: newBacklog(), fetching: semaphore.NewWeighted(maxFetching),
	}
}

// Run serves every channel until ctx ends and returns when all that was being sent has arrived or its
// time is up. A channel that gives up is on the log and leaves the others alone. Run it once.
func (g *Gateway) Run(ctx context.Context) error {
	eg, ctx := errgroup.WithContext(ctx)
	for _, d := range g.desks {
		eg.Go(func() error { return d.run(ctx) })
	}
	return eg.Wait()
}

// run serves the channel, and tells who is let in while another node serves it too.
func (d *desk) run(ctx context.Context) error {
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() error { d.greetAll(ctx); return nil })
	eg.Go(func() error {
		if d.opts.Node == "" || !d.bus.Shared() {
			return d.serve(ctx)
		}
		return d.hold.during(ctx, d.serve)
	})
	err := eg.Wait()
	d.words.Wait()
	return err
}

// serve does all that a channel needs until ctx ends, and returns when what was being sent has arrived or its time is
// up.
func (d *desk) serve(ctx context.Context) error {
	d.began = time.Now()
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() error { d.receiveAll(ctx); return nil })
	eg.Go(func() error { return d.unpackAll(ctx) })
	eg.Go(func() error { return d.announceAll(ctx) })
	eg.Go(func() error { return d.deliverAll(ctx) })
	eg.Go(func() error { d.loans.keep(ctx, d.log); return nil })
	eg.Go(func() error { d.rawLoans.keep(ctx, d.log); return nil })
	eg.Go(func() error { d.watchOpen(ctx); return nil })
	err := eg.Wait()
	d.raws.Wait()
	d.looks.Wait() // before lanes: it fills them
	d.lanes.Wait()
	d.words.Wait()
	d.watches.wait()
	return err
}

// Health gives what is wrong with each channel, nil for one that receives.
func (g *Gateway) Health() map[string]error {
	out := map[string]error{}
	for _, d := range g.desks {
		err := d.hold.health()
		if p, ok := As[Prober](d.ch); ok && err == nil {
			err = p.Health()
		}
		out[d.ch.Name()] = err
	}
	return out
}

// linger gives a context that outlives ctx by the grace time, so that what is being sent when the
// stop comes can arrive.
func (d *desk) linger(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(d.opts.Grace, cancel) })
	return out, func() { stop(); cancel() }
}
