package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

func TestTelegramHTML(t *testing.T) {
	for _, tt := range []struct{ name, in, html, plain string }{
		{"underscores in an address", "[docs](https://ex.test/a_b_c/_next_/page)", `<a href="https://ex.test/a_b_c/_next_/page">docs</a>`, "docs (https://ex.test/a_b_c/_next_/page)"},
		{"underscores in a bare address", "see https://ex.test/_next_/page.", `see <a href="https://ex.test/_next_/page">https://ex.test/_next_/page</a>.`, "see https://ex.test/_next_/page."},
		{"stars in an address", "[x](https://ex.test/*a*/b)", `<a href="https://ex.test/*a*/b">x</a>`, "x (https://ex.test/*a*/b)"},
		{"parentheses in an address", "See [Go](https://en.test/wiki/Go_(programming_language)).", `See <a href="https://en.test/wiki/Go_(programming_language)">Go</a>.`, "See Go (https://en.test/wiki/Go_(programming_language))."},
		{"quotes and ampersands in an address", `[q](<https://ex.test/?a=1&b="2">)`, `<a href="https://ex.test/?a=1&amp;b=%222%22">q</a>`, "q (https://ex.test/?a=1&b=%222%22)"},
		{"a file is no link", "[main.go](cmd/main.go)", "main.go (cmd/main.go)", "main.go (cmd/main.go)"},
		{"a script is no link", "[x](javascript:alert(1))", "x (javascript:alert(1))", "x (javascript:alert(1))"},
		{"a link without words", "[](https://ex.test/a)", `<a href="https://ex.test/a">https://ex.test/a</a>`, "https://ex.test/a"},
		{"an image", "![a cat](https://ex.test/c.png)", `<a href="https://ex.test/c.png">a cat</a>`, "a cat (https://ex.test/c.png)"},
		{"an image in a link", "[![badge](https://ex.test/b.svg)](https://ex.test/)", `<a href="https://ex.test/">badge</a>`, "badge (https://ex.test/)"},
		{"code in a link", "[`f.go`](https://ex.test/f)", `<a href="https://ex.test/f">f.go</a>`, "f.go (https://ex.test/f)"},
		{"an address in Chinese text", "访问 https://e.test/g，然后", `访问 <a href="https://e.test/g">https://e.test/g</a>，然后`, "访问 https://e.test/g，然后"},
		{"letters beyond ASCII in an address", "[y](https://e.test/é?q=汉#ü)", `<a href="https://e.test/%C3%A9?q=%E6%B1%89#%C3%BC">y</a>`, "y (https://e.test/%C3%A9?q=%E6%B1%89#%C3%BC)"},
		{"brackets in the words", "[a [b] c](https://e.test)", `<a href="https://e.test">a [b] c</a>`, "a [b] c (https://e.test)"},
		{"relative addresses", "[a](/b) [c](#d) [e](ftp://f)", "a (/b) c e (ftp://f)", "a (/b) c e (ftp://f)"},
		{"an e-mail address", "write to me@ex.test", "write to me@ex.test", "write to me@ex.test"},

		{"language c++", "```c++\nif (a < b && c) {}\n```", `<pre><code class="language-c++">if (a &lt; b &amp;&amp; c) {}</code></pre>`, "if (a < b && c) {}"},
		{"language c# and text after", "```c#\nvar k = 2;\n```\n\n# After\nbody text", "<pre><code class=\"language-c#\">var k = 2;</code></pre>\n\n<b>After</b>\n\nbody text", "var k = 2;\n\nAfter\n\nbody text"},
		{"language objective-c", "```objective-c\n[a b];\n```", `<pre><code class="language-objective-c">[a b];</code></pre>`, "[a b];"},
		{"words after the language", "```go title=\"x\"\nx\n```", `<pre><code class="language-go">x</code></pre>`, "x"},
		{"a language that is none", "```\"><b>\nx\n```", "<pre>x</pre>", "x"},
		{"fence on one line", "Use ```<tag>``` here", "Use <code>&lt;tag&gt;</code> here", "Use <tag> here"},
		{"fence in a fence", "````text\n```py\nprint(1)\n```\n````\nend", "<pre><code class=\"language-text\">```py\nprint(1)\n```</code></pre>\n\nend", "```py\nprint(1)\n```\n\nend"},
		{"tilde fence", "~~~\n**not bold** and [x](https://e.test)\n~~~", "<pre>**not bold** and [x](https://e.test)</pre>", "**not bold** and [x](https://e.test)"},
		{"fence left open", "```go\nfunc main() {", `<pre><code class="language-go">func main() {</code></pre>`, "func main() {"},
		{"blank lines in code", "```\na\n\n\nb\n```", "<pre>a\n\n\nb</pre>", "a\n\n\nb"},
		{"table in a fence", "```\n| a | b |\n|---|---|\n| 1 | 2 |\n```", "<pre>| a | b |\n|---|---|\n| 1 | 2 |</pre>", "| a | b |\n|---|---|\n| 1 | 2 |"},
		{"code in bold", "**run `x` now**", "<b>run </b><code>x</code><b> now</b>", "run x now"},
		{"entities in code", "`a &amp; b`", "<code>a &amp;amp; b</code>", "a &amp; b"},

		{"raw tags", `Try <div class="x">this</div> please`, `Try &lt;div class="x"&gt;this&lt;/div&gt; please`, `Try <div class="x">this</div> please`},
		{"a line break tag", "one<br>two<BR/>three", "one\ntwo\nthree", "one\ntwo\nthree"},
		{"tags around Markdown", "<details>\n<summary>S</summary>\n**b**\n</details>", "&lt;details&gt;\n&lt;summary&gt;S&lt;/summary&gt;\n<b>b</b>\n&lt;/details&gt;", "<details>\n<summary>S</summary>\nb\n</details>"},
		{"a script", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"},
		{"a comment", "a <!-- b --> c", "a &lt;!-- b --&gt; c", "a <!-- b --> c"},
		{"supported tags are escaped too", "</b> <b>", "&lt;/b&gt; &lt;b&gt;", "</b> <b>"},
		{"escapes and references", `a\*b &lt;x&gt; &amp;lt; 5 < 6`, "a*b &lt;x&gt; &amp;lt; 5 &lt; 6", "a*b <x> &lt; 5 < 6"},
		{"fallback shows no tags", "**a < b**", "<b>a &lt; b</b>", "a < b"},
		{"unbalanced star", "unbalanced *bold", "unbalanced *bold", "unbalanced *bold"},
		{"crossed marks", "**a *b** c*", "<i>a b c</i>", "a b c"},
		{"strikethrough", "~~gone~~", "<s>gone</s>", "gone"},
		{"bold in italic", "*a **b***", "<i>a <b>b</b></i>", "a b"},
		{"bold in a heading", "## A **b** `c`", "<b>A b </b><code>c</code>", "A b c"},

		{"nested lists", "- a\n  - b\n    - c\n1. x\n2. y", "• a\n    ◦ b\n        ▪ c\n\n1. x\n2. y", "• a\n    ◦ b\n        ▪ c\n\n1. x\n2. y"},
		{"a list that starts at three", "3. three\n4. four", "3. three\n4. four", "3. three\n4. four"},
		{"numbers with a parenthesis", "1) a\n2) b", "1) a\n2) b", "1) a\n2) b"},
		{"numbers below a bullet", "- a\n  1. b\n  2. c", "• a\n    1. b\n    2. c", "• a\n    1. b\n    2. c"},
		{"tasks", "- [x] done\n- [ ] open", "☑ done\n☐ open", "☑ done\n☐ open"},
		{"a loose list", "- a\n\n- b", "• a\n\n• b", "• a\n\n• b"},
		{"code below a bullet", "- run:\n  ```sh\n  ls\n  ```\n- end", "• run:\n<pre><code class=\"language-sh\">ls</code></pre>\n• end", "• run:\nls\n• end"},
		{"numbers with boxes", "1. [ ] a\n2. [x] b", "1. ☐ a\n2. ☑ b", "1. ☐ a\n2. ☑ b"},
		{"a link that looks like a box", "- [x](https://e.test)", "• <a href=\"https://e.test\">x</a>", "• x (https://e.test)"},
		{"paragraphs and code in an item", "1. a\n\n   p\n\n   ```go\n   x\n   ```\n\n   q\n2. b", "1. a\n\n    p\n<pre><code class=\"language-go\">x</code></pre>\n\n    q\n\n2. b", "1. a\n\n    p\nx\n\n    q\n\n2. b"},
		{"a quote in an item", "- a\n  > q\n  > r", "• a\n<blockquote>q\nr</blockquote>", "• a\nq\nr"},
		{"lines in an item", "- a\n  b", "• a\n    b", "• a\n    b"},

		{"table", "| name | n |\n|---|--:|\n| apple | 3 |\n| **fig** | 12 |", "<pre>name  |  n\n------+---\napple |  3\nfig   | 12</pre>", "name  |  n\n------+---\napple |  3\nfig   | 12"},
		{"table in Chinese", "| 名字 | x |\n|:-:|---|\n| 苹果手机 | 1 |", "<pre>  名字   | x\n---------+--\n苹果手机 | 1</pre>", "  名字   | x\n---------+--\n苹果手机 | 1"},
		{"a link in a table", "| a |\n|---|\n| [x](https://e.test/) |", "<pre>a\n-\nx</pre>\n<a href=\"https://e.test/\">x</a>", "a\n-\nx\nx (https://e.test/)"},
		{"emoji in a table", "| a | b |\n|---|---|\n| 👨\u200d👩\u200d👧 | 1 |\n| 🇨🇳 | 2 |\n| ❤️ | 3 |\n| 👍🏽 | 4 |", "<pre>a  | b\n---+--\n👨\u200d👩\u200d👧 | 1\n🇨🇳 | 2\n❤️ | 3\n👍🏽 | 4</pre>", "a  | b\n---+--\n👨\u200d👩\u200d👧 | 1\n🇨🇳 | 2\n❤️ | 3\n👍🏽 | 4"},
		{"pipes in cells", "| a | b |\n|---|---|\n| `x|y` | c\\|d |\n| `p \\| q` | ` |", "<pre>a     | b\n------+----\nx|y   | c|d\np | q | `</pre>", "a     | b\n------+----\nx|y   | c|d\np | q | `"},
		{"pipes in code that is no table", "```\n| a |\n|---|\n| `x|y` |\n```\n\n| `x|y` |", "<pre>| a |\n|---|\n| `x|y` |</pre>\n\n| <code>x|y</code> |", "| a |\n|---|\n| `x|y` |\n\n| x|y |"},
		{"a long row", "| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |", "<pre>a | b\n--+----------\n1 | 2 | 3 | 4</pre>", "a | b\n--+----------\n1 | 2 | 3 | 4"},
		{"a short row", "| a | b |\n|---|---|\n| 1 |", "<pre>a | b\n--+--\n1 |</pre>", "a | b\n--+--\n1 |"},

		{"quote", "> said **he**\n\nyes", "<blockquote>said <b>he</b></blockquote>\n\nyes", "said he\n\nyes"},
		{"quote in a quote", "> a\n> > b\n> > c", "<blockquote>a\n\n› b\n› c</blockquote>", "a\n\n› b\n› c"},
		{"two paragraphs in a quote", "> a\n>\n> b", "<blockquote>a\n\nb</blockquote>", "a\n\nb"},
		{"a rule", "a\n\n---\n\nb", "a\n\n———\n\nb", "a\n\n———\n\nb"},

		{"bold before a Chinese word", "**重要：**请看", "<b>重要：</b>请看", "重要：请看"},
		{"italic quotes in Chinese", "这是*“好”*吗", "这是<i>“好”</i>吗", "这是“好”吗"},
		{"stars that multiply", "2 * 3 * 4", "2 * 3 * 4", "2 * 3 * 4"},
		{"stars between digits", "2*3*4=24", "2*3*4=24", "2*3*4=24"},
		{"stars of arguments", "f(**kwargs, *args)", "f(**kwargs, *args)", "f(**kwargs, *args)"},
		{"bold before a letter", "**Note:**text", "<b>Note:</b>text", "Note:text"},
		{"ranges", "3~5天，10~20天 and H~2~O", "3~5天，10~20天 and H~2~O", "3~5天，10~20天 and H~2~O"},
		{"struck out in Chinese", "**注：**~~删除！~~了", "<b>注：</b><s>删除！</s>了", "注：删除！了"},
		{"identifiers", "snake_case_name, _x_y and @user_name", "snake_case_name, _x_y and @user_name", "snake_case_name, _x_y and @user_name"},
		{"three stars", "***both***", "<i><b>both</b></i>", "both"},
		{"bars", "a || b || c ||d||", "a || b || c ||d||", "a || b || c ||d||"},
		{"thoughts that leak", "<think>a < b</think>\n\nyes", "&lt;think&gt;a &lt; b&lt;/think&gt;\n\nyes", "<think>a < b</think>\n\nyes"},
		{"references", "&copy; &#128512; &lt;b&gt; &nbsp;x &notone;", "© 😀 &lt;b&gt; \u00a0x &amp;notone;", "© 😀 <b> \u00a0x &notone;"},
		{"footnotes", "[^1] foot\n\n[^1]: Some note here.", "[^1] foot\n\n[^1]: Some note here.", "[^1] foot\n\n[^1]: Some note here."},
		{"right to left below a name", "**akita**\n\nاین متن است.", "<b>akita</b>\n\nاین متن است.", "akita\n\nاین متن است."},
		{"definitions that nothing uses", "Sources:\n\n[1]: https://x.test\n[^2]: <b c.md> \"T\"", "Sources:\n\n[1]: <a href=\"https://x.test\">https://x.test</a>\n[^2]: b c.md T", "Sources:\n\n[1]: https://x.test\n[^2]: b c.md T"},
		{"definitions that are used", "see [1] and [it][b]\n\n[1]: https://x.test\n[B]: https://y.test", "see <a href=\"https://x.test\">1</a> and <a href=\"https://y.test\">it</a>", "see 1 (https://x.test) and it (https://y.test)"},
		{"Windows lines", "a\r\n\r\nb", "a\n\nb", "a\n\nb"},
		{"old Mac lines", "a\rb", "a\nb", "a\nb"},
		{"control characters", "\x1b[31mred\x1b[0m\x00.", "[31mred [0m .", "[31mred [0m ."},
		{"formulas", `$E=mc^2$, $$\int_0^1 x\,dx * y * z$$, \(a_i*b*c_i\) and \[\{x\}_1\].`, `$E=mc^2$, $$\int_0^1 x\,dx * y * z$$, \(a_i*b*c_i\) and \[\{x\}_1\].`, `$E=mc^2$, $$\int_0^1 x\,dx * y * z$$, \(a_i*b*c_i\) and \[\{x\}_1\].`},
		{"a formula on lines of its own", "So:\n$$\n\\begin{cases}\na_1 &< b_1 \\\\\n- c\n\n= d\n\\end{cases}\n$$\n**end**", "So:\n\n$$\n\\begin{cases}\na_1 &amp;&lt; b_1 \\\\\n- c\n= d\n\\end{cases}\n$$\n\n<b>end</b>", "So:\n\n$$\n\\begin{cases}\na_1 &< b_1 \\\\\n- c\n= d\n\\end{cases}\n$$\n\nend"},
		{"a formula over lines and in a list", "- \\[\n  a*b*c = d\n  \\]\n- $$x_1\n  + y*z*w$$", "• \\[\n    a*b*c = d\n    \\]\n• $$x_1\n    + y*z*w$$", "• \\[\n    a*b*c = d\n    \\]\n• $$x_1\n    + y*z*w$$"},
		{"money is no formula", "from $5 to $10, **$3** or $HOME/*x*/$PATH \\[a\\](b)", "from $5 to $10, <b>$3</b> or $HOME/<i>x</i>/$PATH [a](b)", "from $5 to $10, $3 or $HOME/x/$PATH [a](b)"},
		{"spaces of any kind begin and end no formula", "$\u00a0\\~$ $x_1*z*$ $\u3000a_1*x*$, $a_1*y*\u2003$", "$\u00a0~$ $x_1*z*$ $\u3000a_1<i>x</i>$, $a_1<i>y</i>\u2003$", "$\u00a0~$ $x_1*z*$ $\u3000a_1x$, $a_1y\u2003$"},
		{"a formula left open", "$$\na_1 *b*", "$$\na_1 <i>b</i>", "$$\na_1 b"},
		{"numbers with a gap", "1. a\n2. b\n5. c", "1. a\n2. b\n5. c", "1. a\n2. b\n5. c"},
		{"numbers that count down", "3. c\n2. b\n1. a", "3. c\n2. b\n1. a", "3. c\n2. b\n1. a"},
		{"the same number again, and another one", "1. a\n1. b\n2. c\n9. d", "1. a\n2. b\n3. c\n4. d", "1. a\n2. b\n3. c\n4. d"},
		{"the same number again", "1. a\n1. b\n1. c", "1. a\n2. b\n3. c", "1. a\n2. b\n3. c"},
		{"an address behind a letter", "看https://e.test/a。\"https://e.test/b\" (www.e.test) xhttps://e.test", `看<a href="https://e.test/a">https://e.test/a</a>。"<a href="https://e.test/b">https://e.test/b</a>" (<a href="http://www.e.test">www.e.test</a>) xhttps://e.test`, "看https://e.test/a。\"https://e.test/b\" (www.e.test) xhttps://e.test"},
		{"addresses of machines", "http://localhost:8080/x, http://10.0.0.7:3000. https://... http://", `<a href="http://localhost:8080/x">http://localhost:8080/x</a>, <a href="http://10.0.0.7:3000">http://10.0.0.7:3000</a>. https://... http://`, "http://localhost:8080/x, http://10.0.0.7:3000. https://... http://"},
		{"a Chinese name in a bare address", "https://zh.w.test/wiki/长城_(消歧义)，https://e.test/看", `<a href="https://zh.w.test/wiki/%E9%95%BF%E5%9F%8E_(%E6%B6%88%E6%AD%A7%E4%B9%89)">https://zh.w.test/wiki/长城_(消歧义)</a>，<a href="https://e.test/">https://e.test/</a>看`, "https://zh.w.test/wiki/长城_(消歧义)，https://e.test/看"},
		{"a bare address in bold", "**https://e.test/a_b**: *www.e.test/x*", `<b><a href="https://e.test/a_b">https://e.test/a_b</a></b>: <i><a href="http://www.e.test/x">www.e.test/x</a></i>`, "https://e.test/a_b: www.e.test/x"},
		{"names in Python", "__init__.py, self.__dict__, __enter__ and __strong__ __main block__", "__init__.py, self.__dict__, __enter__ and <b>strong</b> <b>main block</b>", "__init__.py, self.__dict__, __enter__ and strong main block"},
		{"a picture as data", "![dot](data:image/png;base64," + strings.Repeat("A", 5000) + ")", "dot (data:image/png;base64,…)", "dot (data:image/png;base64,…)"},
		{"only a fence", "```\n```", "```\n```", "```\n```"},
		{"a mark of bytes in order", "\ufeff# A", "<b>A</b>", "A"},
		{"broken UTF-8", "a\xffb", "a\uFFFDb", "a\uFFFDb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := []markdown.Chunk{{HTML: tt.html, Plain: tt.plain}}
			if got := markdown.Telegram(tt.in, 0); !slices.Equal(got, want) {
				t.Errorf("Telegram(%q)\n got %q\nwant %q", tt.in, got, want)
			}
			if got := markdown.Plain(tt.in); got != tt.plain {
				t.Errorf("Plain(%q) = %q, want %q", tt.in, got, tt.plain)
			}
		})
	}
}

