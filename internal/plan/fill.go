package plan

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/akitad/akitad"
)

// fill gives s with all its expressions replaced by values; s itself stays as it is.
func fill(s akitad.Step, env Env) (akitad.Step, error) {
	with, err := Resolve(s.With, env)
	if err != nil {
		return s, err
	}
	if s.With != nil {
		s.With = with.(map[string]any)
	}
	for _, text := range []*string{&s.Prompt, &s.Goal, &s.IdempotencyKey} {
		if *text, err = env.text(*text); err != nil {
			return s, err
		}
	}
	if s.Verify != nil {
		v := *s.Verify
		if v.Command, err = env.text(v.Command); err != nil {
			return s, err
		}
		s.Verify = &v
	}
	s.Files, err = fillFiles(s.Files, env)
	return s, err
}

// fillFiles puts the names of a list that stands in the place of one name in its place.
func fillFiles(files []string, env Env) ([]string, error) {
	var out []string
	for _, f := range files {
		v, err := env.expand(f)
		if err != nil {
			return nil, err
		}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, item := range list {
			switch item := item.(type) {
			case nil:
			case string:
				out = append(out, item)
			default:
				out = append(out, string(encode(item)))
			}
		}
	}
	return out, nil
}

// each gives the status of a step that runs once for each item of a list, and joins what its
// items gave in the order of the list.
func (r *run) each(s akitad.Step) status {
	items, err := eachItems(s.ForEach, r.env)
	if err != nil {
		return r.judge(s, s.ID, broken(err))
	}
	st := status{stage: doneOK}
	outputs := make([]json.RawMessage, len(items))
	pending, lost := 0, 0
	for k := range items {
		env := r.env
		env.Item = &Item{items[k], k}
		id := fmt.Sprintf("%s/%d", s.ID, k)
		one := r.judge(s, id, r.task(s, id, env, k))
		note := Note{ID: id, Step: s.ID, Reason: one.reason, Failure: one.fail}
		outputs[k] = json.RawMessage("null")
		switch one.stage {
		case running:
			if pending++; pending <= cmp.Or(s.MaxParallel, DefaultBreadth) {
				for _, r := range one.ready {
					r.Of = len(items)
					st.ready = append(st.ready, r)
				}
			}
		case doneOK:
			outputs[k] = one.output
			st.parts = append(st.parts, *one.result)
		case asking:
			st.asks = append(st.asks, note)
		case failed, doneNull:
			st.notes = append(st.notes, note)
			if one.stage == failed {
				lost++
			}
		}
	}
	st.output = encode(outputs)
	switch {
	case pending > 0:
		st.stage = running
	case len(st.asks) > 0:
		st.stage = asking
	case lost > 0:
		first := st.notes[0]
		st.stage, st.fail = failed, first.Failure
		st.reason = fmt.Sprintf("%d of %d items failed, first %s: %s", lost, len(items), first.ID, first.Reason)
	}
	return st
}
