package channels

import (
	"context"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// one has one question, which is for its asker alone, and keeps what was chosen.
type one struct {
	q      Question
	chosen []string
}

func (o *one) Of(*journal.Task) []Question                    { return []Question{o.q} }
func (o *one) Find(context.Context, string) (Question, error) { return o.q, nil }
func (o *one) Settle(_ context.Context, _, choice, _ string) error {
	o.chosen = append(o.chosen, choice)
	return nil
}

// namedChannel is a channel that has a name only.
type namedChannel struct{ Channel }

func (namedChannel) Name() string { return "x" }

// A press counts if the question is of this channel, the choice is one of its own, and who pressed may answer it.
func TestWhosePressCounts(t *testing.T) {
	words := text.Lang("en")
	for _, tt := range []struct {
		name, channel, choice, sender, on string
		want                              string
		chosen                            int
	}{
		{"who was asked", "x", "q:1", "7", "x", "", 1},
		{"somebody else", "x", "q:1", "8", "x", words.PressNotYours(), 0},
		{"the same number elsewhere", "x", "q:1", "7", "y", words.PressNotYours(), 0},
		{"a question of another channel", "y", "q:1", "7", "x", words.PressOver(), 0},
		{"before the first choice", "x", "q:-1", "7", "x", words.PressOver(), 0},
		{"behind the last choice", "x", "q:2", "7", "x", words.PressOver(), 0},
		{"no number", "x", "q:a", "7", "x", words.PressOver(), 0},
	} {
		task := &journal.Task{ID: "t_1", Sub: journal.SubmittedData{Root: "t_1", Origin: akitad.Origin{Channel: tt.channel, Sender: "7", Lang: "en"}}}
		asks := &one{q: Question{ID: "q", Task: task, Choices: []string{"yes", "no"}, Asker: true}}
		d := &desk{ch: namedChannel{}, opts: Options{Questions: asks}}
		m := akitad.Message{ID: "m", Origin: akitad.Origin{Channel: tt.on, Sender: tt.sender, Lang: "en"}}
		got, _, err := d.press(t.Context(), m, akitad.Press{Choice: tt.choice})
		if err != nil || tt.want != "" && got != tt.want || len(asks.chosen) != tt.chosen || tt.chosen == 1 && asks.chosen[0] != "no" {
			t.Errorf("%s: %q, %v; chosen %q", tt.name, got, err, asks.chosen)
		}
	}
}
