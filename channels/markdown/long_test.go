package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad/channels/markdown"
)

// section is one of the parts that a long answer is made of.
const section = `## %[1]d. Umstellung und 迁移 🚀

The **service** keeps _state_ in [JetStream](https://en.test/wiki/Stream_(computing)_%[1]d), see ` + "`journal.Append()`" + ` and https://ex.test/a_b_c/%[1]d?x=1&y=2.
First, read the log < 5 minutes; then compare a & b. 第%[1]d步：先备份数据，**再迁移：**请注意顺序，耗时3~5分钟。👨‍👩‍👧‍👦 🇨🇳 👍🏽

1. Stop the writers
   - drain the queue (` + "`max_ack_pending`" + `)
     - wait for **all** acks
     - ~~restart~~ pause

   A paragraph that belongs to the first step, with a [link](https://ex.test/(a)/%[1]d).

   ` + "```go" + `
   func drain%[1]d(ctx context.Context, q *Queue[int]) error {
   	for i := 0; i < len(q.items) && q.open; i++ { // <- keeps order
   		if err := q.ack(ctx, i); err != nil {
   			return fmt.Errorf("ack %%d: %%w", i, err)
   		}
   	}
   	return nil
   }
   ` + "```" + `
2. Copy the data
   > Never copy a stream while it is written.
   > > 除非你知道自己在做什么。
3. - [x] verified
   - [ ] announced

| Schritt | 状态 | Dauer | Link |
|:--------|:----:|------:|------|
| drain %[1]d | ✅ fertig | 12 s | [log](https://ex.test/log_(%[1]d)) |
| ` + "`a|b`" + ` | 进行中 | 1.234 s | **none** |
| verify & sign | ❌ | | x < y |

` + "````md" + `
` + "```sh" + `
echo "nested %[1]d" | tee -a /tmp/log_%[1]d
` + "```" + `
` + "````" + `

---

`

// answer is an answer of at least so many bytes, of all that models write.
func answer(size int) string {
	var b strings.Builder
	b.WriteString("# Der lange Bericht\n\n")
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, section, i)
	}
	return b.String()
}

// Every section of a long answer is there, in order, in each form, and its messages begin and end well.
func TestLongAnswer(t *testing.T) {
	in := answer(60_000)
	chunks := markdown.Telegram(in, 0)
	text := strings.Join(seen(t, chunks, markdown.Limit), "")
	for i, c := range chunks[1:] {
		if strings.HasPrefix(c.HTML, " ") || strings.HasPrefix(c.HTML, "\n") || strings.HasPrefix(c.Plain, "    ") {
			t.Errorf("chunk %d begins with space: %.40q", i+1, c.HTML)
		}
	}
	cards := markdown.Cards(in)
	sections := strings.Count(in, "\n## ")
	for i := 1; i <= sections; i++ {
		for _, part := range []string{
			fmt.Sprintf("\n%d. Umstellung und 迁移 🚀\n", i), fmt.Sprintf("第%d步：先备份数据，再迁移：请注意顺序，耗时3~5分钟。👨‍👩‍👧‍👦 🇨🇳 👍🏽\n\n", i),
			"\n1. Stop the writers\n    ◦ drain the queue (max_ack_pending)\n        ▪ wait for all acks\n        ▪ restart pause\n\n    A paragraph",
			fmt.Sprintf("\nfunc drain%d(ctx context.Context, q *Queue[int]) error {\n\tfor i := 0; i < len(q.items) && q.open; i++ { // <- keeps order\n", i),
			"\n\n2. Copy the data\n\nNever copy a stream while it is written.\n\n› 除非你知道自己在做什么。\n\n3. ", fmt.Sprintf("\n%-13s | ✅ fertig |    12 s | log\n", fmt.Sprintf("drain %d", i)),
			"\na|b           |  进行中   | 1.234 s | none\n", fmt.Sprintf("```sh\necho \"nested %d\" | tee -a /tmp/log_%d\n```\n\n———", i, i),
		} {
			if !strings.Contains(text, part) {
				t.Fatalf("section %d: %q is missing", i, part)
			}
		}
		for _, href := range []string{fmt.Sprintf(`<a href="https://en.test/wiki/Stream_(computing)_%d">JetStream</a>`, i), fmt.Sprintf(`<a href="https://ex.test/a_b_c/%d?x=1&amp;y=2">`, i), fmt.Sprintf(`<a href="https://ex.test/log_(%d)">log</a>`, i)} {
			if !strings.Contains(allHTML(chunks), href) {
				t.Errorf("section %d: %q is missing", i, href)
			}
		}
	}
	var outline strings.Builder
	for i, c := range chunks {
		lines := strings.Split(strings.TrimSpace(c.HTML), "\n")
		fmt.Fprintf(&outline, "%2d  %.50s ... %s\n", i, lines[0], lines[len(lines)-1])
	}
	golden(t, "long.txt", []byte(outline.String()))
	if got := strings.Count(cardText(t, cards, false), "Umstellung"); got != sections || len(cards) < 3 {
		t.Errorf("%d cards show %d of %d sections", len(cards), got, sections)
	}
	if s := markdown.Summary(in, 1500); !strings.HasPrefix(s, "# Der lange Bericht") || !strings.Contains(s, "\n- 2\\. Umstellung und 迁移 🚀\n- 3\\. Umstellung") {
		t.Errorf("summary %q", s)
	}
}

func allHTML(chunks []markdown.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString(c.HTML)
	}
	return b.String()
}

func BenchmarkTelegram(b *testing.B) {
	for _, tt := range []struct {
		name string
		text string
	}{
		{"60KB", answer(60_000)},
		{"chat", "The build failed because `go vet` found a **shadowed** variable in `main.go`:\n\n```go\nerr := run()\n```\n\n- rename it\n- run [the tests](https://ex.test/ci_(1)) again\n\n接下来请重新运行测试。"},
		{"words", strings.Repeat("Just some words in a row, as people write them. ", 20)},
	} {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			b.ReportAllocs()
			for b.Loop() {
				markdown.Telegram(tt.text, 0)
			}
		})
	}
}

func BenchmarkCards(b *testing.B) {
	text := answer(60_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		markdown.Cards(text)
	}
}
