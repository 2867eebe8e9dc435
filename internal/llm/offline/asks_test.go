package offline_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestAsks asks each sentence about real files through the real tools.
func TestAsks(t *testing.T) {
	for lang, asks := range map[string][]ask{"en": asksEN, "zh": asksZH} {
		for i, a := range asks {
			t.Run(fmt.Sprintf("%s/%s/%d", lang, a.intent, i), func(t *testing.T) {
				k := newKit(t, only(strings.Fields(a.files)...))
				t.Log(a.words)
				has(t, k.ask(a.words), a.want...)
			})
		}
	}
}

// TestEnoughAsks holds that every intent is asked for by at least five sentences in each language.
func TestEnoughAsks(t *testing.T) {
	for lang, asks := range map[string][]ask{"en": asksEN, "zh": asksZH} {
		count := map[string]int{}
		for _, a := range asks {
			count[a.intent]++
		}
		for _, intent := range []string{
			"count", "filter", "group and top", "figures", "first and last", "time range", "compare", "correlate",
			"fields", "files", "summary", "sections", "report", "remember", "help", "refuse",
		} {
			if count[intent] < 5 {
				t.Errorf("%s: %d sentences for %q, want 5", lang, count[intent], intent)
			}
		}
	}
}
