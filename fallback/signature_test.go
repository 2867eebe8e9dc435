package fallback_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
)

func TestSignature(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"connection lost", "connection lost", true},
		{"Connection  lost.", "connection lost", true},
		{"request 8f3ac1 failed after 12 ms", "request 99b failed after 7 ms", true},
		{"open /tmp/a1: no such file", "open /tmp/b22: no such file", true},
		{"at 2026-11-30T10:00:00Z: eof", "at 2026-12-01T11:30:09Z: eof", true},
		{"请求 17 失败", "请求 18 失败", true},
		{"connection lost", "connection refused", false},
		{"请求失败", "请求超时", false},
		{"", "x", false},
	} {
		a, b := fallback.Signature(akitad.Unknown, tt.a), fallback.Signature(akitad.Unknown, tt.b)
		if (a == b) != tt.same {
			t.Errorf("%q and %q: %q and %q, the same should be %v", tt.a, tt.b, a, b, tt.same)
		}
	}
	if fallback.Signature(akitad.Unknown, "x") == fallback.Signature(akitad.ToolFailed, "x") {
		t.Error("the kind makes no difference")
	}
	if s := fallback.Signature(akitad.Unknown, strings.Repeat("败", 1000)); len(s) > 300 || !utf8.ValidString(s) {
		t.Errorf("%d bytes: %q", len(s), s)
	}
}
