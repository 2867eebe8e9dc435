package offline_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/akitad/akitad/examples/incident/incident"
)

const (
	incidentEN = "Which services failed, when, why, how often, and what changed before? Write the report to report.md."
	incidentZH = "哪些服务出了故障，什么时候，为什么，多频繁，之前有什么变更？把报告写到 report.md。"
)

// TestIncidents lets a team answer about invented outages, whose services and errors have random
// names, and holds every line and every figure of the answer against what the generator counted.
func TestIncidents(t *testing.T) {
	for seed := range uint64(8) {
		for _, format := range incident.Formats {
			t.Run(fmt.Sprintf("%s/%d", format, seed), func(t *testing.T) {
				t.Parallel()
				inc, err := incident.Generate(randomConfig(seed, format))
				if err != nil {
					t.Fatal(err)
				}
				words := incidentEN
				if seed%4 == 3 {
					words = incidentZH
				}
				k := newKit(t, files(inc))
				if p := k.plan(words); len(p.Steps) != len(inc.Logs)+2 {
					t.Errorf("the plan has %d steps, want one per file and one that joins", len(p.Steps))
				}
				res := k.team(words)
				if len(res.Missing) > 0 {
					t.Errorf("missing: %v", res.Missing)
				}
				c := &checker{t: t, inc: inc, lines: map[string][]string{}}
				c.check(res.Text, "size", "errors")
				c.check(k.read("report.md"), "size", "errors", "peak", "top", "slowest")
			})
		}
	}
}

func files(inc incident.Incident) map[string]string {
	out := map[string]string{inc.Note.Name: string(inc.Note.Bytes())}
	for _, l := range inc.Logs {
		out[l.Name] = string(l.Bytes())
	}
	return out
}

// randomConfig draws 2 to 5 services and three causes of words that nobody knows.
func randomConfig(seed uint64, format incident.Format) incident.Config {
	rng := rand.New(rand.NewPCG(seed, 99))
	cfg := incident.Config{Seed: seed, Format: format}
	for range 2 + rng.IntN(4) {
		cfg.Services = append(cfg.Services, babble(rng, 2)+"-"+babble(rng, 1))
	}
	for range 3 {
		cfg.Causes = append(cfg.Causes, incident.Cause{
			Change: babble(rng, 3) + " changed from " + babble(rng, 2) + " to " + babble(rng, 2),
			Errors: []string{
				babble(rng, 2) + " " + babble(rng, 3) + " {id} was " + babble(rng, 2),
				babble(rng, 3) + ": {n} of " + babble(rng, 2) + " lost",
			},
		})
	}
	return cfg
}

// babble makes a pronounceable word of so many syllables.
func babble(rng *rand.Rand, syllables int) string {
	var b strings.Builder
	for range syllables {
		b.WriteByte("bdfgklmnprstvz"[rng.IntN(14)])
		b.WriteByte("aeiou"[rng.IntN(5)])
		b.WriteByte("lmnrst"[rng.IntN(6)])
	}
	return b.String()
}

// checker holds an answer against the truth: each line must be of a known form, and each figure in
// it right.
type checker struct {
	t       *testing.T
	inc     incident.Incident
	service *incident.Service
	lines   map[string][]string // service -> kinds of line seen
	deploys int
}

const num, src, at = `([\d,]+)`, `([\w-]+\.\w+):(\d+)`, `(\S+|\S+ \d\d:\d\d:\d\S*|\w{3} [ \d]\d \d\d:\d\d:\d\d)`

