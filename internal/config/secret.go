package config

import (
	"io/fs"
	"strings"
)

// Secret is a value that must not be shown. Formatting, JSON and YAML give "[set]", or "" for an
// empty one.
type Secret struct{ value string }

// NewSecret makes a secret of a value that is already at hand, as tests need it: the settings read theirs from their
// sources.
func NewSecret(value string) Secret { return Secret{value} }

// Reveal gives the value itself, for the one place that needs it.
func (s Secret) Reveal() string { return s.value }

// Set reports whether there is a value.
func (s Secret) Set() bool { return s.value != "" }

// String gives "[set]" or "".
func (s Secret) String() string {
	if s.value == "" {
		return ""
	}
	return "[set]"
}

// GoString gives what String gives, for %#v.
func (s Secret) GoString() string { return `"` + s.String() + `"` }

// MarshalText gives what String gives: JSON, YAML and loggers use it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// maxSecret is the largest file that file:PATH reads, in bytes.
const maxSecret = 64 << 10

// secret resolves env:NAME and file:PATH; anything else is the secret itself. The second result
// says what is wrong, the third what to do.
func (l *loader) secret(text string) (s Secret, what, fix string) {
	if name, ok := strings.CutPrefix(text, "env:"); ok {
		value := strings.TrimSpace(l.env[name])
		if value == "" {
			return s, "the variable " + name + " is not set", "set " + name + ", or write another source"
		}
		return Secret{value}, "", ""
	}
	path, ok := strings.CutPrefix(text, "file:")
	if !ok {
		return Secret{text}, "", ""
	}
	path = l.resolve(path)
	value, mode, err := readSmall(path, maxSecret)
	switch {
	case err != nil:
		return s, "cannot read the secret: " + err.Error(), "put the secret alone into that file"
	case mode.Perm()&0o077 != 0:
		return s, path + " can be read by others (mode " + octal(mode) + ")", "run: chmod 600 " + path
	case strings.TrimSpace(string(value)) == "":
		return s, path + " is empty", "put the secret alone into that file"
	}
	return Secret{strings.TrimSpace(string(value))}, "", ""
}

// isReference reports whether text names a secret without holding it.
func isReference(text string) bool {
	return text == "" || strings.HasPrefix(text, "env:") || strings.HasPrefix(text, "file:")
}

func octal(mode fs.FileMode) string {
	const digits = "01234567"
	p := mode.Perm()
	return string([]byte{'0', digits[p>>6&7], digits[p>>3&7], digits[p&7]})
}
