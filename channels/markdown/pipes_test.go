package markdown_test

import (
	"testing"

	"github.com/akitad/akitad/channels/markdown"
)

// A pipe within code or an address ends no cell of a table, in its head as in its rows.
func TestPipesInTables(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"code in a row":               {"| a | b |\n|--|--|\n| `x|y` | 2 |", "<pre>a   | b\n----+--\nx|y | 2</pre>"},
		"code in the head":            {"| `a|b` | c |\n|--|--|\n| 1 | 2 |", "<pre>a|b | c\n----+--\n1   | 2</pre>"},
		"escaped code in the head":    {"| `a\\|b` | c |\n|--|--|\n| 1 | 2 |", "<pre>a|b | c\n----+--\n1   | 2</pre>"},
		"two in the head, in Chinese": {"| `甲|乙` | ``丙|丁`` |\n|--|--|\n| 1 | 2 |", "<pre>甲|乙 | 丙|丁\n------+------\n1     | 2</pre>"},
		"a head that fits as it is":   {"| `a|b` |\n|--|--|\n| 1 | 2 |", "<pre>`a | b`\n---+---\n1  | 2</pre>"},
		"an address in a row":         {"| a | b |\n|--|--|\n| [x](https://e.test/a|b) | 2 |", "<pre>a | b\n--+--\nx | 2</pre>\n<a href=\"https://e.test/a%7Cb\">x</a>"},
		"a second table":              {"| a |\n|-|\n| 1 |\n\n| `a|b` | c |\n|--|--|\n| 1 | 2 |", "<pre>a\n-\n1</pre>\n\n<pre>a|b | c\n----+--\n1   | 2</pre>"},
		"in a fence":                  {"```\n| `a|b` | c |\n|--|--|\n```", "<pre>| `a|b` | c |\n|--|--|</pre>"},
		"no table":                    {"`a|b` and [x](https://e.test/a|b)", "<code>a|b</code> and <a href=\"https://e.test/a%7Cb\">x</a>"},
	} {
		got := ""
		for _, c := range markdown.Telegram(tt.text, 0) {
			got += c.HTML
		}
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}