// forms are the lines an answer may hold, in English and Chinese, and what checks their figures.
var forms = []struct {
	name string
	re   *regexp.Regexp
	f    func(c *checker, m []string)
}{
	{"verdict", regexp.MustCompile(`^\*\*(?:(\d+) of (\d+) failed|(\d+) 个中有 (\d+) 个发生故障)`), (*checker).verdict},
	{"chapter", regexp.MustCompile(`^## ([\w-]+) \(([\w-]+\.log)\)$`), (*checker).chapter},
	{"size", regexp.MustCompile(`^- ` + num + `(?: lines| 行)[,，] ?(.*?)(?:; levels: |；级别：)(.*?)(?:(?:; statuses: |；状态码：)(.*))?$`), (*checker).size},
	{"failed", regexp.MustCompile(`^- (?:Failed from|故障时段：) ?` + at + `(?: \(|（)` + src + `(?:\) to |）至 )` + at + `(?: \(|（)` + src + `(?:\): |），下列各类共 )` + num + ` `), (*checker).failed},
	{"why", regexp.MustCompile("^- (?:Why: |原因：)`(.*)`[,，] ?" + num + `(?: times?| 次)(?: \(first |（首 )` + src + `(?:, last |，末 )` + src), (*checker).message},
	{"spared", regexp.MustCompile(`^- (?:Not counted as failed|不算故障).*?([\d.]+) %`), (*checker).spared},
	{"errors", regexp.MustCompile(`^- (?:Errors|错误)\s?[(（].*[)）](?:: |：)` + num + `(?:; first |；首个 )` + at + `(?: \(|（)` + src + `(?:\), last |），最后 )` + at + `(?: \(|（)` + src), (*checker).errors},
	{"no errors", regexp.MustCompile(`^- (?:Errors|错误)\s?[(（].*[)）](?:: |：)(0)$`), (*checker).none},
	{"peak", regexp.MustCompile(`^- (?:Peak: |峰值：)(.*)(?: \(first |（首 )` + src), (*checker).peak},
	{"top title", regexp.MustCompile(`^- (?:Most frequent errors:|最常见的错误：)$`), nil},
	{"top", regexp.MustCompile("^  - `(.*)`(?:: |：)" + num + `(?: times?| 次)(?: \(first |（首 )` + src + `(?:, last |，末 )` + src), (*checker).message},
	{"slowest", regexp.MustCompile(`^- (?:Slowest: |最慢：)` + num + ` ms(?: \(|（)` + src), (*checker).slowest},
	{"changed", regexp.MustCompile(`^## (?:What changed|变更)$`), nil},
	{"deploy", regexp.MustCompile(`^- ` + at + `(?: \(|（)(deploy\.md):(\d+)(?:\): |）：)(.*)$`), (*checker).deploy},
	{"change", regexp.MustCompile(`^(?:  )?- (.*) \((deploy\.md):(\d+)\)$`), (*checker).quote},
	{"order", regexp.MustCompile(`^## (?:In order|时间顺序)$`), nil},
	{"onset", regexp.MustCompile(`^- ` + at + `(?:: |：)([\w-]+) (?:starts to fail|开始故障)(?: \(|（)` + src + `[)）](.*)$`), (*checker).onset},
	{"caveat", regexp.MustCompile(`^(?:That the failure follows|时间只能说明)`), nil},
	{"report", regexp.MustCompile(`^(?:The report is in report\.md\.|报告已写入 report\.md。)$`), nil},
}

// check reads an answer; wanted are the kinds of line that it must hold for each service.
func (c *checker) check(answer string, wanted ...string) {
	c.t.Helper()
	c.lines, c.deploys = map[string][]string{}, 0
	for line := range strings.SplitSeq(strings.TrimSpace(answer), "\n") {
		if line == "" {
			continue
		}
		c.line(line)
	}
	for i := range c.inc.Truth.Services {
		s := &c.inc.Truth.Services[i]
		for _, w := range wanted {
			if !slices.Contains(c.lines[s.Name], w) {
				c.t.Errorf("%s: no line of the kind %q", s.Name, w)
			}
		}
		if slices.Contains(c.lines[s.Name], "failed") != s.Failed {
			c.t.Errorf("%s: told as failed: %v, is %v", s.Name, !s.Failed, s.Failed)
		}
	}
	if c.deploys == 0 {
		c.t.Error("the deploy is not named before the failure")
	}
	if c.t.Failed() {
		c.t.Log(answer)
	}
}

