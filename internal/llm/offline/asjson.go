package offline

import (
	"encoding/json"

	"github.com/akitad/akitad/internal/pattern"
)

// asJSON asks for the answer as JSON.
var asJSON = pattern.New(`\b(?:as|in|to) json\b|json ?格式|(?:输出|返回|用|以) ?json`)

// jsonAnswer is one finding as JSON.
type jsonAnswer struct {
	File   string      `json:"file"`
	Filter string      `json:"filter,omitempty"`
	Count  *int        `json:"count,omitempty"`
	Fn     string      `json:"figure,omitempty"`
	Column string      `json:"column,omitempty"`
	Value  string      `json:"value,omitempty"`
	By     string      `json:"by,omitempty"`
	Groups []jsonGroup `json:"groups,omitempty"`
}

type jsonGroup struct {
	Name  string      `json:"name"`
	Value json.Number `json:"value"`
}

// jsonOf writes counts, figures and groups as JSON; "" if a finding is none of these.
func jsonOf(fs []*finding) string {
	var out []jsonAnswer
	for _, f := range fs {
		a := jsonAnswer{File: f.File, Filter: f.What}
		switch f.Kind {
		case "count":
			a.Count = &f.Count
		case "figure":
			a.Fn, a.Column, a.Value = f.Fn, f.Column, f.Value
		case "groups":
			a.By, a.Fn, a.Column = f.By, f.Fn, f.Column
			for _, g := range f.Groups {
				a.Groups = append(a.Groups, jsonGroup{g.Key, json.Number(g.Value)})
			}
		default:
			return ""
		}
		out = append(out, a)
	}
	var v any = out
	if len(out) == 1 {
		v = out[0]
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return ""
	}
	return string(text)
}
