package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/faketest"
)

const help = `words               said by who types, where they type
12: words           said by person 12, in their own chat
12@-50: words       said by person 12 in group -50
:as 12              type as person 12
:in -50 3           type in group -50, topic 3; ":in 0" is the own chat
:press 2            press button 2 of the last message that has buttons
:reply 5 words      answer message 5
:edit 5 words       edit message 5
:forward Ann words  forward what Ann wrote
:file a.pdf words   send a file, with words; so too :photo :voice :audio :video :sticker
:file "a b.pdf"     the same; a path with spaces stands in quotation marks
:album a.png b.png  send pictures as one album
:fail sendMessage 429 3  the next such call is answered with this code (and retry_after)
:move -1001         the group becomes a supergroup with this id
:menu               the bot's menu of commands
:chat               everything in this chat
:quit`

// console is who types, and where.
type console struct {
	*telegramtest.Server
	mu      sync.Mutex // guards out and pressed
	out     io.Writer
	pressed []string // presses that the bot has not answered
	color   bool
	save    string // folder for the bot's files; empty is none

	person, chat int64
	topic        int
}

func (c *console) print(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(c.out, format+"\n", args...)
}

// do does one line; false means to stop.
func (c *console) do(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" {
		return true
	}
	if line == ":quit" {
		return false
	}
	var err error
	if command, ok := strings.CutPrefix(line, ":"); ok {
		name, rest, _ := strings.Cut(command, " ")
		err = c.command(name, strings.TrimSpace(rest))
	} else if from, chat, words, ok := speaker(line); ok {
		c.print("#%d", c.Say(from, chat, words, telegramtest.Said{}))
	} else {
		c.say(line, telegramtest.Said{})
	}
	if err != nil {
		c.print("%v", err)
	}
	return true
}

func (c *console) say(words string, with telegramtest.Said) {
	with.Thread = c.topic
	c.print("#%d", c.Say(c.person, c.chat, words, with))
}

// speaker reads "12: words" and "12@-50: words".
func speaker(line string) (from, chat int64, words string, ok bool) {
	who, words, found := strings.Cut(line, ":")
	if !found {
		return 0, 0, "", false
	}
	person, where, _ := strings.Cut(strings.TrimSpace(who), "@")
	from, err := strconv.ParseInt(person, 10, 64)
	if where != "" && err == nil {
		chat, err = strconv.ParseInt(where, 10, 64)
	}
	words = strings.TrimSpace(words)
	return from, chat, words, err == nil && from > 0 && words != ""
}

var errUsage = errors.New("that is not how it is written; see :help")

func (c *console) command(name, rest string) error {
	switch name {
	case "help":
		c.print("%s", help)
	case "as":
		return c.as(rest)
	case "in":
		return c.in(rest)
	case "press":
		return c.press(rest)
	case "reply", "edit":
		return c.about(name, rest)
	case "forward":
		who, words, _ := strings.Cut(rest, " ")
		c.say(words, telegramtest.Said{Forward: who})
	case "file", "photo", "voice", "audio", "video", "sticker":
		return c.send(name, rest)
	case "album":
		return c.album(rest)
	case "fail":
		return c.trouble(rest)
	case "move":
		return c.move(rest)
	case "menu":
		for _, m := range c.Commands("") {
			c.print("/%s  %s", m.Command, m.Description)
		}
	case "chat":
		for _, m := range c.Chat(c.where()) {
			c.print("%s", c.line(m, ""))
		}
	default:
		return errUsage
	}
	return nil
}

// where is the chat in which is typed.
func (c *console) where() int64 { return cmp.Or(c.chat, c.person) }

func (c *console) as(rest string) error {
	id, err := strconv.ParseInt(rest, 10, 64)
	if err != nil || id <= 0 {
		return errUsage
	}
	c.person = id
	c.print("you are person %d in chat %d", c.person, c.where())
	return nil
}

func (c *console) in(rest string) error {
	chat, topic, _ := strings.Cut(rest, " ")
	id, err := strconv.ParseInt(chat, 10, 64)
	if err != nil {
		return errUsage
	}
	n := 0
	if topic != "" {
		if n, err = strconv.Atoi(strings.TrimSpace(topic)); err != nil {
			return errUsage
		}
	}
	c.chat, c.topic = id, n
	c.print("you are person %d in chat %d, topic %d", c.person, c.where(), c.topic)
	return nil
}

// press presses a button by its number, as shown.
func (c *console) press(rest string) error {
	n, err := strconv.Atoi(rest)
	if err != nil {
		return errUsage
	}
	for _, m := range slices.Backward(c.FromBot(c.where())) {
		if len(m.Buttons) == 0 {
			continue
		}
		if all := slices.Concat(m.Buttons...); n >= 1 && n <= len(all) {
			c.mu.Lock()
			c.pressed = append(c.pressed, c.Press(c.person, c.where(), m.ID, all[n-1].Data))
			c.mu.Unlock()
			c.print("pressed: %s", printable(all[n-1].Text))
			return nil
		}
		return fmt.Errorf("message #%d has no button %d", m.ID, n)
	}
	return errors.New("no message in this chat has buttons")
}

// about does something with a message: ":reply 5 words".
func (c *console) about(what, rest string) error {
	id, words, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(id)
	if err != nil || words == "" {
		return errUsage
	}
	if what == "edit" {
		c.Correct(c.where(), n, words)
		return nil
	}
	c.say(words, telegramtest.Said{ReplyTo: n})
	return nil
}

func (c *console) send(kind, rest string) error {
	file, words := faketest.File(rest)
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	up, with := &telegramtest.Upload{Name: filepath.Base(file), Bytes: body}, telegramtest.Said{}
	switch kind {
	case "photo":
		with.Photo = up
	case "voice":
		with.Voice = up
	case "audio":
		with.Audio = up
	case "video":
		with.Video = up
	case "sticker":
		with.Sticker, with.Emoji = up, "😀"
	default:
		with.File = up
	}
	c.say(words, with)
	return nil
}

func (c *console) album(rest string) error {
	var parts []telegramtest.Upload
	for _, file := range strings.Fields(rest) {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		parts = append(parts, telegramtest.Upload{Name: filepath.Base(file), Bytes: body})
	}
	name := fmt.Sprint("album-", time.Now().UnixNano())
	for _, p := range parts {
		c.say("", telegramtest.Said{Album: name, Photo: &p})
	}
	return nil
}

func (c *console) trouble(rest string) error {
	words := strings.Fields(rest)
	if len(words) < 2 || len(words) > 3 {
		return errUsage
	}
	code, err := strconv.Atoi(words[1])
	if err != nil {
		return errUsage
	}
	f := telegramtest.Fault{Method: words[0], Code: code, Description: "ordered at the console"}
	if len(words) == 3 {
		if f.RetryAfter, err = strconv.Atoi(words[2]); err != nil {
			return errUsage
		}
	}
	c.Fail(f)
	return nil
}

func (c *console) move(rest string) error {
	id, err := strconv.ParseInt(rest, 10, 64)
	if err != nil || id >= 0 || c.chat >= 0 {
		return errUsage
	}
	c.Migrate(c.chat, id)
	c.chat = id
	return nil
}
