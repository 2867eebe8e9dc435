// Package guard is the rules that keep an agent from going in circles, standing still and spending
// without end: pure rules over what has happened. It reads no clock, runs nothing and records
// nothing; the caller tells it the history and carries out what it says.
package guard

// Call is one call of a finished round, as the rules see it.
type Call struct {
	ID      string
	Tool    string
	Key     string // of tool and arguments, see Key
	Result  string // digest of what came back
	Failed  bool   // it came back as an error
	Refused bool   // it was not run, since the rules refused it
	Cut     bool   // its process stopped while it ran: it came to nothing that is known, and counts as not made
	Effect  bool   // its tool may change something
}

// Round is one finished round.
type Round struct {
	Calls    []Call
	Input    int    // tokens of its model call
	Endpoint string // that answered it
	Told     bool   // a person has said something new before it
}

// The patterns that are looked for.
const (
	Loop       = "loop"
	Thrashing  = "thrashing"
	NoProgress = "no progress"
	TokenSpike = "token spike"
	Spending   = "budget"
	Drift      = "plan drift"
)

// Action is what is done about a pattern. The later ones are the graver ones.
type Action string

// The actions, in order.
const (
	Nothing  Action = ""
	Nudge    Action = "nudge"           // the agent is told
	Strategy Action = "strategy switch" // the agent is told to go another way
	Endpoint Action = "endpoint switch" // another endpoint answers from here on
	Ask      Action = "ask"             // the person decides
	Rewrite  Action = "rewrite"         // the planner may write a plan's unfinished steps anew; of no rung
	Refuse   Action = "refuse"          // what was asked for is not begun; of no rung
	Stop     Action = "stop"            // one last call gives the best answer
)

// Verdict is what the rules say before a round.
type Verdict struct {
	Pattern string
	Action  Action
	Words   string // for the model; empty if there is nothing to tell it
}

// When the rules act. A ladder over rounds that brought nothing new leaves room for a few attempts
// at each rung before the next.
const (
	hintAt   = 2 // the same call with the same result for the second time
	refuseAt = 3
	stopAt   = 5

	windowCalls  = 16 // a repetition further back than this is none,
	windowRounds = 4  // unless the round itself is as long

	nudgeAfter    = 3 // rounds without anything new
	strategyAfter = 5
	endpointAfter = 7
	askAfter      = 8
	endAfter      = 10

	spikeFactor = 4      // times the median of the rounds before
	spikeFloor  = 20_000 // tokens; below it nothing is a spike
	spikeRounds = 4      // rounds before it that make a median
)

// Watch follows one agent's rounds. The zero value has seen none. Whatever was seen in the same order
// gives the same verdicts, and a stop stays a stop.
type Watch struct {
	rounds int
	calls  int
	known  map[string]*known // by key
	seen   map[string]bool   // key and result, of calls that went well
	recent []string          // the last keys with their results
	news   int               // grows with everything new that was found out
	effect int               // grows with everything new that was done
	moved  int               // grows with every call that comes to something new and was made before
	barren barren
	inputs []int
	spiked bool
	now    Verdict // before the next round
	last   *Verdict
	avoid  string
}

// known is what is known of one call.
type known struct {
	result        string
	ran           string // id of the call that ran last
	round, call   int    // when it was last made
	news, effect  int    // as they were then
	moved         int
	same          int // times in a row with this result and nothing new done in between
	stuck         int // of these, with nothing new found out either
	once, refused bool
	mayChange     bool // its tool may change something, or wait for something
	ranCall       int  // when it last ran,
	ranNews       int  // and the news then
}

// Add tells the watch of a finished round.
func (w *Watch) Add(r Round) {
	if w.known == nil {
		w.known, w.seen = map[string]*known{}, map[string]bool{}
	}
	w.rounds++
	if r.Told {
		w.news++
		w.effect++
		w.barren = barren{}
	}
	worst := w.addCalls(r)
	w.judge(r, worst)
}

