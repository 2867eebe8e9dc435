package tracing

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"

	"github.com/akitad/akitad"
)

// maxText is the maximum length of a text attribute, in characters. Longer contents belong in artifacts.
const maxText = 4096

// Attr is an attribute of a span.
type Attr struct{ kv attribute.KeyValue }

// String makes a text attribute. A text above 4,096 characters is cut.
func String(k, v string) Attr { return Attr{attrString(k, v)} }

// Int makes a whole-number attribute.
func Int(k string, v int) Attr { return Attr{attribute.Int(k, v)} }

// Float makes a number attribute. NaN and the infinities, which JSON cannot represent, become text.
func Float(k string, v float64) Attr {
	if notFinite(v) {
		return String(k, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return Attr{attribute.Float64(k, v)}
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Bool makes a boolean attribute.
func Bool(k string, v bool) Attr { return Attr{attribute.Bool(k, v)} }

// Strings makes an attribute with a list of texts.
func Strings(k string, v []string) Attr {
	clean := make([]string, len(v))
	for i, s := range v {
		clean[i] = validText(s)
	}
	return Attr{attribute.StringSlice(k, clean)}
}

func attrString(k, v string) attribute.KeyValue { return attribute.String(k, validText(v)) }

// validText returns v as valid UTF-8 of at most maxText characters, which the wire formats need.
func validText(v string) string {
	if !utf8.ValidString(v) {
		v = strings.ToValidUTF8(v, "\uFFFD")
	}
	if len(v) <= maxText || utf8.RuneCountInString(v) <= maxText {
		return v
	}
	return string([]rune(v)[:maxText-1]) + "…"
}

func toOtel(attrs []Attr) []attribute.KeyValue {
	out := make([]attribute.KeyValue, 0, len(attrs)+3)
	for _, a := range attrs {
		out = append(out, a.kv)
	}
	return out
}

// redacted returns the attributes with the secrets removed from every text.
func (t *Tracer) redacted(attrs []Attr) []attribute.KeyValue {
	out := toOtel(attrs)
	for i, kv := range out {
		switch kv.Value.Type() {
		case attribute.STRING:
			out[i] = attrString(string(kv.Key), t.opts.Redact(kv.Value.AsString()))
		case attribute.STRINGSLICE:
			list := kv.Value.AsStringSlice()
			for j := range list {
				list[j] = t.opts.Redact(list[j])
			}
			out[i] = Strings(string(kv.Key), list).kv
		}
	}
	return out
}

// clean returns s with the secrets removed from its name, error and text attributes. It does not change
// the caller's map.
func (t *Tracer) clean(s akitad.Span) akitad.Span {
	s.Name, s.Error = t.opts.Redact(s.Name), t.opts.Redact(s.Error)
	attrs := make(map[string]any, len(s.Attributes)+1)
	if t.opts.Node != "" {
		attrs[KeyNode] = t.opts.Node
	}
	for k, v := range s.Attributes {
		attrs[k] = t.cleanValue(v)
	}
	s.Attributes = attrs
	if s.End != nil && s.DurationMS == 0 {
		s.DurationMS = milliseconds(s.End.Sub(s.Start))
	}
	return s
}

func (t *Tracer) cleanValue(v any) any {
	switch v := v.(type) {
	case string:
		return validText(t.opts.Redact(v))
	case []string:
		list := make([]string, len(v))
		for i, s := range v {
			list[i] = validText(t.opts.Redact(s))
		}
		return list
	case int:
		return int64(v)
	case float64:
		if notFinite(v) {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return v
}
