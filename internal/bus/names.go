package bus

import (
	"strings"

	"github.com/akitad/akitad"
)

// The names of the streams. No two streams share a subject.
const (
	Tasks  = "AKITA_TASKS" // akita.task.<id>.<route>
	Queue  = "AKITA_WORK"  // akita.work.<profile>.<priority>.<id>
	Timers = "AKITA_TIMER" // akita.timer.<id> and akita.due.<id>
	Raw    = "AKITA_RAW"   // akita.raw.<channel>
	Inbox  = "AKITA_IN"    // akita.in.<channel>
	Spans  = "AKITA_SPANS" // akita.span.<trace>
	store  = "AKITA_ARTIFACTS"
)

const tokenHint = "use 1 or more of A-Z, a-z, 0-9, '-' and '_'"

// subject joins a prefix with tokens from outside, each of which must be a single plain token. The server
// would refuse a space; a dot or a wildcard would change the meaning of the subject.
func subject(prefix string, tokens ...string) (string, error) {
	for _, t := range tokens {
		if !plainToken(t) {
			return "", akitad.Errorf(akitad.InvalidRequest, "%q cannot be part of a subject", t).WithHint(tokenHint)
		}
	}
	return prefix + "." + strings.Join(tokens, "."), nil
}

func plainToken(t string) bool {
	for _, c := range []byte(t) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return t != ""
}

// checkFilter accepts a filter below prefix: plain tokens, "*" for one token, and a last ">" for the rest.
func checkFilter(prefix, filter string) error {
	rest, ok := strings.CutPrefix(filter, prefix+".")
	tokens := strings.Split(rest, ".")
	for i, t := range tokens {
		last := i == len(tokens)-1
		ok = ok && (plainToken(t) || t == "*" || t == ">" && last)
	}
	if !ok {
		return akitad.Errorf(akitad.InvalidRequest, "%q is not a filter below %s", filter, prefix).WithHint(tokenHint)
	}
	return nil
}

// checkAppend accepts akita.task.<id>.<route> with the fence akita.task.<id>.> of the same task. All writers
// must use the identical fence, because servers of a cluster compare appends in flight by that string.
func checkAppend(subj, fence string) error {
	tokens := strings.Split(subj, ".")
	if len(tokens) != 4 || tokens[0] != "akita" || tokens[1] != "task" {
		return akitad.Errorf(akitad.InvalidRequest, "%q is not akita.task.<id>.<route>", subj).WithHint(tokenHint)
	}
	if _, err := subject("akita.task", tokens[2], tokens[3]); err != nil {
		return err
	}
	if want := "akita.task." + tokens[2] + ".>"; fence != want {
		return akitad.Errorf(akitad.InvalidRequest, "fence of %s is %q, not %q", subj, fence, want)
	}
	return nil
}
