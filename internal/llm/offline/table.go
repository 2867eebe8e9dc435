package offline

import (
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// table is what extract answers, read back.
type table struct {
	files   []fileLine
	notes   []string // figures that leave something out
	columns []string
	rows    [][]string
	found   []found
	total   int  // rows or groups in all
	more    bool // not all of them are here
}

// fileLine is what extract says about one file.
type fileLine struct {
	name      string
	format    string
	lines     int
	rows      int
	matched   int
	malformed int
	at        string // the first malformed lines
}

// found says where a word that was looked for stands.
type found struct {
	word     string
	mentions int
	first    string
	equal    map[string]int // column -> rows whose value is the word
}

var (
	aboutFile = pattern.New(`^# (.+) format=(\w+) lines=(\d+) rows=(\d+) matched=(\d+) malformed=(\d+)(?: cut=\d+)?(?: malformed_at=(\S+))?$`)
	aboutWord = pattern.New(`^# found ("(?:[^"\\]|\\.)*") mentions=(\d+)(?: first=("(?:[^"\\]|\\.)*"))?(.*)$`)
	inColumn  = pattern.New(` ("(?:[^"\\]|\\.)*")=(\d+)`)
	lastLine  = pattern.New(`^\[(?:rows|groups) \d+-\d+ of (\d+)(; next offset \d+)?\]$`)
)

// readTable reads an answer of extract.
func readTable(text string) *table {
	t := &table{}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "# "):
			t.readNote(line)
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && t.columns != nil:
			if m := lastLine.FindStringSubmatch(line); m != nil {
				t.total, t.more = atoi(m[1]), m[2] != ""
			}
		case t.columns == nil:
			t.columns = strings.Split(line, "\t")
		default:
			t.rows = append(t.rows, cells(line))
		}
	}
	return t
}

func (t *table) readNote(line string) {
	if m := aboutFile.FindStringSubmatch(line); m != nil {
		t.files = append(t.files, fileLine{m[1], m[2], atoi(m[3]), atoi(m[4]), atoi(m[5]), atoi(m[6]), m[7]})
		return
	}
	if m := aboutWord.FindStringSubmatch(line); m != nil {
		f := found{word: unquote(m[1]), mentions: atoi(m[2]), first: unquote(m[3]), equal: map[string]int{}}
		for _, c := range inColumn.FindAllStringSubmatch(m[4], -1) {
			f.equal[unquote(c[1])] = atoi(c[2])
		}
		t.found = append(t.found, f)
		return
	}
	if strings.Contains(line, "incomplete") || strings.Contains(line, "skipped=") {
		t.notes = append(t.notes, strings.TrimPrefix(line, "# "))
	}
}

func unquote(s string) string {
	out, err := strconv.Unquote(s)
	if err != nil {
		return s
	}
	return out
}

func atoi(s string) int {
	v, _ := strconv.Atoi(s)
	return v
}

var uncell = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")

func cells(line string) []string {
	out := strings.Split(line, "\t")
	for i := range out {
		if strings.Contains(out[i], `\`) {
			out[i] = uncell.Replace(out[i])
		}
	}
	return out
}

// cell gives the value of a row in a column; empty if the column is not there.
func (t *table) cell(row int, column string) string {
	for i, c := range t.columns {
		if c == column && row < len(t.rows) && i < len(t.rows[row]) {
			return t.rows[row][i]
		}
	}
	return ""
}

// matched is how many rows of all files met the filter.
func (t *table) matched() int {
	sum := 0
	for _, f := range t.files {
		sum += f.matched
	}
	return sum
}

func (t *table) rowsRead() int {
	sum := 0
	for _, f := range t.files {
		sum += f.rows
	}
	return sum
}

// extract is the tool's arguments, as much of them as is used here.
type extract struct {
	Path      string `json:"path,omitempty"`
	Format    string `json:"format,omitempty"`
	Pattern   string `json:"pattern,omitempty"`
	Columns   string `json:"columns,omitempty"`
	Where     string `json:"where,omitempty"`
	Since     string `json:"since,omitempty"`
	Until     string `json:"until,omitempty"`
	GroupBy   string `json:"group_by,omitempty"`
	Aggregate string `json:"aggregate,omitempty"`
	Order     string `json:"order,omitempty"`
	Limit     int    `json:"limit,omitempty"`
	Offset    int    `json:"offset,omitempty"`
	Normalise bool   `json:"normalise,omitempty"`
	Describe  bool   `json:"describe,omitempty"`
	LookFor   string `json:"look_for,omitempty"`
}

// extract calls the tool and reads its answer.
func (s *session) extract(args extract) (*table, error) {
	if args.Since == "" && args.Until == "" && !args.Describe {
		args.Since, args.Until = s.scope[0], s.scope[1]
	}
	text, err := s.call("extract", args)
	if err != nil {
		return nil, err
	}
	t := readTable(text)
	for i := range t.notes {
		t.notes[i] = s.say.toolNote(t.notes[i])
	}
	return t, nil
}

// toolNotes are what extract says about figures that leave something out, and the same in Chinese.
var toolNotes = []struct {
	re *pattern.Pattern
	zh string
}{
	{pattern.New(`^order (.+): skipped=(\d+) values that are no number$`), "按 $1 排序时略去了 $2 个不是数字的值"},
	{pattern.New(`^order (.+): skipped=(\d+) values that are no time$`), "按 $1 排序时略去了 $2 个不是时间的值"},
	{pattern.New(`^(.+): skipped=(\d+) values that are no number$`), "$1 略去了 $2 个不是数字的值"},
	{pattern.New(`^(.+): skipped=(\d+) values that are no time$`), "$1 略去了 $2 个不是时间的值"},
	{pattern.New(`^(.+): incomplete, more than (\d+) values$`), "$1 不完整：值超过 $2 个"},
	{pattern.New(`^incomplete: more than (\d+) groups; (\d+) rows are in none of them$`), "不完整：分组超过 $1 个，有 $2 行未归入任何一组"},
}

// toolNote says what the tool says in the language of the answer.
func (l say) toolNote(note string) string {
	if l != "zh" {
		return note
	}
	for _, n := range toolNotes {
		if n.re.MatchString(note) {
			return n.re.ReplaceAllString(note, n.zh)
		}
	}
	return note
}
