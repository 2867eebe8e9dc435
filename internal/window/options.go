package window

// Strategy says which stages may make a window smaller.
type Strategy string

// The strategies. Whatever is too large in the end is an error of kind context_overflow.
const (
	Hybrid  Strategy = "hybrid"  // mask, summarise, force: the default
	Mask    Strategy = "mask"    // mask, and force near the limit
	Summary Strategy = "summary" // summarise, and force near the limit
	Slide   Strategy = "window"  // near the limit older rounds are left out, by rules alone
	Off     Strategy = "off"     // nothing is ever reduced
)

// Strategies lists every strategy.
var Strategies = []Strategy{Hybrid, Mask, Summary, Slide, Off}

func (s Strategy) masks() bool      { return s == Hybrid || s == Mask }
func (s Strategy) summarises() bool { return s == Hybrid || s == Summary }

// Options say when and how a window is made smaller. The three marks (MaskAt, SummarizeAt, ForceAt) are
// shares of the token budget: a stage begins when the request is estimated to be larger than its mark.
type Options struct {
	Strategy    Strategy
	MaxTokens   int     // of a request and its reply together, whatever the model takes
	Safety      float64 // share of the model's window that is kept free
	MaskAt      float64 // above it, old results are masked
	SummarizeAt float64 // above it, older rounds become a summary
	ForceAt     float64 // above it, rules cut whatever must be cut
	MaskRounds  int     // how many of the newest rounds keep their results (repeated failures aside) until ForceAt
	KeepRounds  int     // how many of the newest rounds are not summarised until ForceAt
}

// Defaults are the options that hold where nobody says otherwise.
func Defaults() Options {
	return Options{
		Strategy: Hybrid, MaxTokens: 160_000, Safety: 0.10, MaskAt: 0.70, SummarizeAt: 0.80, ForceAt: 0.92,
		MaskRounds: 10, KeepRounds: 6,
	}
}

// Budget gives how many tokens a request may have, and how many the reply. window is the context window of
// the model and output the longest reply that is asked of it, both in tokens; window is 0 if it is not known.
// The reply gets output, but at most a quarter of the window or of MaxTokens, whichever is smaller.
func (o Options) Budget(window, output int) (budget, reply int) {
	most := o.MaxTokens
	if window > 0 {
		most = min(most, window)
	}
	reply = min(output, max(1, most/4))
	return max(1, most-reply-int(o.Safety*float64(most))), reply
}

// The least that a reduction must gain, so that the prefix of a prompt is not given up for nothing.
const (
	batchTokens = 8_000
	batchShare  = 0.10
)

// batch gives the tokens that masking or summarising must free to be worth it: the smaller of the two bounds.
func batch(budget int) int { return min(batchTokens, int(batchShare*float64(budget))) }