func (c *checker) line(line string) {
	for _, f := range forms {
		m := f.re.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if f.f != nil {
			f.f(c, m)
		}
		if c.service != nil {
			c.lines[c.service.Name] = append(c.lines[c.service.Name], f.name)
		}
		return
	}
	c.t.Errorf("a line of no known form: %q", line)
}

func number(s string) int {
	v, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil {
		return -1
	}
	return v
}

func (c *checker) equal(what string, got, want int) {
	if got != want {
		c.t.Errorf("%s: told %d, is %d", what, got, want)
	}
}

func (c *checker) event(what, when, file, line string, want *incident.Event) {
	c.equal(what+" line", number(line), want.Line)
	if file != c.service.File {
		c.t.Errorf("%s: in %s, want %s", what, file, c.service.File)
	}
	if when != c.shown(want) {
		c.t.Errorf("%s: told %q, is %q", what, when, c.shown(want))
	}
}

// shown is an event's time as its format tells it.
func (c *checker) shown(e *incident.Event) string {
	switch c.inc.Truth.Format {
	case incident.Syslog:
		return e.Time.Format("Jan _2 15:04:05")
	case incident.Nginx:
		return e.Time.Format("2006-01-02 15:04:05")
	}
	if e.Time.Nanosecond() == 0 {
		return e.Time.Format("2006-01-02T15:04:05Z07:00")
	}
	return e.Time.Format("2006-01-02T15:04:05.000Z07:00")
}

func (c *checker) verdict(m []string) {
	failed, all := number(m[1]+m[4]), number(m[2]+m[3])
	count := 0
	for _, s := range c.inc.Truth.Services {
		if s.Failed {
			count++
		}
	}
	c.equal("failed services", failed, count)
	c.equal("services", all, len(c.inc.Truth.Services))
}

func (c *checker) chapter(m []string) {
	c.service = nil
	for i := range c.inc.Truth.Services {
		if s := &c.inc.Truth.Services[i]; s.Name == m[1] && s.File == m[2] {
			c.service = s
		}
	}
	if c.service == nil {
		c.t.Fatalf("there is no service %q", m[1])
	}
}

func (c *checker) size(m []string) {
	c.equal("lines", number(m[1]), c.service.Lines)
	levels := map[string]int{}
	none := 0
	for item := range strings.SplitSeq(m[3], ", ") {
		at := strings.LastIndexByte(item, ' ')
		if strings.HasPrefix(item, "without level") || strings.HasPrefix(item, "无级别") {
			none = number(item[at+1:])
			continue
		}
		levels[c.levelName(item[:at])] = number(item[at+1:])
	}
	sum := none
	for name, want := range c.service.Levels {
		c.equal("level "+name, levels[name], want)
		sum += want
	}
	c.equal("lines by level", sum, c.service.Lines)
	for item := range strings.SplitSeq(m[4], ", ") {
		if status, count, ok := strings.Cut(item, " "); ok {
			c.equal("status "+status, number(count), c.service.Statuses[status])
		}
	}
}

// levelName undoes the names that a syslog priority stands for.
func (c *checker) levelName(s string) string {
	return map[string]string{"ERR": "ERROR", "WARNING": "WARN"}[s] + map[bool]string{true: s}[s != "ERR" && s != "WARNING"]
}

func (c *checker) failed(m []string) {
	c.event("outage from", m[1], m[2], m[3], c.service.FailedFrom)
	c.event("outage to", m[4], m[5], m[6], c.service.FailedTo)
	count := 0
	for _, msg := range c.service.TopErrors[:2] {
		count += msg.Count
	}
	c.equal("errors of the outage", number(m[7]), count)
}

var holes = regexp.MustCompile(`\{\w+\}|<\w+>|[0-9a-f]*\d[0-9a-f]*`)

// bare is a message without what differs from line to line.
func bare(s string) string { return holes.ReplaceAllString(s, "#") }

