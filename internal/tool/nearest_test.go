package tool_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/tool"
)

func TestNearest(t *testing.T) {
	known := []string{"check_test", "read_file", "read_part", "write_file"}
	for word, want := range map[string][]string{
		"cehck_tset":             {"check_test"}, // letters that are swapped count once
		"READ_FILE":              {"read_file"},
		"file":                   {"read_file", "write_file"},
		"":                       nil,
		"send_mail":              nil,
		strings.Repeat("x", 200): nil,
	} {
		if got := tool.Nearest(word, known); !slices.Equal(got, want) {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
