package llm

import (
	"context"
	"fmt"
	"time"

	"github.com/akitad/akitad"
)

// Endpoint is one model behind one address.
type Endpoint struct {
	Name        string // [a-z0-9-], unique
	Protocol    string // "openai", "anthropic", "gemini", "offline"
	Model       string
	Provider    Provider
	Window      int                // tokens of input and output together; 0 if not known
	MaxOutput   int                // tokens; caps Request.MaxOutput, and stands in for it; 0 leaves it to the server
	MaxInflight int                // requests at once; more wait; default 64
	Serves      func(Request) bool // offline engines: whether this one can do what is asked; nil means always
	Price       Price
	Tags        []string      // what it is good for: TagVision, code, long; none leaves vision to the model's name
	FirstByte   time.Duration // how long it may be silent; a Probe waits as long
	Memory      bool          // an offline one that answers from what is kept here alone, whatever RouterOptions.Offline says
	Offline     bool          // needs no network: used last, and only for what it serves
}

// Price is what a million tokens cost, in the currency of the owner's choice.
type Price struct {
	Input  float64
	Cached float64 // of input read from the provider's cache; 0 means the same as Input
	Output float64
}

// Cost gives the price of what was used.
func (p Price) Cost(u akitad.Usage) float64 {
	cached := p.Cached
	if cached == 0 {
		cached = p.Input
	}
	return (float64(u.Input-u.Cached)*p.Input + float64(u.Cached)*cached + float64(u.Output)*p.Output) / 1e6
}

// endpoint is an Endpoint with the places of those who use it.
type endpoint struct {
	Endpoint
	slots chan struct{}
	tally tally
}

func newEndpoint(e Endpoint) (*endpoint, error) {
	if !akitad.ValidName(e.Name) {
		return nil, akitad.Errorf(akitad.InvalidRequest, "endpoint name %q is not valid", e.Name).
			WithHint("use 1 to 40 of a-z, 0-9 and hyphen")
	}
	if e.Provider == nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "endpoint %s has no provider", e.Name)
	}
	if e.MaxInflight <= 0 {
		e.MaxInflight = 64
	}
	return &endpoint{Endpoint: e, slots: make(chan struct{}, e.MaxInflight)}, nil
}

// enter waits for a place; the caller must leave.
func (e *endpoint) enter(ctx context.Context) error {
	select {
	case e.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for a place at %s: %w", e.Name, context.Cause(ctx))
	}
}

func (e *endpoint) leave() { <-e.slots }

// serves reports whether an offline engine can do what is asked.
func (e *endpoint) serves(req Request) bool {
	return e.Endpoint.Serves == nil || e.Endpoint.Serves(req)
}

// fit gives the request as this endpoint is to get it.
func (e *endpoint) fit(req Request) Request {
	if e.MaxOutput > 0 && (req.MaxOutput == 0 || req.MaxOutput > e.MaxOutput) {
		req.MaxOutput = e.MaxOutput
	}
	return e.unseen(req)
}
