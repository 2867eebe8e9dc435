package guard_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/guard"
)

func TestCanonical(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"", "{}"},
		{"  ", "{}"},
		{`{"b":2,"a":1}`, `{"a":1,"b":2}`},
		{`{ "a" : [ 1.0, 1e2, -0, 0.0, 2.50 ] }`, `{"a":[1,100,0,0,2.5]}`},
		{`{"a":12345678901234567890}`, `{"a":12345678901234567890}`},
		{`{"a":12345678901234567891}`, `{"a":12345678901234567891}`},
		{`{"a":1e999}`, `{"a":1e999}`},
		{`{"a":9007199254740993.0,"b":5.0}`, `{"a":9007199254740993.0,"b":5}`}, // no float is the first
		{`{"a":"1.0"}`, `{"a":"1.0"}`},
		{`{"a":{"z":null,"y":true}}`, `{"a":{"y":true,"z":null}}`},
		{`{"a":1} more`, `{"a":1} more`},
		{`not json`, `not json`},
	} {
		if got := string(guard.Canonical(json.RawMessage(tt.args))); got != tt.want {
			t.Errorf("%q gives %s, want %s", tt.args, got, tt.want)
		}
	}
}

func TestKeyTellsCallsApart(t *testing.T) {
	seen := map[string]string{}
	for _, c := range [][2]string{{"q", `{"a":1}`}, {"q", `{"a":2}`}, {"q", `{"a":"1"}`}, {"q", `{"b":1}`}, {"r", `{"a":1}`}, {"q", `{"a":[1]}`}, {"q", `{}`}} {
		k := guard.Key(c[0], json.RawMessage(c[1]))
		if other, dup := seen[k]; dup {
			t.Errorf("%v has the key of %s", c, other)
		}
		seen[k] = c[0] + c[1]
	}
}

func TestOneMeaningHasOneKey(t *testing.T) {
	for _, same := range [][]string{
		{`{"a":{"y":1,"x":[{"q":1,"p":2}]},"b":[]}`, `{"b":[],"a":{"x":[{"p":2,"q":1}],"y":1}}`},
		{`{"t":"caf\u00e9 \u003cb\u003e"}`, `{"t":"café <b>"}`},
		{`{"u":"https:\/\/a.example\/x"}`, `{"u":"https://a.example/x"}`},
		{`{"n":[0.1,100,-0.0,0.5e1]}`, `{"n":[1e-1,1E+2,0,5]}`},
		{`{"a":1,"a":2}`, `{"a":2}`},
		{"{\n\t\"a\" :\r\n 1 }\n", `{"a":1}`},
	} {
		for _, args := range same[1:] {
			if guard.Key("q", json.RawMessage(args)) != guard.Key("q", json.RawMessage(same[0])) {
				t.Errorf("%q and %q have two keys", same[0], args)
			}
		}
	}
}

// Neither the order of keys nor blank space nor the spelling of numbers changes a key.
func TestKeyKnowsNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOfN(rapid.StringMatching(`[a-z]{1,4}`), rapid.IntRange(-1000, 1000), 1, 6).Draw(t, "args")
		write := func(keys []string, tail string) json.RawMessage {
			var parts []string
			for _, k := range keys {
				n, _ := json.Marshal(m[k])
				parts = append(parts, `"`+k+`": `+string(n)+tail)
			}
			return json.RawMessage("{ " + strings.Join(parts, " , ") + "\n}")
		}
		keys := slices.Sorted(maps.Keys(m))
		mixed := rapid.Permutation(keys).Draw(t, "order")
		tail := rapid.SampledFrom([]string{"", ".0", "e0", ".00E+0"}).Draw(t, "spelling")
		if guard.Key("q", write(keys, "")) != guard.Key("q", write(mixed, tail)) {
			t.Fatalf("%s and %s differ", write(keys, ""), write(mixed, tail))
		}
	})
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `[1.0,{"b":-0}]`, `{"a":1e400}`, `{`, "\xff", `{"a":1}{"a":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		once := guard.Canonical(raw)
		if twice := guard.Canonical(once); string(twice) != string(once) {
			t.Errorf("%q becomes %q, and that %q", raw, once, twice)
		}
		if json.Valid(raw) && !json.Valid(once) {
			t.Errorf("%q becomes %q", raw, once)
		}
	})
}
