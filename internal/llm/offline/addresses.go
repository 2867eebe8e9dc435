package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

var (
	addressWords = pattern.New(`\b(?:ip|ips|ip[ \-]address(?:es)?)\b|(?:ip|IP)\s*地址|(?:^|\P{L})ip(?:$|\P{L})|哪个\s*ip`)
	addressOf    = `(?:^|[^\w.])(?P<ip>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?:$|[^\w.])`
)

var whichAddress = pattern.New(`\b(?:which|what) (?:client |source |remote )?(?:ip|address)|哪(?:些|几)个?\s*(?:ip|地址|来源)`)

// ipColumn is a worked-out column of extract: the first address in a line.
const ipColumn = "ip"

// addressNouns are what addresses inside lines are called.
var addressNouns = set("ip ips address addresses 地址")

// wantsAddresses tells that the addresses in a file's lines are asked for and that no column holds
// them. The other conditions must be on whole lines, since the lines are then not read as rows.
func (b *binding) wantsAddresses() bool {
	switch b.q.Intent {
	case question.Fields, question.Top, question.Count:
	case question.Filter:
		if !whichAddress.MatchString(b.q.Text) {
			return false
		}
	default:
		return false
	}
	if !addressWords.MatchString(b.q.Text) || slices.ContainsFunc(b.named, func(m named) bool { return sameThing("ip", strings.Join(nameWords(m.col.name), " ")) }) {
		return false
	}
	if b.q.Intent == question.Fields && slices.ContainsFunc(b.named, func(m named) bool { return m.col.name == ipColumn }) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(b.unheard), func(w string) bool {
		return addressNouns[w]
	})
	return len(rest) == 0 && !slices.ContainsFunc(b.where, func(w string) bool { return !strings.HasPrefix(w, "any ") })
}

// addresses groups the lines by the first address in each.
func (s *session) addresses(b *binding) (*finding, error) {
	args := b.args()
	args.Format, args.Pattern, args.GroupBy, args.Aggregate, args.Order, args.Limit = "regexp", addressOf, "ip", "count", "count desc", wideGroups
	t, err := s.extract(args)
	if err != nil {
		return nil, err
	}
	all := 0
	if b.q.Fn == "distinct" || listAll.MatchString(b.q.Text) {
		all = wideGroups
	}
	return &finding{Kind: "groups", By: "ip", Groups: readGroups(t, "ip", "count"), Complete: !t.more, Total: t.total, Count: t.matched(), N: cmp.Or(b.q.N, b.one(), all), Notes: t.notes}, nil
}
