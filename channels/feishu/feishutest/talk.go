package feishutest

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"sync"

	"github.com/akitad/akitad/internal/faketest"
)

// You is the person at the terminal, until ":as" says otherwise.
const You = "ou_you"

const talkStart = `A Feishu on loopback. Start the bot in another terminal with

  FEISHU_BASE_URL=%s FEISHU_APP_ID=%s FEISHU_APP_SECRET=%s FEISHU_ALLOW=%s FEISHU_ALLOW_GROUPS=oc_group akitad serve

and write here: each line is a message to the bot. :help tells what else there is.
`

const talkHelp = `:as ou_2                be another person
:in oc_group omt_1      write in a group, and in a thread of it; the bot is named. ":in" is the own chat
:reply om_3 words       answer a message
:press Yes              press a button
:file a.pdf words       send a file, and words after it; so too :photo :voice :audio :video
:file "a b.pdf"         the same; a path with spaces stands in quotation marks
:chat                   show all of the chat
:drop                   break the bot's connection
:quit                   end
`

// console is who sits at a terminal.
type console struct {
	*Server
	out          io.Writer
	from         string
	chat, thread string

	mu    sync.Mutex
	shown map[string]string // what was shown of each message
}

// talk has who sits at a terminal write to the bot, and shows what the bot writes, until in ends.
func (s *Server) talk(ctx context.Context, in io.Reader, out io.Writer) {
	fmt.Fprintf(out, talkStart, s.URL, s.AppID, s.Secret, You)
	c := &console{Server: s, out: out, from: You, shown: map[string]string{}}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.tasks.Go(func() { _ = s.Wait(ctx, func() bool { c.show(); return false }) })
	lines := bufio.NewScanner(in)
	for lines.Scan() && ctx.Err() == nil && lines.Text() != ":quit" {
		c.line(lines.Text())
	}
}

func (c *console) where() string { return cmp.Or(c.chat, Private(c.from)) }

// said completes what is said from here.
func (c *console) said(what Said) {
	what.From, what.Chat, what.Thread, what.Mention = c.from, c.chat, c.thread, c.chat != ""
	c.Say(what)
}

func (c *console) line(line string) {
	command, rest, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(line, ":") {
		c.said(Said{Text: line})
		return
	}
	first, more, _ := strings.Cut(rest, " ")
	switch command {
	case ":as":
		c.from = first
	case ":in":
		c.chat, c.thread = first, more
	case ":reply":
		c.said(Said{Text: more, ReplyTo: first})
	case ":press":
		c.press(rest)
	case ":file", ":photo", ":voice", ":audio", ":video":
		c.send(kinds[command], rest)
	case ":chat":
		for _, m := range c.Chat(c.where()) {
			fmt.Fprintln(c.out, seen(m))
		}
	case ":drop":
		c.Drop()
	default:
		fmt.Fprint(c.out, talkHelp)
	}
}

func (c *console) press(label string) {
	for _, m := range c.FromBot(c.where()) {
		if c.Press(c.from, m.Chat, m.ID, label) {
			return
		}
	}
	fmt.Fprintln(c.out, "there is no such button here")
}

// kinds are the service's names of what the commands send. Music is a file like any other.
var kinds = map[string]string{":file": "file", ":photo": "image", ":voice": "audio", ":audio": "file", ":video": "media"}

// send sends a file. Words are a message of their own here.
func (c *console) send(kind, typed string) {
	file, words := faketest.File(typed)
	data, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(c.out, err)
		return
	}
	c.said(Said{File: &Upload{Kind: kind, Name: path.Base(file), Bytes: data}})
	if words != "" {
		c.said(Said{Text: words})
	}
}

// show writes each message of the bot's, and again when it has changed.
func (c *console) show() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, all := range c.Chats() {
		for _, m := range all {
			if text := seen(m); m.Bot && c.shown[m.ID] != text {
				c.shown[m.ID] = text
				fmt.Fprintln(c.out, text)
			}
		}
	}
}

// seen is a message as a terminal shows it.
func seen(m Message) string {
	who := m.From
	if m.Bot {
		who = "bot"
	}
	text := fmt.Sprintf("%s %s %s: %s", m.Chat, m.ID, who, m.Text)
	if m.File != nil {
		text += " " + m.File.Name
	}
	for _, b := range m.Buttons {
		text += "\n  [" + b.Label + "]"
	}
	return text
}
