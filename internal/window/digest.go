package window

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// Limits of a digest.
const (
	digestFailures = 3   // failures, the newest
	digestNames    = 60  // file names, and other names
	callBytes      = 160 // of a thought or of a call's arguments; of a result, half of that
	failureBytes   = 300 // of a failure's text
)

// digest sums up rounds by rules alone, in at most quota tokens: the last failures, the files, names from the
// results, and a line for each step. If there is no room for all steps, the oldest are left out. first is the
// number of the first of the rounds.
func digest(rounds []journal.RoundState, first, quota int) string {
	var b fitted
	b.room = quota
	b.section("last failures", failed(rounds), digestFailures)
	b.section("files", files(rounds), digestNames)
	b.line("named in the results: ", names(rounds), quota/3)
	b.section("steps", steps(rounds, first), len(rounds)*8)
	return strings.TrimSpace(b.String())
}

// fitted is a text that keeps to a number of tokens.
type fitted struct {
	strings.Builder
	room int
}

// section writes a title and the last of the lines: as many as fit, and at most most. It writes nothing if none fits.
func (f *fitted) section(title string, lines []string, most int) {
	from, room := len(lines), f.room-Tokens(title)-2
	for from > 0 && len(lines)-from < most {
		if room -= Tokens(lines[from-1]) + 2; room < 0 {
			break
		}
		from--
	}
	if from == len(lines) {
		return
	}
	f.add(title + ":\n")
	if from > 0 {
		f.add("- (older ones left out)\n")
	}
	for _, l := range lines[from:] {
		f.add("- " + l + "\n")
	}
}

// line writes a title and the first of the words, separated by commas: as many as fit in most tokens.
func (f *fitted) line(title string, words []string, most int) {
	room, n := min(most, f.room)-Tokens(title), 0
	for n < len(words) && n < digestNames {
		if room -= Tokens(words[n]) + 1; room < 0 {
			break
		}
		n++
	}
	if n > 0 {
		f.add(title + strings.Join(words[:n], ", ") + "\n")
	}
}

func (f *fitted) add(text string) {
	f.room -= Tokens(text)
	f.WriteString(text)
}

// steps gives a line for each thought that has words, and for each call with the beginning of its result.
func steps(rounds []journal.RoundState, first int) (out []string) {
	for i, r := range rounds {
		if !blank(r.Thought.Text) {
			out = append(out, fmt.Sprintf("round %d, thought: %s", first+i, oneLine(r.Thought.Text, callBytes)))
		}
		for k, c := range r.Thought.Calls {
			end := "no result"
			if k < len(r.Results) {
				end = outcome(r.Results[k])
			}
			out = append(out, fmt.Sprintf("round %d: %s %s -> %s", first+i, c.Tool, oneLine(string(c.Args), callBytes), end))
		}
	}
	return out
}

func outcome(o akitad.Observation) string {
	if o.Error != nil {
		return "failed: " + string(o.Error.Kind)
	}
	return fmt.Sprintf("%d bytes: %s", max(o.Bytes, len(o.Text)), oneLine(o.Text, callBytes/2))
}

// failed gives the failures of the rounds, each once, oldest first.
func failed(rounds []journal.RoundState) (out []string) {
	for _, r := range rounds {
		for _, o := range r.Results {
			if line := o.Tool + ": " + oneLine(o.Text, failureBytes); o.Error != nil && !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// files gives the file names in the calls' arguments, each once, and marks those that write_file wrote.
func files(rounds []journal.RoundState) (out []string) {
	for _, r := range rounds {
		for _, c := range r.Thought.Calls {
			var args struct{ Path, File string }
			if json.Unmarshal(c.Args, &args) != nil {
				continue
			}
			for _, name := range []string{args.Path, args.File} {
				if c.Tool == writeTool && name != "" {
					name += " (written)"
				}
				if name != "" && !slices.Contains(out, name) {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// names gives words from the results that may be needed again, each once: ids, addresses, versions, paths.
func names(rounds []journal.RoundState) (out []string) {
	seen := map[string]bool{}
	for _, r := range rounds {
		for _, o := range r.Results {
			if o.Error != nil {
				continue
			}
			for word := range strings.FieldsFuncSeq(o.Text, apart) {
				word = strings.Trim(word, ".:-_/#*")
				if !seen[word] && telling(word) {
					seen[word] = true
					out = append(out, word)
				}
			}
		}
		if len(out) > 4*digestNames {
			break
		}
	}
	return out
}

func apart(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("\"'`,;()[]{}<>|=", r)
}

// telling reports whether a word looks like such a name: it mixes letters and digits, or is a URL or a mail address.
func telling(word string) bool {
	if len(word) < 4 || len(word) > 80 {
		return false
	}
	letters := strings.IndexFunc(word, unicode.IsLetter) >= 0
	digits := strings.IndexFunc(word, unicode.IsDigit) >= 0
	return letters && digits || strings.Contains(word, "://") || letters && strings.ContainsRune(word, '@')
}
