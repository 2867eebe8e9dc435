package window

import "sync"

// Bounds of what is learned. A reported count below leastWeight or above mostWeight times the estimate is
// ignored: some servers report nothing, or only a part of the request, or add tokens of their own. The same two
// bounds hold for the weights.
const (
	learnRate   = 0.5 // how much of an error is corrected at once: 1 would follow each report, 0 none
	leastWeight = 0.3
	mostWeight  = 2.5
	smallest    = 200 // estimated tokens; in a smaller request, what the protocol adds counts for too much
)

// Weights are the factors by which a model's own counts differ from the estimate, for the two parts of a Load.
// The zero value means that nothing is known, and counts like 1 and 1.
type Weights struct{ Wide, Rest float64 }

// Tokens gives what a load comes to with a model.
func (w Weights) Tokens(l Load) int {
	if w == (Weights{}) {
		return l.Tokens()
	}
	return int(l.Wide*w.Wide + l.Rest*w.Rest + 0.5)
}

// learn moves the weights towards a count that a model reported, by the rule of normalised least mean squares:
// each weight is moved in proportion to how much of the request it applies to.
func (w Weights) learn(l Load, reported int) Weights {
	if w == (Weights{}) {
		w = Weights{1, 1}
	}
	off := float64(reported) - l.Wide*w.Wide - l.Rest*w.Rest
	step := learnRate * off / (l.Wide*l.Wide + l.Rest*l.Rest)
	return Weights{bounded(w.Wide + step*l.Wide), bounded(w.Rest + step*l.Rest)}
}

func bounded(x float64) float64 { return min(max(x, leastWeight), mostWeight) }

// Corrector learns from reported usage how each endpoint's model counts. The zero value works and is
// safe for use by many goroutines. What it knows is this process's own: whatever is decided by it is
// journalled, and holds from then on.
type Corrector struct {
	mu    sync.Mutex
	known map[string]Weights
}

// Weights gives what is known of an endpoint.
func (c *Corrector) Weights(endpoint string) Weights {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[endpoint]
}

// Learn takes over how many input tokens an endpoint reported for a request of the estimated load.
// A number that cannot be a count of the whole request changes nothing.
func (c *Corrector) Learn(endpoint string, l Load, reported int) {
	guess := l.Wide + l.Rest
	if endpoint == "" || guess < smallest || float64(reported) < leastWeight*guess || float64(reported) > mostWeight*guess {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]Weights{}
	}
	c.known[endpoint] = c.known[endpoint].learn(l, reported)
}
