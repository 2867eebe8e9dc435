package guard_test

import (
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
)

var full = guard.Limits{Input: 1_000_000, Calls: 400, Active: 20 * time.Minute, Tasks: 64}

func TestNarrow(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits guard.Limits
		budget *akitad.Budget
		want   guard.Limits
	}{
		{"none", full, nil, full},
		{"lower", full, &akitad.Budget{InputTokens: 5, Calls: 6, Active: time.Second}, guard.Limits{Input: 5, Calls: 6, Active: time.Second, Tasks: 64}},
		{"higher is not granted", full, &akitad.Budget{InputTokens: 2_000_000, Calls: 500, Active: time.Hour}, full},
		{"where there was none", guard.Limits{}, &akitad.Budget{Calls: 3}, guard.Limits{Calls: 3}},
		{"nothing below nothing", full, &akitad.Budget{InputTokens: -1}, full},
	} {
		if got := tt.limits.Narrow(tt.budget); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestWorst(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits guard.Limits
		spent  guard.Spend
		want   guard.Use
	}{
		{"nothing used", full, guard.Spend{}, guard.Use{Name: "input tokens", Left: "1000000"}},
		{"tokens", full, guard.Spend{Input: 800_000, Calls: 3}, guard.Use{Name: "input tokens", Share: 0.8, Left: "200000"}},
		{"calls", full, guard.Spend{Input: 1, Calls: 500}, guard.Use{Name: "model calls", Share: 1.25, Left: "0"}},
		{"time", full, guard.Spend{Active: 15 * time.Minute}, guard.Use{Name: "working time", Share: 0.75, Left: "5m0s"}},
		{"tasks end no work", full, guard.Spend{Tasks: 64}, guard.Use{Name: "input tokens", Left: "1000000"}},
		{"no limits", guard.Limits{}, guard.Spend{Input: 1 << 40, Calls: 1 << 20}, guard.Use{Name: "input tokens"}},
		{"granted once", full.Times(2), guard.Spend{Calls: 400}, guard.Use{Name: "model calls", Share: 0.5, Left: "400"}},
	} {
		if got := tt.limits.Worst(tt.spent); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		share, warn float64
		want        int
	}{{0, 0.8, 0}, {0.49, 0.8, 0}, {0.5, 0.8, 50}, {0.79, 0.8, 50}, {0.8, 0.8, 80}, {0.95, 0.8, 90}, {0.7, 0.6, 60}, {0.6, 0, 50}} {
		if got := guard.Mark(tt.share, tt.warn); got != tt.want {
			t.Errorf("%v with a warning at %v gives %d, want %d", tt.share, tt.warn, got, tt.want)
		}
	}
}

func TestMayDelegate(t *testing.T) {
	for _, tt := range []struct {
		limit, tasks int
		want         bool
	}{{64, 63, true}, {64, 64, false}, {0, 1000, true}} {
		if got := (guard.Limits{Tasks: tt.limit}).MayDelegate(guard.Spend{Tasks: tt.tasks}); got != tt.want {
			t.Errorf("%d of %d: %v", tt.tasks, tt.limit, got)
		}
	}
}

func TestCachedTokensAreNotSpent(t *testing.T) {
	if got := guard.SpendOf(akitad.Usage{Input: 10, Cached: 7, Calls: 2}); got != (guard.Spend{Input: 3, Calls: 2}) {
		t.Errorf("%+v", got)
	}
}
