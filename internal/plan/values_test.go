package plan_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/plan"
)

func values() plan.Env {
	return plan.Env{
		Params: map[string]any{"s": "text", "n": 3, "f": 1.5, "b": true, "l": []any{"a", "b"}, "m": map[string]any{"k": "v", "odd key": 1}, "none": nil, "num": "12"},
		Outputs: map[string]json.RawMessage{
			"one": json.RawMessage(`{"rows": [{"id": 7}, {"id": 8}], "ok": true, "html": "<b>&</b>"}`),
			"two": json.RawMessage(`null`),
			"三":   json.RawMessage(`[1, 2]`),
		},
		Texts: map[string]string{"one": "the text"},
		Item:  &plan.Item{Value: map[string]any{"id": "x"}, Index: 2},
	}
}

func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		in   any
		want any
	}{
		{"no expression", "no expression"},
		{"${{ params.n }}", 3},
		{"${{params.n}}", 3},
		{" ${{ params.n }}", " 3"},
		{"n=${{ params.n }}, f=${{ params.f }}, b=${{ params.b }}, s=${{ params.s }}", "n=3, f=1.5, b=true, s=text"},
		{"${{ params.l }}", []any{"a", "b"}},
		{"l: ${{ params.l }}", `l: ["a","b"]`},
		{"${{ params.l[1] }}", "b"},
		{"${{ params.m.k }}", "v"},
		{`${{ params.m["odd key"] }}`, 1},
		{"${{ params.none }}", nil},
		{"${{ params.none.deeper[3] }}", nil},
		{"${{ steps.one.output.rows[0].id }}", 7},
		{"${{ steps.one.output.rows }}", []any{map[string]any{"id": 7}, map[string]any{"id": 8}}},
		{"${{ steps.one.output.text }}", "the text"},
		{"${{ steps.one.output.html }}!", "<b>&</b>!"},
		{"x ${{ steps.one.output.rows[1] }}", `x {"id":8}`},
		{"${{ steps.two.output.text }}", nil},
		{"a ${{ steps.two.output }}", "a null"},
		{"${{ steps.三.output[1] }}", 2},
		{"${{ item.id }}-${{ index }}", "x-2"},
		{"${{ item }}", map[string]any{"id": "x"}},
		{map[string]any{"a": []any{"${{ params.n }}", 1, nil}, "${{ params.s }}": "k"}, map[string]any{"a": []any{3, 1, nil}, "${{ params.s }}": "k"}},
		{5, 5},
		{"$ {{ params.n }} and }}", "$ {{ params.n }} and }}"},
	} {
		got, err := plan.Resolve(tt.in, values())
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%v: got %#v, %v, want %#v", tt.in, got, err, tt.want)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		kind     akitad.Kind
	}{
		{"${{ params.m.kk }}", "params.m has no kk", akitad.NotFound},
		{"${{ params.x }}", "no parameter x", akitad.NotFound},
		{"${{ params.l[2] }}", "params.l is a list of 2 and has no 2", akitad.NotFound},
		{"${{ params.l.first }}", "params.l is a list of 2 and has no first", akitad.NotFound},
		{"${{ params.s.k }}", "params.s is a single value and has no k", akitad.NotFound},
		{"a ${{ steps.none.output }}", "step none has no output yet", akitad.NotFound},
		{"${{ steps.one.output.row }}", "steps.one.output has no row", akitad.NotFound},
		{"${{ steps.one.result }}", "steps.one has only an output", akitad.InvalidRequest},
		{"${{ params }}", "params needs a name", akitad.InvalidRequest},
		{"${{ params.s + 1 }}", "goes on after the reference", akitad.InvalidRequest},
		{"${{ }}", "is no reference", akitad.InvalidRequest},
		{"${{ params. }}", "a name must follow the dot", akitad.InvalidRequest},
		{"${{ params.l[x] }}", `"x" is no index`, akitad.InvalidRequest},
		{"${{ params.l[1 }}", "has no closing bracket", akitad.InvalidRequest},
		{"${{ index.a }}", "index is a number", akitad.InvalidRequest},
		{"${{ secrets.KEY }}", "is no reference", akitad.InvalidRequest},
	} {
		got, err := plan.Resolve(tt.in, values())
		if err == nil || !strings.Contains(err.Error(), tt.want) || akitad.KindOf(err) != tt.kind {
			t.Errorf("%s: got %v, %v (%s), want %s", tt.in, got, err, akitad.KindOf(err), tt.want)
		}
	}
}

