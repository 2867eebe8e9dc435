package plan

import (
	"fmt"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/loose"
)

// maxItems bounds a for_each: a list this long is a mistake or an attack.
const maxItems = 1000

const eachHint = "Give a list: ${{ steps.ID.output.path }}, ${{ params.NAME }} or [a, b]."

// eachRefs gives the references of a for_each: one expression, with or without braces, or a list
// that may hold some.
func eachRefs(text string) ([]ref, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") {
		list, err := literalList(text)
		if err != nil {
			return nil, err
		}
		return refsIn(list)
	}
	r, err := parseRef(unbraced(text))
	if err != nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "%w", err).WithHint(eachHint)
	}
	return []ref{r}, nil
}

func unbraced(text string) string {
	if in, ok := strings.CutPrefix(text, "${{"); ok {
		if in, ok = strings.CutSuffix(in, "}}"); ok {
			return in
		}
	}
	return text
}

func literalList(text string) ([]any, error) {
	d, err := loose.Decode[struct {
		List []any `yaml:"list"`
	}]("list: "+text, nil)
	if err != nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "%q is no list", text).WithHint(eachHint)
	}
	return d.Value.List, nil
}

// eachItems gives the list that a for_each runs over. Null counts as an empty list.
func eachItems(text string, env Env) ([]any, error) {
	text = strings.TrimSpace(text)
	var v any
	var err error
	if strings.HasPrefix(text, "[") {
		var list []any
		if list, err = literalList(text); err == nil {
			v, err = Resolve(list, env)
		}
	} else {
		v, err = env.eval(unbraced(text))
	}
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	switch {
	case v == nil:
		return nil, nil
	case !ok:
		return nil, akitad.Errorf(akitad.InvalidRequest, "for_each: %s is not a list", clip(string(encode(v)))).WithHint(eachHint)
	case len(list) > maxItems:
		return nil, akitad.Errorf(akitad.InvalidRequest, "for_each: %d items are more than %d", len(list), maxItems).WithHint("Filter the list first.")
	}
	return list, nil
}

func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return fmt.Sprintf("%s...", string(r[:80]))
	}
	return s
}
