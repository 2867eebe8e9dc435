package commands

import (
	"context"
	"strings"
	"unicode"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// rate keeps how good the conversation's last answer was, or that of the task which is named. Whoever
// rates again changes it.
func (c *Commands) rate(ctx context.Context, r request) (string, error) {
	id, given := "", []string{}
	for _, w := range strings.Fields(r.args) {
		if strings.HasPrefix(w, "t_") && id == "" {
			id = w
			continue
		}
		given = append(given, w)
	}
	words := strings.Join(given, " ")
	stars, ok := readStars(words)
	if !ok {
		return r.lang.RateHow(words), nil
	}
	t, reply, err := c.rated(ctx, r, id)
	if t == nil || err != nil {
		return reply, err
	}
	return r.lang.Rated(string(t.ID), asked(t), stars, t.Rating), c.Orchestrator.Rate(ctx, t.ID, stars)
}

// rated returns the task that is to be rated, or the reply why there is none.
func (c *Commands) rated(ctx context.Context, r request, id string) (t *journal.Task, reply string, err error) {
	if id == "" {
		if t, err = c.lastAnswered(ctx, r); t == nil || err != nil {
			return t, r.lang.NothingToRate(), err
		}
		at, err := c.Orchestrator.Aim(ctx, r.Session, r.Task, string(t.ID)) // another may be the last when the message comes again
		if err != nil || at == string(t.ID) {
			return t, "", err
		}
		t, err = c.Journal.Load(ctx, akitad.TaskID(at))
		return t, "", err
	}
	t, err = c.seen(ctx, r, id)
	switch {
	case err != nil:
		return nil, "", err
	case t == nil:
		return nil, r.lang.TaskNotFound(id), nil
	case t.State != akitad.Completed:
		return nil, r.lang.NotAnswered(id), nil
	}
	return t, "", nil
}

// numbers are the words for a number of stars.
var numbers = map[string]int{
	"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
	"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "１": 1, "２": 2, "３": 3, "４": 4, "５": 5,
}

// readStars reads a rating: a number or its word, with or without "stars", n/5, or that many stars.
func readStars(words string) (int, bool) {
	words = strings.ToLower(strings.TrimFunc(words, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".!。！", r) }))
	if n := drawn(words); n > 0 {
		return n, n <= 5
	}
	words = strings.TrimSuffix(strings.TrimSuffix(words, "/5"), "／5")
	for _, unit := range []string{"stars", "star", "颗星", "个星", "星", "分"} {
		words = strings.TrimSpace(strings.TrimSuffix(words, unit))
	}
	n, ok := numbers[words]
	return n, ok
}

// drawn counts the stars of words that are nothing else; empty ones do not count.
func drawn(words string) int {
	n := 0
	for _, r := range words {
		switch r {
		case '★', '⭐', '🌟', '*', '＊':
			n++
		case '☆', ' ', '\ufe0f':
		default:
			return 0
		}
	}
	return n
}
