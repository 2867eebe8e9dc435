package guard_test

import (
	"reflect"
	"testing"

	"github.com/akitad/akitad/internal/guard"
)

func TestSignsOfDrift(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps guard.PlanSteps
		want  []string // keys
	}{
		{"nothing", guard.PlanSteps{}, nil},
		{"two in part", guard.PlanSteps{Partial: []string{"a", "b"}}, nil},
		{"three in part", guard.PlanSteps{Partial: []string{"a", "b", "c"}}, []string{"partial:3"}},
		{"five in part are the same sign", guard.PlanSteps{Partial: []string{"a", "b", "c", "d", "e"}}, []string{"partial:3"}},
		{"six are another", guard.PlanSteps{Partial: []string{"a", "b", "c", "d", "e", "f"}}, []string{"partial:6"}},
		{"all that one step may use", guard.PlanSteps{Further: 9}, nil},
		{"more than that", guard.PlanSteps{Further: 10}, []string{"attempts:10"}},
		{"twice as many", guard.PlanSteps{Further: 23}, []string{"attempts:20"}},
		{"follow-ups", guard.PlanSteps{Overran: []string{"a"}}, []string{"follow-ups:a"}},
		{"all at once", guard.PlanSteps{Partial: []string{"a", "b", "c"}, Further: 11, Overran: []string{"c", "d"}}, []string{"partial:3", "attempts:10", "follow-ups:c", "follow-ups:d"}},
	} {
		var got []string
		for _, s := range tt.steps.Signs() {
			if got = append(got, s.Key); s.Reason == "" {
				t.Errorf("%s: %s has no reason", tt.name, s.Key)
			}
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
