package builtin

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/workspace"
)

//go:embed send_sticker.md
var sendStickerText string

const (
	// homeStickers is the part of a task's folder into which stickers of the home are copied.
	homeStickers = "stickers/"
	// stickersNamed is how many stickers are named where none was found.
	stickersNamed = 20
)

type sendStickerArgs struct {
	Emoji   string `json:"emoji,omitempty" jsonschema:"what the sticker shows"`
	Sticker string `json:"sticker,omitempty" jsonschema:"name of its file"`
}

type sendSticker struct {
	described
	home string
}

func newSendSticker(home string) tool.Tool {
	return sendSticker{describe[sendStickerArgs](tool.Info{
		Name: "send_sticker", Category: persona, Description: sendStickerText, Idempotent: true, Risk: tool.RiskRead,
	}), home}
}

// Call chooses a sticker and hands it on as a file of the task, which the channel shows as a sticker.
// Where there are none the emoji is to stand in the answer.
func (t sendSticker) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a sendStickerArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	words := slices.DeleteFunc([]string{bare(a.Sticker), bare(a.Emoji)}, func(s string) bool { return s == "" })
	if len(words) == 0 {
		return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "send_sticker: neither an emoji nor a sticker is named")
	}
	types := stickerTypes(in.Scope.Origin.Channel)
	if types == nil || in.Scope.Dir == nil {
		return tool.Result{Text: "nothing was sent: no stickers are shown here; " + inWords(a.Emoji)}, nil
	}
	known, err := t.known(in.Scope.Dir, types)
	if err != nil {
		return tool.Result{}, fmt.Errorf("send_sticker: %w", err)
	}
	name := pick(known, words)
	if name == "" {
		return tool.Result{}, akitad.Errorf(akitad.NotFound, "no sticker is found for %q", strings.Join(words, ", ")).WithHint(thereAre(known) + "; or " + inWords(a.Emoji))
	}
	if err := t.fetch(in.Scope, name); err != nil {
		return tool.Result{}, fmt.Errorf("send_sticker: %w", err)
	}
	return tool.Result{Text: name + " goes into the chat with your answer, below its text", Changed: []string{name}, Kind: akitad.FileSticker}, nil
}

// stickerTypes are the files that a chat service shows as stickers: those that Telegram's sendSticker takes,
// and pictures in OneBot. Nil: it has no stickers.
func stickerTypes(channel string) []string {
	switch channel {
	case "telegram":
		return []string{".webp", ".tgs", ".webm"}
	case "onebot":
		return []string{".gif", ".webp", ".png", ".jpg", ".jpeg"}
	}
	return nil
}

// known gives the stickers of the home as they are named in the folder, then those of the folder itself.
func (t sendSticker) known(dir *workspace.Dir, types []string) (names []string, err error) {
	add := func(name string) {
		if slices.Contains(types, strings.ToLower(path.Ext(name))) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	own, err := os.ReadDir(t.home)
	if err != nil && t.home != "" && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range own {
		if e.Type().IsRegular() {
			add(homeStickers + e.Name())
		}
	}
	files, err := dir.Files()
	for _, f := range files {
		add(f.Name)
	}
	return names, err
}

// fetch copies a sticker of the home into the task's folder, read-only.
func (t sendSticker) fetch(s tool.Scope, name string) error {
	if err := s.Keep(); err != nil {
		return err
	}
	own, ok := strings.CutPrefix(name, homeStickers)
	if !ok || t.home == "" {
		return nil
	}
	body, err := os.ReadFile(filepath.Join(t.home, own))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it is the folder's own
	}
	if err != nil {
		return err
	}
	return s.Dir.Place(name, body)
}

// pick gives the first that has one of the words as its name, else the first that shows one; "" if none does.
func pick(names, words []string) string {
	for _, fits := range []func(name, word string) bool{called, shows} {
		for _, word := range words {
			if at := slices.IndexFunc(names, func(name string) bool { return fits(name, word) }); at >= 0 {
				return names[at]
			}
		}
	}
	return ""
}

func called(name, word string) bool {
	base := bare(path.Base(name))
	return bare(name) == word || strings.EqualFold(base, word) || strings.EqualFold(strings.TrimSuffix(base, path.Ext(base)), word)
}

// shows reports whether a name has an emoji in it, not as a part of another. Letters of ASCII are no emoji.
func shows(name, emoji string) bool {
	if !strings.ContainsFunc(emoji, func(r rune) bool { return r > unicode.MaxASCII }) {
		return false
	}
	for rest := bare(path.Base(name)); ; {
		before, after, ok := strings.Cut(rest, emoji)
		if !ok {
			return false
		}
		if !strings.HasSuffix(before, joiner) && !strings.HasPrefix(after, joiner) {
			return true
		}
		rest = after
	}
}

// joiner makes one emoji of two.
const joiner = "\u200d"

// bare leaves out what changes no meaning: blanks around it, the colour of a hand, how an emoji is drawn.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\uFE0F' || r >= '\U0001F3FB' && r <= '\U0001F3FF' {
			return -1
		}
		return r
	}, strings.TrimSpace(s))
}

func inWords(emoji string) string {
	if emoji == "" {
		return "say it in words"
	}
	return "write " + emoji + " in the answer"
}

func thereAre(names []string) string {
	if len(names) == 0 {
		return "there are no stickers"
	}
	some := names[:min(len(names), stickersNamed)]
	more := ""
	if n := len(names) - len(some); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "there are " + strings.Join(some, ", ") + more
}
