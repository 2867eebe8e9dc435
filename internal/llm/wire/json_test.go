package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// Whatever a call holds as arguments, what goes out is an object.
func TestArgumentsOut(t *testing.T) {
	for args, want := range map[string]string{
		"": "{}", "null": "{}", " {} ": "{}", `{"b": 1, "a": "<x>"}`: `{"b":1,"a":"\u003cx\u003e"}`,
		`"{broken"`: `{"unreadable":"{broken"}`, "{broken": `{"unreadable":"{broken"}`, `[1]`: `{"unreadable":[1]}`, "1": `{"unreadable":1}`,
	} {
		if got := wire.ArgumentsOut(akitad.RawJSON(args)); got != want || !json.Valid([]byte(got)) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// What some servers write for numbers and in texts becomes JSON; all else is no JSON before and after.
func TestMended(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":NaN,"b":[-Infinity,Infinity,nan,-inf],"c":"NaN, Infinity"}`: `{"a":null,"b":[null,null,null,null],"c":"NaN, Infinity"}`,
		"{\"a\":\"x\ty\nz\",\"b\":-1}":                                    `{"a":"x\u0009y\u000az","b":-1}`,
		`{"a":"say \"NaN\" ","b":NaN}`:                                    `{"a":"say \"NaN\" ","b":null}`,
		`{"a":1}`:                                                         `{"a":1}`, `{"a":Nanny}`: "", `{"a":NaN`: "", `{"a":"x`: "", `{'a':1}`: "", "": "", `\`: "",
	} {
		if got, ok := wire.Mended([]byte(in)); ok != (want != "") || ok && string(got) != want {
			t.Errorf("%s: %s, %v; want %s", in, got, ok, want)
		}
	}
}

// Ids that are free are kept, others are replaced by the same ones every time, and none is given twice.
func TestIDs(t *testing.T) {
	req := llm.Request{Task: "t_a", Messages: []llm.Message{{Speaker: llm.Assistant, Calls: []akitad.Call{{ID: "known"}}}}}
	var first []string
	for range 2 {
		ids, seen := wire.NewIDs(req), map[string]bool{"known": true}
		var got []string
		for _, given := range []string{"a", "", "known", "a", ""} {
			id := ids.Own(given)
			if id == "" || seen[id] {
				t.Errorf("%q becomes %q", given, id)
			}
			seen[id] = true
			got = append(got, id)
		}
		if got[0] != "a" || first != nil && string(wire.Marshal(got)) != string(wire.Marshal(first)) {
			t.Errorf("%v, then %v", first, got)
		}
		first = got
	}
}

func TestUnseen(t *testing.T) {
	const want = "[a.tiff (image/tiff, 4 bytes) is not shown: no form for it]"
	if got := wire.Unseen(llm.Part{Name: "a.tiff", MIME: "image/tiff", Data: []byte("tiff")}, "no form for it"); got != want {
		t.Errorf("got %s", got)
	}
}
