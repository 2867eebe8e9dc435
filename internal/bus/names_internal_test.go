package bus

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
)

// TestSubjectTokens: whatever comes from outside makes one token or an error.
func TestSubjectTokens(t *testing.T) {
	plain := regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	rapid.Check(t, func(t *rapid.T) {
		token := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9_-]{0,5}[ .*>\n]?[a-z]{0,3}`)).Draw(t, "token")
		subj, err := subject("akita.work", "coder", token)
		if ok := plain.MatchString(token); ok != (err == nil) {
			t.Fatalf("token %q gives %q, %v", token, subj, err)
		}
		if err == nil && strings.Count(subj, ".") != 3 {
			t.Fatalf("token %q gives %q", token, subj)
		}
		if err != nil && akitad.KindOf(err) != akitad.InvalidRequest {
			t.Fatalf("token %q: %v", token, err)
		}
	})
}

func TestCheckFilter(t *testing.T) {
	for filter, want := range map[string]bool{
		"akita.task.t_a.>": true, "akita.task.t_a.*": true, "akita.task.*.end": true, "akita.task.>": true,
		"akita.task.t_a.log": true, "akita.task": false, "akita.task.": false, "akita.task..log": false,
		"akita.work.>": false, "akita.task.>.log": false, "akita.task.a b.>": false, "akita.task.t*.>": false, ">": false,
	} {
		if err := checkFilter("akita.task", filter); (err == nil) != want {
			t.Errorf("filter %q: %v", filter, err)
		}
	}
}

func TestChoose(t *testing.T) {
	item := func(prio string, seq uint64) *Delivery {
		return &Delivery{subject: "akita.work.p." + prio + ".id", seq: seq}
	}
	for _, tt := range []struct {
		name  string
		heads []*Delivery
		fair  bool
		want  uint64
	}{
		{"most urgent", []*Delivery{item("low", 1), item("high", 3), item("normal", 2)}, false, 3},
		{"alone", []*Delivery{item("low", 1)}, false, 1},
		{"fair and alone", []*Delivery{item("high", 1)}, true, 1},
		{"fair: oldest of the others", []*Delivery{item("high", 1), item("normal", 3), item("low", 2)}, true, 2},
		{"fair: the other", []*Delivery{item("normal", 1), item("low", 2)}, true, 2},
		{"fair: normal is older", []*Delivery{item("low", 9), item("normal", 3), item("high", 1)}, true, 3},
	} {
		pick, rest := choose(tt.heads, tt.fair)
		if pick.seq != tt.want || len(rest) != len(tt.heads)-1 {
			t.Errorf("%s: picked %d and left %d, want %d", tt.name, pick.seq, len(rest), tt.want)
		}
		for _, d := range rest {
			if d == nil || d == pick {
				t.Errorf("%s: the rest is %v", tt.name, rest)
			}
		}
	}
}
