package text_test

import (
	"testing"

	"github.com/akitad/akitad/internal/text"
)

// Only a plain yes is one: what is unclear must not cost anything.
func TestAgreesAndEnds(t *testing.T) {
	for _, s := range []string{"yes", "Yes!", " continue ", "go on.", "OK", "yes, please", "继续", "继续。", "好的！", "是"} {
		if !text.Agrees(s) || text.Ends(s) {
			t.Errorf("%q is no yes", s)
		}
	}
	for _, s := range []string{"stop", "No.", "STOP!", "停止", "不用了。", "算了", "no, stop"} {
		if text.Agrees(s) || !text.Ends(s) {
			t.Errorf("%q is no stop", s)
		}
	}
	for _, s := range []string{"", "...", "yesterday", "not yet, continue later", "don't continue", "不要继续", "继续什么？", "how much is that?"} {
		if text.Agrees(s) || text.Ends(s) {
			t.Errorf("%q is clear", s)
		}
	}
}
