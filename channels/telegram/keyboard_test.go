package telegram

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
)

func TestKeyboardRows(t *testing.T) {
	tg := knowing(t, Options{})
	for _, tt := range []struct {
		labels string // separated by |
		want   string // rows
	}{
		{"", ""},
		{"Yes|No", "Yes,No"},
		{"1|2|3|4", "1,2,3 4"},
		{"Approve once|Always allow it|Deny", "Approve once Always allow it,Deny"},
		{"允许这一次|总是允许|拒绝", "允许这一次,总是允许 拒绝"},
		{strings.Repeat("long ", 20), strings.Repeat("long ", 11) + "long…"},
	} {
		var choices []akitad.Choice
		for i, l := range strings.Split(tt.labels, "|") {
			if l != "" {
				choices = append(choices, akitad.Choice{ID: fmt.Sprint(i), Label: l})
			}
		}
		var rows []string
		if k := tg.keyboardOf(choices); k != nil {
			for _, row := range k.Rows {
				var labels []string
				for _, b := range row {
					labels = append(labels, b.Text)
				}
				rows = append(rows, strings.Join(labels, ","))
			}
		}
		if got := strings.Join(rows, " "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.labels, got, tt.want)
		}
	}
}

// Whatever the choices are: every one that a button can carry is there once, in order, and no row is empty.
func TestKeyboardKeepsAllChoices(t *testing.T) {
	tg := knowing(t, Options{})
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.StringN(0, 70, 100)).Draw(t, "ids")
		var choices []akitad.Choice
		var want, got []string
		for _, id := range ids {
			choices = append(choices, akitad.Choice{ID: id, Label: rapid.String().Draw(t, "label"), Style: rapid.SampledFrom([]string{"", "primary", "danger", "odd"}).Draw(t, "style")})
			if id != "" && len(id) <= akitad.MaxChoiceID {
				want = append(want, id)
			}
		}
		if k := tg.keyboardOf(choices); k != nil {
			for _, row := range k.Rows {
				if len(row) == 0 || len(row) > maxInRow {
					t.Fatalf("a row of %d", len(row))
				}
				for _, b := range row {
					got = append(got, b.Data)
					if b.Text == "" || b.Style == "odd" {
						t.Fatalf("button %+v", b)
					}
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