// addCalls takes the round's calls in, each call once, and gives the one that was repeated most.
func (w *Watch) addCalls(r Round) *known {
	var worst *known
	news, failed, cut, counted := w.news, 0, 0, map[string]bool{}
	for _, c := range r.Calls {
		if c.Cut {
			cut++
			continue
		}
		if c.Failed && !c.Refused {
			failed++
		}
		if counted[c.Key] {
			continue
		}
		counted[c.Key] = true
		if k := w.add(c); worst == nil || k.stuck > worst.stuck || k.stuck == worst.stuck && k.same > worst.same {
			worst = k
		}
	}
	if ran := len(r.Calls) - cut; ran > 0 || cut == 0 {
		w.barren.add(w.news > news, failed, ran)
	}
	return worst
}

// add takes one call in.
func (w *Watch) add(c Call) *known {
	w.calls++
	k := w.known[c.Key]
	if k == nil {
		k = &known{}
		w.known[c.Key] = k
	}
	if c.Refused && k.ran != "" {
		c.Result, c.Failed = k.result, k.refused
	} else {
		k.ran, k.refused, k.ranCall = c.ID, c.Failed, w.calls
	}
	if pair := c.Key + c.Result; !c.Failed && !w.seen[pair] {
		w.seen[pair] = true
		w.news++
		if k.once {
			w.moved++
		}
		if c.Effect {
			w.effect++
		}
	}
	if k.mayChange = c.Effect; !c.Refused {
		k.ranNews = w.news
	}
	w.count(k, c)
	w.recent = append(w.recent, c.Key+c.Result)
	if len(w.recent) > windowCalls {
		w.recent = w.recent[1:]
	}
	return k
}

// count brings the counters of a call up to date. They begin again when its result has changed, when
// the last time is too long ago, and when something new has been done, or found out, meanwhile.
func (w *Watch) count(k *known, c Call) {
	repeated := k.once && k.result == c.Result && w.near(k)
	k.same = next(k.same, repeated && k.effect == w.effect && !k.waits(w))
	k.stuck = next(k.stuck, repeated && k.news == w.news)
	k.once, k.result, k.round, k.call, k.news, k.effect, k.moved = true, c.Result, w.rounds, w.calls, w.news, w.effect, w.moved
}

func next(n int, again bool) int {
	if again {
		return n + 1
	}
	return 1
}

// near reports whether a call was last made within the window.
func (w *Watch) near(k *known) bool {
	return w.calls-k.call <= windowCalls || w.rounds-k.round <= windowRounds
}

// Refuse says whether a call is not to be run, since it would come to the same once more; then it
// gives how often it came to that and the id of the call that ran last. A call is one of a round:
// fresh says that the round does something before it that was not done yet.
func (w *Watch) Refuse(key string, fresh bool) (times int, ran string, refuse bool) {
	k := w.known[key]
	if k == nil || fresh || k.same < refuseAt-1 || k.effect != w.effect || k.waits(w) || !w.near(k) || w.stale(k) {
		return 0, "", false
	}
	return k.same, k.ran, true
}

// waits reports whether a call may have been a wait for what has moved since: a program that sleeps between two
// looks at a queue.
func (k *known) waits(w *Watch) bool { return k.mayChange && k.moved != w.moved }

// stale reports whether what a call came to is too old to stand for it: as many others as the window holds were
// made since it ran, and they brought news. A clock or a queue has moved on by then.
func (w *Watch) stale(k *known) bool {
	return w.calls-k.ranCall >= windowCalls && w.news != k.ranNews
}

// Made reports whether a call was made before.
func (w *Watch) Made(key string) bool { return w.known[key] != nil }

// Verdict gives what is to be done before the next round. Once it is Stop it stays so.
func (w *Watch) Verdict() Verdict {
	if w.last != nil {
		return *w.last
	}
	return w.now
}

// Barren gives how many rounds in a row brought nothing new.
func (w *Watch) Barren() int { return w.barren.rounds }

// Avoid names the endpoint that is to answer no more if another can; "" for none.
func (w *Watch) Avoid() string { return w.avoid }
