package filter_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// among hides a text in the middle of n lines.
func among(n int, text string, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i == n/2 {
			b.WriteString(text + "\n")
		}
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// The kind of a question says how its answer looks, and what is meant without being said.
func TestKindsOfQuestions(t *testing.T) {
	plain := func(i int) string { return fmt.Sprintf("the step %d of the work went on as planned", i) }
	commit := func(i int) string {
		return fmt.Sprintf("commit %07x\nDate: 2025-01-%02d\n\n    tidy up", i*7919, 1+i%28)
	}
	help := func(i int) string {
		return fmt.Sprintf("  -%c%d   an option that does little", 'a'+i%5, i)
	}
	reading := func(i int) string { return fmt.Sprintf("%d,%d,%d", i, i%30, 40+i%7) }
	request := func(i int) string {
		return fmt.Sprintf(`10.0.0.%d - - [14/Jul/2025:03:%02d:00 +0200] "GET /page/%d HTTP/1.1" 200 512 "-" "Mozilla/5.0"`, i%9, i%60, i)
	}
	for _, tt := range []struct{ name, text, intent, want string }{
		{"how long", among(300, "the step of the build: 48.2 s", plain), "how long did the step take", `48\.2 s`},
		{"why", among(300, "the step of the release was refused by its lock", plain), "why did the step go wrong", `refused by its lock`},
		{"what comes after", among(300, "compilation errors:\n\nsrc/a.c line 77", plain), "compilation errors", `line 77`},
		{"the last", "commit fffffff\nDate: 2025-03-09\n\n    tidy up\n" + among(200, "", commit), "date of the last commit", `2025-03-09`},
		{"written together", among(300, "Accepted publickey for backup", plain), "who came in with a key", `for backup`},
		{"written apart", among(300, "to shut down, call drain", plain), "graceful shutdown", `call drain`},
		{"an option of one letter", among(300, "  -s   true if the file holds anything", help), "what does -s mean", `holds anything`},
		{"a shortened name", "id,temp_c,humidity\n" + among(300, "999,-31,50", reading), "lowest temperature", `-31`},
		{"a status", among(200, `10.0.0.7 - - [14/Jul/2025:03:59:00 +0200] "POST /pay HTTP/1.1" 502 157 "-" "curl/8"`, request), "requests that failed", `/pay`},
		{"how many", among(200, strings.Repeat("a broken seal was found\n", 17)+"end", plain), "how many broken seals", `broken ×17`},
		{"a total beside a list", `{"total":4711,"items":[` + strings.TrimSuffix(strings.Repeat(`{"name":"an item of some length","state":"open"},`, 200), ",") + `],"page":1}`, "total number of items", `total: 4711`},
		{"a part of a page", "<html><body><h1>News</h1>" + strings.Repeat("<p>Some news of the day, not long.</p>", 200) + "<footer>Quay 9, Kiel</footer></body></html>", "address in the footer", `Quay 9`},
		{"a sign", among(200, "  ✕ keeps the draft", func(i int) string { return fmt.Sprintf("  ✓ saves draft %d", i) }), "failed tests", `keeps the draft`},
		{"columns behind a time", "time\tstation\twind\n" + among(300, "2025-01-01 09:00\tTind\t99", func(i int) string { return fmt.Sprintf("2025-01-01 08:00\tRoros\t%d", i%20) }), "highest wind at a station", `station Tind`},
	} {
		got := newFilter().Reply(tt.text, tt.intent, ref)
		sound(t, tt.text, got)
		if len(got) == len(tt.text) || !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("%s: no %s in the reply to %q:\n%s", tt.name, tt.want, tt.intent, got)
		}
	}
}
