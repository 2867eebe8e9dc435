package tracing

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"

	"github.com/akitad/akitad"
)

// maxText is the longest text attribute that is kept, in characters: traces name things, artifacts
// hold them.
const maxText = 4096

// Attr is one fact about a span.
type Attr struct{ kv attribute.KeyValue }

// String makes a text attribute; texts over 4,096 characters are cut.
func String(k, v string) Attr { return Attr{attrString(k, v)} }

// Int makes a whole-number attribute.
func Int(k string, v int) Attr { return Attr{attribute.Int(k, v)} }

// Int64 makes a whole-number attribute.
func Int64(k string, v int64) Attr { return Attr{attribute.Int64(k, v)} }

// Float makes a number attribute; what JSON has no number for (NaN, infinities) becomes text.
func Float(k string, v float64) Attr {
	if notFinite(v) {
		return String(k, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return Attr{attribute.Float64(k, v)}
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Bool makes a yes-or-no attribute.
func Bool(k string, v bool) Attr { return Attr{attribute.Bool(k, v)} }

// Strings makes an attribute that is a list of texts.
func Strings(k string, v []string) Attr {
	clean := make([]string, len(v))
	for i, s := range v {
		clean[i] = validText(s)
	}
	return Attr{attribute.StringSlice(k, clean)}
}

func attrString(k, v string) attribute.KeyValue { return attribute.String(k, validText(v)) }

// validText is v as UTF-8 of bounded length: the wire formats hold nothing else.
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

// redacted gives the attributes with secrets taken out of every text.
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

// clean gives s with secrets taken out of name, error and text attributes; the caller's map stays
// as it was.
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