func (c *checker) message(m []string) {
	for _, msg := range c.service.TopErrors {
		if bare(msg.Template) != bare(m[1]) {
			continue
		}
		c.equal("count of "+m[1], number(m[2]), msg.Count)
		c.equal("first of "+m[1], number(m[4]), msg.First)
		c.equal("last of "+m[1], number(m[6]), msg.Last)
		return
	}
	c.t.Errorf("%s has no error %q", c.service.Name, m[1])
}

func (c *checker) spared(m []string) {
	want := fmt.Sprintf("%.1f", 100*float64(c.service.Errors)/float64(c.service.Lines))
	if m[1] != want {
		c.t.Errorf("share of errors: told %s, is %s", m[1], want)
	}
}

func (c *checker) errors(m []string) {
	c.equal("errors", number(m[1]), c.service.Errors)
	c.event("first error", m[2], m[3], m[4], c.service.FirstError)
	c.event("last error", m[5], m[6], m[7], c.service.LastError)
}

func (c *checker) none([]string) { c.equal("errors", 0, c.service.Errors) }

var peakParts = regexp.MustCompile(`(?:(\d+) errors? in (.*)|(.*) 有 (\d+) 个错误)`)

func (c *checker) peak(m []string) {
	p := peakParts.FindStringSubmatch(m[1])
	best := 0
	for _, n := range c.service.ErrorsPerMinute {
		best = max(best, n)
	}
	c.equal("errors in the worst minute", number(p[1]+p[4]), best)
	minute := p[2] + p[3]
	for name, n := range c.service.ErrorsPerMinute {
		if sameMinute(name, minute) {
			c.equal("errors in "+minute, n, best)
			return
		}
	}
	c.t.Errorf("there is no minute %q", minute)
}

// sameMinute compares 2006-01-02 15:04 with a minute as it is told.
func sameMinute(name, told string) bool {
	told = strings.TrimSuffix(strings.Replace(told, "T", " ", 1), "Z")
	return name == told || len(told) == 12 && name[10:] == told[6:]
}

func (c *checker) slowest(m []string) {
	c.equal("slowest", number(m[1]), c.service.Slowest.MS)
	c.equal("slowest line", number(m[3]), c.service.Slowest.Line)
}

// quote checks a statement of the note: its line must say it.
func (c *checker) quote(m []string) {
	line := number(m[3])
	if line < 1 || line > len(c.inc.Note.Lines) || !strings.Contains(c.inc.Note.Lines[line-1], m[1]) {
		c.t.Errorf("deploy.md:%d does not say %q", line, m[1])
	}
}

func (c *checker) deploy(m []string) {
	d := c.inc.Truth.Deploy
	c.deploys++
	c.equal("line of the deploy", number(m[3]), d.TimeLine)
	if want := d.Time.Format("2006-01-02T15:04:05Z07:00"); m[1] != want {
		c.t.Errorf("time of the deploy: told %q, is %q", m[1], want)
	}
	for _, want := range []string{d.Service, d.Version, fmt.Sprintf("%s (deploy.md:%d)", d.Change, d.ChangeLine)} {
		if !strings.Contains(m[4], want) {
			c.t.Errorf("the deploy lacks %q: %s", want, m[4])
		}
	}
}

func (c *checker) onset(m []string) {
	c.chapter([]string{"", m[2], m[2] + ".log"})
	c.event("onset", m[1], m[3], m[4], c.service.FailedFrom)
	if after := strings.TrimLeft(m[5], ",，"); c.service.Name != c.firstFailed() && !strings.Contains(after, c.firstFailed()) {
		c.t.Errorf("the onset of %s is not put after that of %s: %s", c.service.Name, c.firstFailed(), after)
	}
	c.service = nil
}

func (c *checker) firstFailed() string {
	var first *incident.Service
	for i := range c.inc.Truth.Services {
		if s := &c.inc.Truth.Services[i]; s.Failed && (first == nil || s.FailedFrom.Time.Before(first.FailedFrom.Time)) {
			first = s
		}
	}
	return first.Name
}
