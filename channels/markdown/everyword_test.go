package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/channels/markdown"
)

// writer writes well-formed Markdown of which every word is known.
type writer struct {
	t *rapid.T
	n int
}

func (w *writer) word() string {
	w.n++
	return fmt.Sprintf("w%dw", w.n)
}

func (w *writer) pick(of ...string) string { return rapid.SampledFrom(of).Draw(w.t, "kind") }

// span is some words with formats.
func (w *writer) span() string {
	switch w.pick("word", "bold", "italic", "strike", "code", "link", "image", "tag", "auto", "cjk", "both", "foot", "math") {
	case "bold":
		return "**" + w.word() + " " + w.word() + "**"
	case "italic":
		return "*" + w.word() + "* _" + w.word() + "_"
	case "strike":
		return "~~" + w.word() + "~~"
	case "code":
		return "`" + w.word() + "|<" + w.word() + ">`"
	case "link":
		return "[" + w.word() + " **" + w.word() + "**](https://e.test/" + w.word() + "_(" + w.word() + "))"
	case "image":
		return "![" + w.word() + "](https://e.test/" + w.word() + ".png)"
	case "tag":
		return "<div class=\"" + w.word() + "\">" + w.word() + "</div><br>" + w.word()
	case "auto":
		return "<https://e.test/" + w.word() + ">"
	case "cjk":
		return "汉字**" + w.word() + "：**" + w.word() + "，3~5"
	case "both":
		return "***" + w.word() + "*** **" + w.word() + " *" + w.word() + "* `" + w.word() + "`**"
	case "foot":
		return w.word() + "[^" + w.word() + "]"
	case "math":
		return "$" + w.word() + "*" + w.word() + "$ " + w.word() + " < " + w.word() + " & " + w.word()
	}
	return w.word()
}

func (w *writer) line() string {
	var all []string
	for range rapid.IntRange(1, 4).Draw(w.t, "spans") {
		all = append(all, w.span())
	}
	return strings.Join(all, " ")
}

// block is some lines, without a newline at the end.
func (w *writer) block(depth int) string {
	kinds := []string{"text", "text", "heading", "fence", "table", "rule", "source", "tildes"}
	if depth < 3 {
		kinds = append(kinds, "list", "numbers", "quote", "loose", "tasks")
	}
	switch w.pick(kinds...) {
	case "heading":
		return strings.Repeat("#", rapid.IntRange(1, 6).Draw(w.t, "level")) + " " + strings.ReplaceAll(w.line(), "<br>", " ")
	case "fence":
		return "```c++\n" + w.word() + " <b> & `" + w.word() + "`\n\n    " + w.word() + "\n```"
	case "tildes":
		return "~~~~\n```\n" + w.word() + "\n~~~\n~~~~"
	case "table":
		return w.table()
	case "rule":
		return w.word() + "\n\n---\n\n" + w.word()
	case "source":
		return "[" + w.word() + "]: https://e.test/" + w.word()
	case "list":
		return w.items("- ", "\n", depth)
	case "loose":
		return w.items("* ", "\n\n", depth)
	case "tasks":
		return w.items("- [x] "+w.word()+"\n\n  ", "\n", depth)
	case "numbers":
		return w.items("1. ", "\n", depth)
	case "quote":
		return "> " + strings.ReplaceAll(w.blocks(depth+1), "\n", "\n> ")
	}
	return w.line() + "\n" + w.line()
}

func (w *writer) items(marker, gap string, depth int) string {
	var all []string
	for range rapid.IntRange(1, 2).Draw(w.t, "items") {
		all = append(all, marker+w.word()+"\n\n   "+strings.ReplaceAll(w.blocks(depth+1), "\n", "\n   "))
	}
	return strings.Join(all, gap)
}

func (w *writer) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |\n|---|:-:|\n", w.word(), w.span())
	for range rapid.IntRange(0, 3).Draw(w.t, "rows") {
		b.WriteString("| " + w.word() + " |")
		for range rapid.IntRange(0, 2).Draw(w.t, "cells") {
			b.WriteString(" " + w.span() + " |")
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (w *writer) blocks(depth int) string {
	var all []string
	for range rapid.IntRange(1, 3-min(depth, 1)).Draw(w.t, "blocks") {
		all = append(all, w.block(depth))
	}
	return strings.Join(all, "\n\n")
}

// No word of well-formed Markdown is lost in any form, however deep it stands.
func TestEveryWordIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &writer{t: t}
		in := w.blocks(0)
		var html, cards, weCom, dingTalk strings.Builder
		for _, c := range markdown.Telegram(in, rapid.IntRange(60, 4096).Draw(t, "limit")) {
			html.WriteString(c.HTML)
		}
		for _, c := range markdown.Cards(in) {
			cards.Write(c.Body)
		}
		for _, m := range markdown.DingTalk(in) {
			dingTalk.WriteString(m.Text)
		}
		for _, m := range markdown.WeCom(in) {
			weCom.WriteString(m)
		}
		forms := map[string]string{
			"Telegram": html.String(), "Plain": markdown.Plain(in), "PlainChunks": strings.Join(markdown.PlainChunks(in, 4000), ""),
			"Cards": cards.String(), "WeCom": weCom.String(), "DingTalk": dingTalk.String(), "Summary": markdown.Summary(in, 1<<20),
		}
		for i := 1; i <= w.n; i++ {
			for form, got := range forms {
				if word := fmt.Sprintf("w%dw", i); !strings.Contains(got, word) {
					t.Fatalf("%s lost %s of\n%s\n%q\ngot\n%q", form, word, in, in, got)
				}
			}
		}
		switch w.pick("summary", "Feishu", "others") {
		case "summary":
			checkSummary(t, in, 200)
		case "Feishu":
			checkFeishu(t, in)
		default:
			checkOthers(t, in, 200)
		}
	})
}
