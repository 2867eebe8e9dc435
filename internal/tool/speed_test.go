package tool_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/tool"
)

// The time to repair grows with the size and no faster: these take a minute if it does not.
func TestRepairIsLinear(t *testing.T) {
	const n = 100_000
	for name, raw := range map[string]string{
		"commas":      `{"a":[` + strings.Repeat("[1,],", n) + `],}`,
		"quotes":      `{"a":"` + strings.Repeat(`x "y" `, n) + `",}`,
		"spaces":      `{"a":"` + strings.Repeat(`" `, n) + strings.Repeat(" ", n) + `x",}`,
		"open":        strings.Repeat(`{"a":`, n),
		"backslashes": `{"a":"` + strings.Repeat(`\\\`, n) + `",}`,
		"names":       `{` + strings.Repeat(`a `, n) + `}`,
	} {
		begun := time.Now()
		got, err := tool.Prepare(tool.Info{Name: name}, json.RawMessage(raw))
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%s: %d bytes took %v", name, len(raw), took)
		}
		if err == nil && len(got) < n {
			t.Errorf("%s: %d bytes became %d", name, len(raw), len(got))
		}
	}
}
