package loose_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/loose"
)

// written is a text wherever one may stand.
type written struct {
	Name  string         `yaml:"name"`
	Steps []string       `yaml:"steps"`
	With  map[string]any `yaml:"with"`
}

// Whatever is written reads back as it was, also what looks like something else: a path, an escape, a list, a number.
func TestWhatIsWrittenReadsBack(t *testing.T) {
	some := rapid.SampledFrom([]rune("CcdEzn:\\/\t\n\r\x00\x1b\u00a0\u2028u0x41 ab'\"#-[]{},|>&*!%@`.~？键"))
	text := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(some, 0, 8).Draw(t, "characters")) })
	rapid.Check(t, func(t *rapid.T) {
		want := written{Name: text.Draw(t, "name"), Steps: rapid.SliceOfN(text, 1, 3).Draw(t, "steps"), With: map[string]any{"k": text.Draw(t, "value")}}
		out := loose.Encode(want)
		if got, err := loose.Decode[written](out, nil); err != nil || !reflect.DeepEqual(got.Value, want) {
			t.Fatalf("%#v was written as\n%s\nand read as %#v (%v)", want, out, got.Value, err)
		}
	})
}
