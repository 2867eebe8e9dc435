package filter_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// A question is what somebody wants from an output: the intent that an agent would give with the
// call, and what the reply must hold, as a regular expression.
type question struct{ intent, want string }

// A fixture is one output of a tool. Those that are held out were never looked at while the rules
// and their weights were chosen.
type fixture struct {
	name    string
	text    string
	held    bool
	queries []question
}

// corpus makes every fixture; the same bytes each time.
func corpus() []fixture {
	return []fixture{
		snapshot(), issues(), accessLog(), goTest(), orders(), apiDocs(), chineseLog(), buildLog(), warnings(), patch(), priceList(),
		compilerErrors(), gitLog(), toolList(), podTable(), diffOutput(), openAPI(), chineseDocs(), javaLog(), searchHits(), webPage(),
		pytestOutput(), jestOutput(), goTestJSON(), cargoErrors(), prettyTypes(), mavenLog(), eslintOutput(), dockerBuild(),
		nginxLog(), jsonLog(), syslogLines(), onelineLog(), fieldLog(), chineseTable(), sensorTable(),
		ariaPage(), hubIssues(), jiraSearch(), manualPage(), openAPIJSON(), libraryDocs(), toolSignatures(), staffJSON(),
		rspecOutput(), pnpmBuild(), caddyLog(), statLog(), bankCSV(), playwrightPage(), linearIssues(), goDoc(), gradleLog(), mypyOutput(),
	}
}

type maker struct {
	*rand.Rand
	strings.Builder
}

func newMaker(seed uint64) *maker { return &maker{Rand: rand.New(rand.NewPCG(seed, 7))} }

func (m *maker) f(format string, args ...any) { fmt.Fprintf(&m.Builder, format, args...) }

func pick[T any](m *maker, from ...T) T { return from[m.IntN(len(from))] }

// exactly wants the words as they are.
func exactly(s string) string { return regexp.QuoteMeta(s) }

// counted wants a number beside the word that it counts.
func counted(word string, n int) string {
	w := regexp.QuoteMeta(word)
	return fmt.Sprintf(`(?i)%s[^0-9\n]{0,6}\b%d\b|\b%d\b[^0-9\n]{0,4}%s`, w, n, n, w)
}

// prose gives sentences of filler, so that what matters stands among other words.
func (m *maker) prose(sentences int) string {
	subjects := []string{"The scheduler", "A worker", "The importer", "Our staging cluster", "The mobile client", "The settings page", "The nightly job", "Each tenant", "The editor", "The sync engine"}
	verbs := []string{"keeps", "drops", "renders", "reloads", "queues", "rejects", "duplicates", "ignores", "rewrites", "caches"}
	objects := []string{"the second attachment", "stale tokens", "draft comments", "large tables", "empty folders", "the avatar image", "old webhooks", "pending invites", "keyboard focus", "the search index"}
	tails := []string{"when the network is slow", "after a restart", "on the first visit", "if two tabs are open", "since the last release", "only on Windows", "under heavy load", "for guests", "in private mode", "with the dark theme"}
	var out []string
	for range sentences {
		out = append(out, pick(m, subjects...)+" "+pick(m, verbs...)+" "+pick(m, objects...)+" "+pick(m, tails...)+".")
	}
	return strings.Join(out, " ")
}

func TestCorpusIsFair(t *testing.T) {
	all, held, seen := 0, 0, map[string]bool{}
	for _, f := range corpus() {
		for _, q := range f.queries {
			all++
			if f.held {
				held++
			}
			re := regexp.MustCompile(q.want)
			if re.MatchString(q.intent) {
				t.Errorf("%s: %q holds its own answer", f.name, q.intent)
			}
			if seen[f.name+q.intent] {
				t.Errorf("%s: %q is asked twice", f.name, q.intent)
			}
			seen[f.name+q.intent] = true
		}
	}
	if all < 300 || held < 90 {
		t.Errorf("%d questions, %d of them held out", all, held)
	}
}

// pad writes a line's number as tools do that show files.
func pad(n int) string { return fmt.Sprintf("%5d", n) }

func digits(n int) string { return fmt.Sprint(n) }
