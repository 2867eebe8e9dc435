package builtin_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool/builtin"
)

// album is a desk in a chat whose home and folder have stickers.
func album(t *testing.T, home, folder []string) *desk {
	t.Helper()
	d := newDesk(t)
	stickers := filepath.Join(d.home, "stickers")
	d.must(os.MkdirAll(stickers, 0o700))
	for _, name := range home {
		d.must(os.WriteFile(filepath.Join(stickers, name), []byte("home "+name), 0o600))
	}
	for _, name := range folder {
		d.write(name, "folder "+name)
	}
	d.use(builtin.Deps{Stickers: stickers})
	d.scope.Origin.Channel = "telegram"
	return d
}

func TestSendSticker(t *testing.T) {
	home := []string{"wave-👋.webp", "👍.webp", "❤️.webm", "猫.tgs", "🏳️‍🌈.webp", "notes.txt", "😀.png"}
	folder := []string{"sticker-5-😀.webp", "sticker-7-👍🏽.webp", "in/Cat.WEBP", "plan.md"}
	for _, tt := range []struct{ name, channel, args, want string }{
		{"the home's own first", "telegram", `{"emoji":"👍"}`, "stickers/👍.webp"},
		{"any colour of hand", "telegram", `{"emoji":"👍🏿"}`, "stickers/👍.webp"},
		{"an emoji in a name", "telegram", `{"emoji":"👋"}`, "stickers/wave-👋.webp"},
		{"without how it is drawn", "telegram", `{"emoji":"❤"}`, "stickers/❤️.webm"},
		{"with how it is drawn", "telegram", `{"emoji":"❤️"}`, "stickers/❤️.webm"},
		{"one that came in", "telegram", `{"emoji":"😀"}`, "sticker-5-😀.webp"},
		{"a picture where those are stickers", "onebot", `{"emoji":"😀"}`, "stickers/😀.png"},
		{"a part of another emoji", "telegram", `{"emoji":"🏳"}`, ""},
		{"the whole of it", "telegram", `{"emoji":"🏳️‍🌈"}`, "stickers/🏳️‍🌈.webp"},
		{"a file's name", "telegram", `{"sticker":"sticker-7-👍🏽.webp"}`, "sticker-7-👍🏽.webp"},
		{"a path", "telegram", `{"sticker":"in/Cat.WEBP"}`, "in/Cat.WEBP"},
		{"a name without the rest", "telegram", `{"sticker":"cat"}`, "in/Cat.WEBP"},
		{"a name in Chinese", "telegram", `{"sticker":"猫"}`, "stickers/猫.tgs"},
		{"an emoji for a name", "telegram", `{"sticker":" 👋 "}`, "stickers/wave-👋.webp"},
		{"a name for an emoji", "telegram", `{"emoji":"wave-👋"}`, "stickers/wave-👋.webp"},
		{"the name before the emoji", "telegram", `{"emoji":"👍","sticker":"cat"}`, "in/Cat.WEBP"},
		{"the emoji where there is no such name", "telegram", `{"emoji":"👍","sticker":"dog"}`, "stickers/👍.webp"},
		{"letters are no emoji", "telegram", `{"emoji":"a"}`, ""},
		{"nothing of the kind", "telegram", `{"emoji":"🦑"}`, ""},
		{"no sticker but a file", "telegram", `{"sticker":"plan.md"}`, ""},
		{"a way out", "telegram", `{"sticker":"../../stickers/👍.webp/../../admin.token"}`, ""},
	} {
		d := album(t, home, folder)
		d.scope.Origin.Channel = tt.channel
		for range 2 { // after a crash it is called again
			r, err := d.call("send_sticker", tt.args)
			if tt.want == "" {
				if f := akitad.FailureOf(err); f == nil || f.Kind != akitad.NotFound || !strings.Contains(f.Hint, "there are stickers/wave-👋.webp, ") || !strings.Contains(f.Hint, "; or ") {
					t.Errorf("%s: %+v, %+v", tt.name, r, f)
				}
				continue
			}
			if err != nil || !slices.Equal(r.Changed, []string{tt.want}) || r.Kind != akitad.FileSticker || !strings.HasPrefix(r.Text, tt.want+" goes ") {
				t.Errorf("%s: %+v, %v", tt.name, r, err)
			}
			own, ofHome := strings.CutPrefix(tt.want, "stickers/")
			if body, err := d.dir.ReadFile(tt.want); err != nil || string(body) != map[bool]string{true: "home ", false: "folder "}[ofHome]+own {
				t.Errorf("%s: the folder has %q, %v", tt.name, body, err)
			}
		}
	}
}

func TestSendStickerWhereThereAreNone(t *testing.T) {
	d := album(t, nil, nil)
	d.wantError("send_sticker", `{"emoji":"👍"}`, akitad.NotFound, "there are no stickers; or write 👍 in the answer")
	d.wantError("send_sticker", `{"sticker":"cat"}`, akitad.NotFound, "there are no stickers; or say it in words")
	d.wantError("send_sticker", `{"emoji":" "}`, akitad.InvalidRequest, "neither")
	for _, channel := range []string{"feishu", "dingtalk", "wecom", "cli", "http", "schedule", ""} {
		d.scope.Origin.Channel = channel
		r := d.wantText("send_sticker", `{"emoji":"👍"}`, "nothing was sent: no stickers are shown here; write 👍 in the answer")
		if len(r.Changed) > 0 || r.Kind != "" {
			t.Errorf("%s: %+v", channel, r)
		}
	}
	d.scope.Origin.Channel = "telegram"
	d.must(os.RemoveAll(filepath.Join(d.home, "stickers")))
	d.wantError("send_sticker", `{"emoji":"👍"}`, akitad.NotFound, "there are no stickers")
	for i := range 25 {
		d.write(strings.Repeat("s", i+1)+".webp", "x")
	}
	d.wantError("send_sticker", `{"emoji":"👍"}`, akitad.NotFound, " and 5 more; or")
}

// What a rollback undoes does not keep a sticker from being sent again.
func TestSendStickerAfterARollback(t *testing.T) {
	d := album(t, []string{"👍.webp"}, nil)
	for range 2 {
		_, err := d.call("send_sticker", `{"emoji":"👍"}`)
		d.must(err)
		if body, err := d.dir.ReadFile("stickers/👍.webp"); err != nil || string(body) != "home 👍.webp" {
			t.Errorf("the folder has %q, %v", body, err)
		}
		_, err = d.dir.Rollback(d.scope.Root)
		d.must(err)
	}
}
