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

// Options say when and how a window is made smaller. Shares are of the token budget.
type Options struct {
	Strategy    Strategy
	MaxTokens   int     // of a request and its reply together, whatever the model takes
	Safety      float64 // share of the model's window that is kept free
	MaskAt      float64 // from here on old results are masked
	SummarizeAt float64 // from here on older rounds become a summary
	ForceAt     float64 // from here on whatever it takes
	MaskRounds  int     // the newest rounds that are not masked
	KeepRounds  int     // the newest rounds that are not summarised
}

// Defaults are the options that hold where nobody says otherwise.
func Defaults() Options {
	return Options{
		Strategy: Hybrid, MaxTokens: 160_000, Safety: 0.10, MaskAt: 0.70, SummarizeAt: 0.80, ForceAt: 0.92,
		MaskRounds: 10, KeepRounds: 6,
	}
}

// Budget gives the tokens that a request may have on a model with a window of so many tokens, 0 if that
// is not known, and the tokens that are left to the reply: at most a quarter of a small window.
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

// batch gives the tokens that masking must free to be worth it.
func batch(budget int) int { return min(batchTokens, int(batchShare*float64(budget))) }
