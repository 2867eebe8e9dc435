package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// prefix begins the name of every variable that sets a key.
const prefix = "AKITA_"

// extra are variables with our prefix that are no keys: the home, and what tests of the program
// itself use.
func extra(name string) bool { return name == "AKITA_HOME" || strings.HasPrefix(name, "AKITA_TEST_") }

// leaf is a key that a variable can set.
type leaf struct {
	key string
	dst reflect.Value
}

// Variable gives the name of the variable that sets a key: pool.per_profile is
// AKITA_POOL_PER_PROFILE, mcpServers is AKITA_MCP_SERVERS.
func Variable(key string) string {
	var out strings.Builder
	out.WriteString(prefix)
	lower := false
	for _, r := range key {
		if unicode.IsUpper(r) && lower {
			out.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		if r == '.' {
			r = '_'
		}
		out.WriteRune(unicode.ToUpper(r))
	}
	return out.String()
}

// leaves lists the keys of a struct, in order: all that is not itself a group of keys.
func leaves(key string, v reflect.Value) (out []leaf) {
	for f, field := range v.Fields() {
		tag := f.Tag.Get("yaml")
		switch {
		case tag == "" || tag == "-":
		case field.Kind() == reflect.Struct && !isScalar(field.Type()):
			out = append(out, leaves(join(key, tag), field)...)
		default:
			out = append(out, leaf{join(key, tag), field})
		}
	}
	return out
}

// variables sets keys from AKITA_ variables. Lists of words are separated by commas, or YAML or JSON as
// lists of groups are.
func (l *loader) variables(cfg *Config) {
	var names []string
	for _, leaf := range leaves("", reflect.ValueOf(cfg).Elem()) {
		name := Variable(leaf.key)
		names = append(names, name)
		if text, ok := l.env[name]; ok && text != "" {
			l.variable(name, leaf, text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.env)) {
		if strings.HasPrefix(name, prefix) && !extra(name) && !slices.Contains(names, name) {
			l.problem("env "+name, "", nearestVariable(name, names), "no such key")
		}
	}
}

// nearestVariable gives the name that is closest to a misspelt one.
func nearestVariable(name string, names []string) string {
	if hint := didYouMean("", name, names); strings.HasPrefix(hint, "did you mean") {
		return hint
	}
	return "unset it, or see `akitad config explain` for every key"
}

// variable sets a key from a variable's text.
func (l *loader) variable(name string, to leaf, text string) {
	l.name = "env " + name
	switch t := to.dst.Type(); {
	case isScalar(t):
		l.setWord(to.key, l.name, strings.TrimSpace(text), to.dst) // files of variables leave blanks and \r behind
	case t == stringsType && !strings.HasPrefix(strings.TrimSpace(text), "["):
		l.sources[to.key] = l.name
		to.dst.Set(reflect.ValueOf(commaList(text)))
	default:
		to.dst.SetZero()
		body, err := parseYAML([]byte(text))
		if err != nil || body == nil {
			l.problem(l.name, to.key, "write it as one line of JSON", "is not valid YAML or JSON")
			return
		}
		l.value(to.key, body, to.dst)
	}
}

// commaList splits a list of words, dropping blanks around them and empty ones.
func commaList(text string) []string {
	var out []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}
