package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/plan"
)

const declaring = `goal: x
params:
  day: {type: string, enum: [mon, tue], default: mon, description: which day}
  shop: {type: string}
  top: 5
  rate: {type: number}
  deep: {type: [string, "null"], default: null}
  any: null
steps:
  - {id: a, tool: time}
`

func TestDeclared(t *testing.T) {
	p, err := plan.Parse(declaring)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range plan.Declared(p) {
		got = append(got, fmt.Sprintf("%s %s %v %v %v %s", d.Name, d.Type, d.Required, d.Default, d.Enum, d.Description))
	}
	want := []string{"any  false <nil> [] ", "day string false mon [mon tue] which day", "deep [string null] false <nil> [] ", "rate number true <nil> [] ", "shop string true <nil> [] ", "top number false 5 [] "}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Parameters that come as text, as from a command line, are read as the types that are wanted; a
// wrong one is refused by name.
func TestParamsByName(t *testing.T) {
	p, err := plan.Parse(declaring)
	if err != nil {
		t.Fatal(err)
	}
	got, err := plan.Params(p, map[string]any{"shop": "7", "rate": "1.5", "top": "3"})
	if err != nil || got["shop"] != "7" || got["rate"] != 1.5 || got["top"] != 3 || got["day"] != "mon" {
		t.Errorf("%v (%v)", got, err)
	}
	for wrong, given := range map[string]map[string]any{
		"shop": {"rate": 1}, "rate": {"shop": "a", "rate": "fast"}, "day": {"shop": "a", "rate": 1, "day": "sun"}, "top": {"shop": "a", "rate": 1, "top": "many"},
		"shp": {"shp": "a", "shop": "a", "rate": 1},
	} {
		if _, err := plan.Params(p, given); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), `"`+wrong+`"`) {
			t.Errorf("%v gives %v, want %s named", given, err, wrong)
		}
	}
}

// A declaration that is wrong in itself is found before any run, each on its line.
func TestDeclarationsAreChecked(t *testing.T) {
	_, err := plan.Check("params:\n  a: {type: integer, default: many}\n  b: {type: strnig}\n  c: {type: string, enum: [x], default: y}\nsteps:\n  - {id: a, tool: time}\n  - {id: b, tool: tmie}\n", plan.Known{Tools: []string{"time"}})
	for _, want := range []string{`line 2: parameter "a"`, `line 3: parameter "b"`, `line 4: parameter "c"`, `line 7, step b: tool "tmie"`} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}
