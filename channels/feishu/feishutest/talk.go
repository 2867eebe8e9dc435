package feishutest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// You is the person at the terminal.
const You = "ou_you"

const talkHelp = `A Feishu of your own. Start the bot in another terminal with

  FEISHU_BASE_URL=%s FEISHU_APP_ID=%s FEISHU_APP_SECRET=%s FEISHU_ALLOW=%s akitad serve

and write here. /press LABEL presses a button, /file PATH sends a file, /group TEXT writes into a group and
names the bot, an empty line or the end of the input ends it.

`

// talk has who sits at a terminal write to the bot, and shows what the bot writes.
func (s *Server) talk(ctx context.Context, in io.Reader, out io.Writer) {
	fmt.Fprintf(out, talkHelp, s.URL, s.AppID, s.Secret, You)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	s.tasks.Go(func() { s.watch(watching, out) })
	lines := bufio.NewScanner(in)
	for lines.Scan() && lines.Text() != "" && ctx.Err() == nil {
		s.line(lines.Text(), out)
	}
}

func (s *Server) line(text string, out io.Writer) {
	command, rest, _ := strings.Cut(text, " ")
	switch command {
	case "/press":
		for _, m := range s.FromBot(Private(You)) {
			if s.Press(You, m.Chat, m.ID, rest) {
				return
			}
		}
		fmt.Fprintln(out, "there is no such button")
	case "/file":
		data, err := os.ReadFile(rest)
		if err != nil {
			fmt.Fprintln(out, err)
			return
		}
		s.Say(Said{From: You, File: &Upload{Name: path.Base(rest), Bytes: data}})
	case "/group":
		s.Say(Said{From: You, Chat: "oc_group", Text: rest, Mention: true})
	default:
		s.Say(Said{From: You, Text: text})
	}
}

// watch shows each message of the bot's, and again when it has changed.
func (s *Server) watch(ctx context.Context, out io.Writer) {
	shown := map[string]string{}
	_ = s.Wait(ctx, func() bool {
		for _, chat := range []string{Private(You), "oc_group"} {
			for _, m := range s.FromBot(chat) {
				text := m.Text
				for _, b := range m.Buttons {
					text += "\n  [" + b.Label + "]"
				}
				if shown[m.ID] != text {
					shown[m.ID] = text
					fmt.Fprintf(out, "bot (%s): %s\n", m.ID, text)
				}
			}
		}
		return false
	})
}
