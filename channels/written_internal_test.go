package channels

import (
	"fmt"
	"slices"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

func TestFilesOfAnAnswer(t *testing.T) {
	stored := func(names ...string) (out []akitad.File) {
		for _, n := range names {
			out = append(out, akitad.File{Name: n, Artifact: "hash of " + n})
		}
		return out
	}
	stickers := func(names ...string) []akitad.File {
		out := stored(names...)
		for at := range out {
			out[at].Kind = akitad.FileSticker
		}
		return out
	}
	many := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("f%02d.md", i))
		}
		return out
	}
	for _, tt := range []struct {
		name          string
		text          string
		own           []akitad.File
		written, sent []akitad.File
		want          []string
		kept          int
	}{
		{name: "named", text: "The report is in report.md.", written: stored("report.md", "notes.md"), want: []string{"report.md"}},
		{name: "named in Chinese", text: "报告在report.md里", written: stored("out/report.md", "notes.md"), want: []string{"out/report.md"}},
		{name: "another name that holds it", text: "see my-report.md, report.md.bak and report.mdx", written: stored("report.md", "b.md"), want: []string{"report.md", "b.md"}},
		{name: "none named", text: "Done.", written: stored("a.md", "b.md"), want: []string{"a.md", "b.md"}},
		{name: "too many", text: "Done.", written: stored(many(7)...), want: many(5), kept: 2},
		{name: "chosen by the agent", text: "Done.", own: stored("a.md"), written: stored("a.md", "b.md"), want: []string{"a.md"}},
		{name: "chosen, another named", text: "See b.md.", own: []akitad.File{{Name: "a.md"}}, written: stored("a.md", "b.md"), want: []string{"a.md", "b.md"}},
		{name: "sent by the person", text: "a.csv has 3 rows", written: stored("a.csv"), sent: stored("a.csv")},
		{name: "sent and changed", text: "a.csv is sorted", written: stored("a.csv"), sent: []akitad.File{{Name: "a.csv", Artifact: "old"}}, want: []string{"a.csv"}},
		{name: "for the work itself", text: "Done.", written: stored("tmp/a", ".cache/b", "c.tmp", "d~", "progress/look.md", "x.pyc")},
		{name: "a sticker beside a named file", text: "See a.md.", written: append(stickers("s.webp"), stored("a.md", "b.md")...), want: []string{"a.md", "s.webp"}},
		{name: "a sticker that the person sent", text: "Hi", written: stickers("s.webp"), sent: stickers("s.webp"), want: []string{"s.webp"}},
		{name: "a sticker beside a chosen file", text: "Hi", own: stored("a.md"), written: append(stickers("s.webp"), stored("a.md")...), want: []string{"a.md", "s.webp"}},
		{name: "a sticker that the agent chose", text: "Hi", own: []akitad.File{{Name: "s.webp"}}, written: stickers("s.webp"), want: []string{"s.webp"}},
		{name: "stickers without end", text: "Hi", written: stickers(many(7)...), want: many(5)},
		{name: "a sticker that is not stored", text: "Hi", written: []akitad.File{{Name: "s.webp", Kind: akitad.FileSticker}}},
		{name: "not stored", text: "a.md", written: []akitad.File{{Name: "a.md"}}},
	} {
		got, kept := files(&journal.Task{Result: &akitad.Result{Text: tt.text, Artifacts: tt.own}, Files: tt.written, Sub: journal.SubmittedData{Files: tt.sent}})
		var names []string
		for _, f := range got {
			names = append(names, f.Name)
			if f.Artifact == "" {
				t.Errorf("%s: %s has no hash", tt.name, f.Name)
			}
			if sticker := f.Name == "s.webp" || tt.name == "stickers without end"; sticker != (f.Kind == akitad.FileSticker) {
				t.Errorf("%s: %s is a %q", tt.name, f.Name, f.Kind)
			}
		}
		if !slices.Equal(names, tt.want) || kept != tt.kept {
			t.Errorf("%s: %v and %d kept, want %v and %d", tt.name, names, kept, tt.want, tt.kept)
		}
	}
}