func TestOutputOf(t *testing.T) {
	for want, r := range map[string]akitad.Result{
		`{"text":"a <b>"}`: {Text: "a <b>"},
		`[1]`:              {Text: "x", Data: json.RawMessage(`[1]`)},
		`{"text":"y"}`:     {Text: "y", Data: json.RawMessage(`{broken`)},
	} {
		if got := string(plan.OutputOf(r)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWhen(t *testing.T) {
	for expr, want := range map[string]bool{
		"":                                     true,
		"true":                                 true,
		"false":                                false,
		"null":                                 false,
		"0":                                    false,
		"'x'":                                  true,
		"''":                                   false,
		"params.b":                             true,
		"params.none":                          false,
		"params.absent":                        false,
		"params.n == 3":                        true,
		"params.n == 3.0":                      true,
		"params.n == '3'":                      true,
		"params.n != 3":                        false,
		"params.num > 5":                       true,
		"params.num == 12":                     true,
		"params.s == \"text\"":                 true,
		"params.s == 'Text'":                   false,
		"params.s < 'u'":                       true,
		"params.n < 3":                         false,
		"params.n <= 3":                        true,
		"params.n >= 4":                        false,
		"params.n > -1":                        true,
		"params.none < 1":                      false,
		"params.none == null":                  true,
		"params.b == 'true'":                   true,
		"params.b == true":                     true,
		"'a' in params.l":                      true,
		"'c' in params.l":                      false,
		"'c' not in params.l":                  true,
		"3 in [1, params.n]":                   true,
		"'ex' in params.s":                     true,
		"'k' in params.m":                      true,
		"'k' in params.none":                   false,
		"empty params.none":                    true,
		"empty params.l":                       false,
		"empty []":                             true,
		"not empty params.s and params.b":      true,
		"empty 0":                              false,
		"steps.one.output.ok":                  true,
		"steps.one.output.rows[0].id == 7":     true,
		"steps.one.output.gone.deeper == 7":    false,
		"empty steps.one.output.gone":          true,
		"empty steps.two.output":               true,
		"${{ steps.one.output.ok }} == true":   true,
		"${{ params.n == 3 and params.b }}":    true,
		"params.n == 1 or params.n == 3":       true,
		"params.n == 1 and params.b or true":   true,
		"params.n == 1 and (params.b or true)": false,
		"not (params.n == 1)":                  true,
		"not not true":                         true,
		"'it\\'s' == \"it's\"":                 true,
		"params.m == params.m":                 true,
		"params.s == '和' or '文' in '中文'":       true,
		"false and params.l > 1":               false,
		"true or params.l > 1":                 true,
	} {
		if got, err := plan.When(expr, values()); err != nil || got != want {
			t.Errorf("%s: got %v, %v", expr, got, err)
		}
	}
}

func TestWhenRefuses(t *testing.T) {
	for expr, want := range map[string]string{
		"params.n = 3":                    `write "==" in place of "="`,
		"params.b && params.n":            `write "and" in place of "&&"`,
		"params.b || params.n":            `write "or" in place of "||"`,
		"!params.b":                       `write "not" in place of "!"`,
		"params.s == text":                "text needs quotes",
		"params.n >":                      "something is missing at the end",
		"(params.n":                       "a parenthesis is never closed",
		"params.n 3":                      `"3" is not expected there`,
		"== 3":                            `a value must stand before "=="`,
		"'open":                           "is never closed",
		"[1, 2":                           "a list needs commas and a closing bracket",
		"1.2.3":                           `"1.2.3" is no number`,
		"params.n not 3":                  "in must follow not there",
		"params.l > 1":                    "have no order",
		"1 in 2":                          "nothing can be in 2",
		"params.n # x":                    "is not understood",
		strings.Repeat("(", 100) + "1":    "nested deeper than 32",
		strings.Repeat("not ", 100) + "1": "nested deeper than 32",
		strings.Repeat("[", 100):          "nested deeper than 32",
	} {
		got, err := plan.When(expr, values())
		if err == nil || !strings.Contains(err.Error(), want) || akitad.KindOf(err) != akitad.InvalidRequest || akitad.FailureOf(err).Hint == "" {
			t.Errorf("%s: got %v, %v, want %s", expr, got, err, want)
		}
	}
}

func FuzzWhen(f *testing.F) {
	for _, s := range []string{"params.n == 3 and not empty steps.one.output.rows[0]", "${{ 'a' in ['a', 1.5] }} or (true)", "params[\"x\"].y <= -2", "a not in b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := plan.When(text, values())
		again, err2 := plan.When(text, values())
		if first != again || (err == nil) != (err2 == nil) {
			t.Errorf("%q: %v, %v, then %v, %v", text, first, err, again, err2)
		}
	})
}

func FuzzResolve(f *testing.F) {
	f.Add("a ${{ steps.one.output.rows[0] }} ${{ item }}")
	f.Add("${{ params.m['odd key'] }}")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := plan.Resolve(text, values())
		if err == nil && !strings.Contains(text, "${{") && got != text {
			t.Errorf("%q became %v", text, got)
		}
	})
}
