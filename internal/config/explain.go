package config

import (
	"cmp"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/sorting"
)

// Line is one key as `akitad config explain` shows it.
type Line struct {
	Key    string `json:"key"`
	Value  string `json:"value"`          // "[set]" for a secret
	Source string `json:"source"`         // "default", "akitad.yaml:12" or "env NAME"
	Note   string `json:"note,omitempty"` // what an owner should know of it

	Problem string `json:"problem,omitempty"` // what is wrong with it, and what to do
}

// ExplainAll is Explain of a configuration that has problems: each is at its key, and those of keys that
// there are not come last.
func ExplainAll(cfg Config, problems []*Problem) []Line {
	out := Explain(cfg)
	for _, p := range problems {
		what := strings.TrimSuffix(p.What+"; "+p.Fix, "; ")
		at := slices.IndexFunc(out, func(l Line) bool { return l.Key == p.Key })
		if at < 0 {
			at, out = len(out), append(out, Line{Key: p.Key, Source: p.Where})
		}
		if p.Where != "" {
			out[at].Source = p.Where
		}
		if out[at].Problem != "" {
			what = out[at].Problem + "; " + what
		}
		out[at].Problem = what
	}
	return out
}

// Explain lists every key with its value and where that came from, in the order of the keys; the
// secrets are hidden. Files that look like a configuration and are not read come last.
func Explain(cfg Config) []Line {
	var out []Line
	for _, f := range flatten(cfg) {
		source := cfg.sources[f.key]
		out = append(out, Line{Key: f.key, Value: show(f.value), Source: cmp.Or(source, "default"), Note: cfg.note(f.key, source)})
	}
	for _, name := range cfg.strays {
		out = append(out, Line{Key: name, Source: "home folder", Note: "this file is not read: the configuration is in " + FileName})
	}
	return out
}

// IsSet reports whether somebody has set a key, such as endpoints[0].window, in the file or in the
// environment: its value is no default.
func (c Config) IsSet(key string) bool { return c.sources[key] != "" }

type flat struct {
	key   string
	value any
}

// flatten lists the leaves of a configuration, list and map entries one by one.
func flatten(cfg Config) []flat {
	var out []flat
	for _, l := range leaves("", reflect.ValueOf(cfg)) {
		out = append(out, flattenValue(l.key, l.dst)...)
	}
	return out
}

// flattenValue lists the leaves of one value.
func flattenValue(key string, v reflect.Value) (out []flat) {
	switch {
	case isScalar(v.Type()), v.Type() == stringsType, v.Len() == 0:
		return []flat{{key, v.Interface()}}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			out = append(out, flattenGroup(fmt.Sprintf("%s[%d]", key, i), v.Index(i))...)
		}
	default:
		names := v.MapKeys()
		sorting.By(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, n := range names {
			out = append(out, flattenGroup(join(key, n.String()), v.MapIndex(n))...)
		}
	}
	return out
}

// flattenGroup lists the leaves of a struct, field by field.
func flattenGroup(key string, v reflect.Value) (out []flat) {
	if isScalar(v.Type()) {
		return []flat{{key, v.Interface()}}
	}
	for _, l := range leaves(key, v) {
		out = append(out, flattenValue(l.key, l.dst)...)
	}
	return out
}

// show gives a value as a Line shows it, with lists on one line and no passwords in URLs.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return hidden(v)
	case []string:
		return strings.Join(v, ", ")
	}
	if rv := reflect.ValueOf(v); (rv.Kind() == reflect.Slice || rv.Kind() == reflect.Map) && rv.Len() == 0 {
		return ""
	}
	return fmt.Sprint(v)
}

// hidden removes the user name and password from every URL of a comma-separated list.
func hidden(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	parts := strings.Split(text, ",")
	for i, p := range parts {
		u, err := url.Parse(strings.TrimSpace(p))
		switch {
		case err != nil && strings.Contains(p, "://"):
			parts[i] = "[hidden]"
		case err == nil && u.User != nil:
			u.User = url.User("[set]")
			parts[i] = strings.ReplaceAll(u.String(), "%5Bset%5D", "[set]")
		}
	}
	return strings.Join(parts, ",")
}