func TestBlankTextGivesNothing(t *testing.T) {
	for _, in := range []string{"", "  \n\t\n", strings.Repeat("\n", 9000)} {
		if got := markdown.Telegram(in, 0); len(got) != 0 {
			t.Errorf("Telegram(%q) = %q, want no chunk", in[:min(len(in), 20)], got)
		}
	}
}

// seen gives what each chunk shows once Telegram has parsed it, after checking the chunk.
func seen(t reporter, chunks []markdown.Chunk, limit int) []string {
	t.Helper()
	var out []string
	for i, c := range chunks {
		text, entities, err := telegramtest.ParseHTML(c.HTML)
		if err != nil {
			t.Fatalf("chunk %d is refused: %v\n%q", i, err, c.HTML)
		}
		if strictly, err := strict(c.HTML); err != nil || strictly != text {
			t.Fatalf("chunk %d breaks a rule: %v\n%q", i, err, c.HTML)
		}
		if n := telegramtest.Units(text); n > limit {
			t.Fatalf("chunk %d shows %d units, limit %d", i, n, limit)
		}
		if n := telegramtest.Units(c.Plain); n > limit {
			t.Fatalf("plain chunk %d has %d units, limit %d", i, n, limit)
		}
		if strings.TrimSpace(text) == "" || strings.TrimSpace(c.Plain) == "" {
			t.Fatalf("chunk %d is blank: %q", i, c)
		}
		if !strings.Contains(c.Plain, text) && !strings.Contains(c.HTML, "<a ") {
			t.Fatalf("chunk %d: plain %q says something else than %q", i, c.Plain, text)
		}
		checkNesting(t, entities)
		out = append(out, text)
	}
	return out
}

// checkNesting holds the Bot API's rules: what overlaps is nested, code holds nothing and is held
// by quotes only, quotes and links do not hold their like.
func checkNesting(t reporter, entities []telegramtest.Entity) {
	t.Helper()
	for i, a := range entities {
		for _, b := range entities[i+1:] {
			if b.Offset >= a.Offset+a.Length {
				continue
			}
			if b.Offset+b.Length > a.Offset+a.Length {
				t.Fatalf("%+v and %+v cross", a, b)
			}
			outer, inner := a.Type, b.Type
			isCode := inner == "code" || inner == "pre"
			if outer == "code" || outer == "pre" || (isCode && outer != "blockquote") || outer == inner {
				t.Fatalf("%+v holds %+v", a, b)
			}
		}
	}
}

// reporter is what *testing.T and *rapid.T have in common.
type reporter interface {
	Helper()
	Fatalf(format string, args ...any)
}
