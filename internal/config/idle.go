package config

import (
	"slices"
	"strconv"
	"strings"
)

// idle are the keys that are read and checked, and that nothing in this version follows.
func idle() []string {
	return []string{
		"policy.hosts", "policy.ask_time", "sandbox.passthrough",
		"mcpServers", "memory.extract",
	}
}

// Denied gives the tools that rules forbid every agent, by name or glob. Since the first rule that fits decides, only
// the rules count that stand before the first rule of another sort.
func (p Policy) Denied() (out []string) {
	for _, r := range p.Rules {
		if r.Tool == "" || r != (Rule{Tool: r.Tool, Action: "deny"}) {
			break
		}
		out = append(out, r.Tool)
	}
	return out
}

// WithoutEffect lists the keys that have no effect in this version although somebody has set them, in the order of the
// keys.
func WithoutEffect(cfg Config) []Line {
	return slices.DeleteFunc(Explain(cfg), func(l Line) bool { return l.Note == "" })
}

// note gives what an owner should know of a key that somebody has set.
func (c Config) note(key, source string) string {
	if source != "" && c.withoutEffect(key) {
		return "this version reads it and does nothing with it"
	}
	return ""
}

// withoutEffect reports whether a key that was set has no effect.
func (c Config) withoutEffect(key string) bool {
	if key == "sandbox.backend" {
		return c.Sandbox.Backend == "landlock"
	}
	if rest, ok := strings.CutPrefix(key, "policy.rules["); ok {
		at, _, _ := strings.Cut(rest, "]")
		i, err := strconv.Atoi(at)
		return err == nil && i >= len(c.Policy.Denied())
	}
	plain := key
	if list, rest, ok := strings.Cut(key, "["); ok {
		_, rest, _ = strings.Cut(rest, "]")
		plain = list + "[]" + rest
	}
	return slices.ContainsFunc(idle(), func(k string) bool {
		return plain == k || strings.HasPrefix(plain, k+".")
	})
}
