package question_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/rows"
)

var known = []string{"app.log", "data/sales.csv", "notes.md"}

func TestReport(t *testing.T) {
	for words, want := range map[string]string{
		"Count the errors in app.log and write the report to report.md.":  "report.md",
		"Write how many errors are in app.log":                            "",
		"Write the number of errors in app.log to out/x.txt":              "out/x.txt",
		"Summarise notes.md into notes.md":                                "",
		"Save the answer as `a-b.md`":                                     "a-b.md",
		"Create a file called plan.md with the errors of app.log":         "plan.md",
		"List the errors in app.log":                                      "",
		"Put the top errors in a file named top.csv":                      "top.csv",
		"Write a report file about app.log":                               "report.md",
		"统计 app.log 的错误，写入 out.md":                                        "out.md",
		"把 app.log 的错误保存到结果.md 里":                                         "结果.md",
		"总结 notes.md，并将结果输出到 sum.md。":                                     "sum.md",
		"app.log 里有多少错误？":                                                 "",
		"Which services failed? Write it to ./report.md, please.":         "report.md",
		"Read app.log, then compare it to notes.md":                       "",
		"Write the report to ../../etc/x.md":                              "../../etc/x.md",
		"Export the regions of data/sales.csv to regions.csv, largest on": "regions.csv",
	} {
		if got := question.Parse(words, known).Report; got != want {
			t.Errorf("%q: report %q, want %q", words, got, want)
		}
	}
}

func TestFiles(t *testing.T) {
	for words, want := range map[string][]string{
		"errors in app.log":                 {"app.log"},
		"errors in the app log":             {"app.log"},
		"total of sales.csv":                {"data/sales.csv"},
		"total in the sales table":          {"data/sales.csv"},
		"compare app.log, notes.md":         {"app.log", "notes.md"},
		"what does missing.log say":         {"missing.log"},
		"请统计app.log里的错误":                    {"app.log"},
		"apply the happ.logs":               nil,
		"which sales are highest":           nil,
		"read data/sales.csv and x/y/z.tsv": {"data/sales.csv", "x/y/z.tsv"},
	} {
		var got []string
		for _, q := range question.Parse(words, known).Questions {
			got = append(got, q.Files...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: files %q, want %q", words, got, want)
		}
	}
}

func TestIntents(t *testing.T) {
	for words, want := range map[string][]question.Intent{
		"How many errors are there, and when was the first?":        {question.Count, question.FirstLast},
		"Which services failed? When? Why?":                         {question.Incident},
		"Count the rows. List the warnings. Summarise it.":          {question.Count, question.Filter, question.Summary},
		"How many lines mention 'write a poem'?":                    {question.Count},
		"Please. Count the errors. Thank you.":                      {question.Count},
		"What is 12 times 12":                                       {question.Unknown},
		"Tell me about the weather":                                 {question.Refuse},
		"有多少错误？第一个是什么时候？":                                           {question.Count, question.FirstLast},
		"统计错误数量，然后列出警告":                                             {question.Count, question.Filter},
		"show errors from v1.2 i.e. the old one":                    {question.Filter},
		"What is the p95 latency per hour?":                         {question.Top},
		"Which of the logs has more errors?":                        {question.Compare},
		"Remember to count the errors every day":                    {question.Remember},
		"write code that counts errors":                             {question.Refuse},
		"Find the errors that happened within 5 minutes of a crash": {question.Correlate},
	} {
		var got []question.Intent
		for _, q := range question.Parse(words, known).Questions {
			got = append(got, q.Intent)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", words, got, want)
		}
	}
}

func TestLevels(t *testing.T) {
	for words, want := range map[string]struct {
		level string
		above bool
	}{
		"how many errors":             {"error", true},
		"how many ERROR lines":        {"error", false},
		"count level=ERROR":           {"error", false},
		"list the warnings":           {"warn", false},
		"show FATAL":                  {"fatal", false},
		"有多少错误":                       {"error", true},
		"列出告警":                        {"warn", false},
		"terror in the mirror":        {"", false},
		"lines that mention 'error'":  {"", false},
		"when was the first error":    {"error", true},
		"count error messages":        {"error", true},
		"INFO lines":                  {"info", false},
		"how many lines are at debug": {"debug", false},
	} {
		q := question.Parse(words, nil).Questions[0]
		if q.Level != want.level || q.Above != want.above {
			t.Errorf("%q: %q %v, want %q %v", words, q.Level, q.Above, want.level, want.above)
		}
	}
}

// TestSeveralLevels holds that no level of a list is dropped and that an excluded one is no filter.
func TestSeveralLevels(t *testing.T) {
	for words, want := range map[string]struct {
		level    string
		more, no []string
	}{
		"WARN or DEBUG lines":                  {"warn", []string{"debug"}, nil},
		"ERROR and FATAL lines":                {"error", []string{"fatal"}, nil},
		"the first fatal error":                {"fatal", nil, nil},
		"lines that are not INFO":              {"", nil, []string{"info"}},
		"non-error lines":                      {"", nil, []string{"error"}},
		"lines with neither DEBUG nor INFO":    {"", nil, []string{"debug", "info"}},
		"错误或警告有多少":                             {"error", []string{"warn"}, nil},
		"不是信息的行有多少":                            {"", nil, []string{"info"}},
		"这条信息说了什么":                             {"", nil, nil},
		"errors without counting any warnings": {"error", nil, []string{"warn"}},
	} {
		q := question.Parse(words, nil).Questions[0]
		if q.Level != want.level || !slices.Equal(q.Levels, want.more) || !slices.Equal(q.NotLevel, want.no) {
			t.Errorf("%q: %q %q not %q, want %+v", words, q.Level, q.Levels, q.NotLevel, want)
		}
	}
}

// TestRankedFailures holds that "failed most often" is a ranking and "failed" a story.
func TestRankedFailures(t *testing.T) {
	for words, want := range map[string]question.Intent{
		"Which job failed most often?": question.Top,
		"Which jobs failed?":           question.Incident,
	} {
		if q := question.Parse(words, nil).Questions[0]; q.Intent != want {
			t.Errorf("%q: %s, want %s", words, q.Intent, want)
		}
	}
}

func TestTimes(t *testing.T) {
	for words, want := range map[string][2]string{
		"errors between 10:00 and 10:30":            {"10:00", "10:30"},
		"errors from 10:00 to 10:30":                {"10:00", "10:30"},
		"errors between 2026-05-04 10:00 and 11:15": {"2026-05-04 10:00", "2026-05-04 11:15"},
		"errors after 10:05:30":                     {"10:05:30", ""},
		"errors before 10am":                        {"", "10:00"},
		"errors until 3 pm":                         {"", "15:00"},
		"errors on 2026-05-04":                      {"2026-05-04", "2026-05-05 00:00"},
		"rows from 2026-05-01 to 2026-05-03":        {"2026-05-01", "2026-05-04 00:00"},
		"errors after 10:05 UTC":                    {"10:05Z", ""},
		"errors before 10:05 +0800":                 {"", "10:05+08:00"},
		"errors between 10:00 and 11:00 UTC":        {"10:00Z", "11:00Z"},
		"errors at 10:07":                           {"10:07", "10:08"},
		"errors since May 4, 2026":                  {"2026-05-04", ""},
		"10点到11点的错误":                                {"10:00", "11:00"},
		"下午3点之后的错误":                                 {"15:00", ""},
		"10点半以前的错误":                                 {"", "10:30"},
		"2026年5月4日的错误":                              {"2026-05-04", "2026-05-05 00:00"},
		"errors at 2026-05-04T10:00:00Z":            {"2026-05-04T10:00:00Z", "2026-05-04T10:00:01Z"},
		"rows with amount over 100":                 {"", ""},
		"从10:00到10:30之间的警告":                         {"10:00", "10:30"},
		"between 5 and 10 errors":                   {"", ""},
	} {
		q := question.Parse(words, nil).Questions[0]
		got := [2]string{shown(q.Since), shown(q.Until)}
		if got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

func shown(t *rows.Time) string {
	if t == nil {
		return ""
	}
	return t.String()
}

func TestBounds(t *testing.T) {
	for words, want := range map[string][]question.Bound{
		"amount over 1,000":               {{Op: ">", Number: 1000}},
		"at least 5 units":                {{Op: ">=", Number: 5}},
		"slower than 1.5 seconds":         {{Op: ">", Number: 1.5, Unit: "s"}},
		"no more than 20 ms":              {{Op: "<=", Number: 20, Unit: "ms"}},
		"price between 10 and 20":         {{Op: ">=", Number: 10}, {Op: "<=", Number: 20}},
		"金额大于3万":                          {{Op: ">", Number: 30000}},
		"耗时不超过500毫秒":                      {{Op: "<=", Number: 500, Unit: "ms"}},
		"100元以上的订单":                       {{Op: ">=", Number: 100}},
		"status >= 500":                   {{Op: ">=", Number: 500}},
		"工资在9000到13000之间":                 {{Op: ">=", Number: 9000}, {Op: "<=", Number: 13000}},
		"fewer than 3 and more than one":  {{Op: "<", Number: 3}},
		"金额超过两千五":                         {{Op: ">", Number: 2500}},
		"金额不少于一百二十":                       {{Op: ">=", Number: 120}},
		"数量少于五十":                          {{Op: "<", Number: 50}},
		"未满十八岁的人":                         {{Op: "<", Number: 18}},
		"二十小时以上":                          {{Op: ">=", Number: 20, Unit: "h"}},
		"三万以下":                            {{Op: "<=", Number: 30000}},
		"more than two hundred and fifty": {{Op: ">", Number: 250}},
		"at least forty-two boxes":        {{Op: ">=", Number: 42}},
		"parties of six or more":          {{Op: ">=", Number: 6}},
		"no numbers here":                 nil,
	} {
		got := question.Parse(words, nil).Questions[0].Bounds
		for i := range got {
			got[i].At, got[i].End = 0, 0
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %+v, want %+v", words, got, want)
		}
	}
}

func TestLang(t *testing.T) {
	for words, want := range map[string]string{
		"How many?": "en", "多少？": "zh", "app.log 多少": "zh", "count 北京 rows in app.log please and group them by city": "en",
		"Count them. Answer in Chinese.": "zh", "有多少？用英文回答": "en", "": "en", "12": "en",
	} {
		if got := question.Parse(words, nil).Lang; got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// FuzzParse holds that words of any kind are understood as something.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"How many errors?", "把 a.log 写到 b.md", "between 10:00 and", "top ten", "“", "a.b.c.log's", "5xx per month", "最近3条"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, words string) {
		a := question.Parse(words, known)
		if len(a.Questions) == 0 || a.Lang == "" {
			t.Errorf("%q: %+v", words, a)
		}
		for _, q := range a.Questions {
			if q.Intent == "" {
				t.Errorf("%q: no intent", words)
			}
		}
	})
}

// TestParseAlone reads "which one" as one of what was just asked about only where no other file can be meant.
func TestParseAlone(t *testing.T) {
	for _, tt := range []struct {
		words string
		known []string
		want  []question.Intent
	}{
		{"How many services are there and which one logged the most errors?", []string{"a.log"}, []question.Intent{question.Count, question.Top}},
		{"How many services are there and which of them logged the most errors?", []string{"a.log"}, []question.Intent{question.Count, question.Top}},
		{"How many services are there and which one logged the most errors?", []string{"a.log", "b.log"}, []question.Intent{question.Compare}},
		{"How many services are in the log? Which of these logged the fewest errors?", []string{"a.log"}, []question.Intent{question.Count, question.Top}},
		{"How many errors has each log and which one has the most?", []string{"a.log"}, []question.Intent{question.Compare}},
		{"Which one has the most errors?", []string{"a.log"}, []question.Intent{question.Compare}},
	} {
		var got []question.Intent
		for _, q := range question.ParseAlone(tt.words, tt.known).Questions {
			got = append(got, q.Intent)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q with %v asks %v, want %v", tt.words, tt.known, got, tt.want)
		}
	}
}

// TestNamesAlone: a sentence of names of files alone is no question, but says what the others are about.
func TestNamesAlone(t *testing.T) {
	for words, want := range map[string][]string{
		"Any warnings? app.log":                                    {"app.log"},
		"app.log. Any warnings?":                                   {"app.log"},
		"How many rows are there? See sales.csv.":                  {"data/sales.csv"},
		"有几个错误？文件：app.log 和 notes.md":                              {"app.log notes.md"},
		"How many errors? Which user had the most? app.log":        {"app.log", "app.log"},
		"How many errors are in app.log? How many rows? sales.csv": {"app.log", "data/sales.csv"},
		"app.log": {"app.log"},
		"How many errors? How many of them are in notes.md?":  {"", "notes.md"},
		"Any warnings? app.log has been rotated in the night": {"", "app.log"},
	} {
		var got []string
		for _, q := range question.Parse(words, known).Questions {
			got = append(got, strings.Join(q.Files, " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is about %q, want %q", words, got, want)
		}
	}
}
