package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// show prints each message of the bot, and what becomes of it, until ctx ends.
func (c *console) show(ctx context.Context) {
	seen := map[string]string{}
	for {
		err := c.Wait(ctx, func() bool { return c.fresh(seen) })
		if err != nil {
			return
		}
	}
}

// fresh prints what has changed since the last call, and says whether anything has.
func (c *console) fresh(seen map[string]string) bool {
	changed := false
	c.toasts()
	chats := c.Chats()
	for _, chat := range slices.Sorted(maps.Keys(chats)) {
		for _, m := range chats[chat] {
			key, state := fmt.Sprint(m.Chat, "/", m.ID), fmt.Sprint(m.Text, m.Buttons, m.Reaction)
			before, known := seen[key]
			if before == state {
				continue
			}
			seen[key] = state
			switch {
			case m.Bot:
				c.print("%s", c.line(m, edited(known)))
			case m.Reaction != "":
				c.print("[%d #%d] %s", m.Chat, m.ID, m.Reaction)
			default:
				continue
			}
			changed = true
		}
	}
	return changed
}

func edited(known bool) string {
	if known {
		return ", edited"
	}
	return ""
}

// line shows one message.
func (c *console) line(m telegramtest.Message, note string) string {
	who := "akita"
	if !m.Bot {
		who = fmt.Sprint("person ", m.From)
	}
	where := fmt.Sprint(m.Chat)
	if m.Thread != 0 {
		where += fmt.Sprint("/", m.Thread)
	}
	out := fmt.Sprintf("[%s #%d] %s%s: %s", where, m.ID, who, note, render(m.Text, m.Entities, c.color))
	if m.File != nil {
		out += fmt.Sprintf("\n    %s %s, %d bytes%s", m.Kind, printable(m.File.Name), len(m.File.Bytes), c.keep(m))
	}
	for i, b := range slices.Concat(m.Buttons...) {
		if i == 0 {
			out += "\n   "
		}
		out += fmt.Sprintf(" (%d) %s", i+1, printable(b.Text))
	}
	return out
}

// keep writes a file of the bot's into the folder for such, once.
func (c *console) keep(m telegramtest.Message) string {
	if c.save == "" || !m.Bot {
		return ""
	}
	path := filepath.Join(c.save, fmt.Sprintf("%d-%d-%s", m.Chat, m.ID, filepath.Base(m.File.Name)))
	if err := os.WriteFile(path, m.File.Bytes, 0o600); err != nil {
		return ", not saved: " + err.Error()
	}
	return ", saved as " + path
}

// toasts prints what people are shown for a moment after they pressed, once each.
func (c *console) toasts() {
	c.mu.Lock()
	pressed := c.pressed
	c.pressed = nil
	c.mu.Unlock()
	var open []string
	for _, id := range pressed {
		p := c.Pressed(id)
		switch {
		case !p.Answered:
			open = append(open, id)
		case p.Toast != "":
			c.print("(%s)", printable(p.Toast))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pressed = append(open, c.pressed...)
}

// styles are what a terminal shows formats as.
var styles = map[string]string{
	"bold": "1", "italic": "3", "underline": "4", "strikethrough": "9", "code": "36", "pre": "36", "spoiler": "7", "text_link": "4",
}

// render shows a text with its formats: as a terminal can, or with the marks that people type.
func render(text string, entities []telegramtest.Entity, color bool) string {
	units := utf16.Encode([]rune(text))
	var out strings.Builder
	active := ""
	for at := 0; at < len(units); {
		n := 1
		if utf16.IsSurrogate(rune(units[at])) && at+1 < len(units) {
			n = 2
		}
		if now := codes(entities, at); color && now != active {
			out.WriteString("\x1b[0" + now + "m")
			active = now
		}
		out.WriteString(opening(entities, at, color))
		out.WriteString(printable(string(utf16.Decode(units[at : at+n]))))
		if units[at] == '\n' && quoted(entities, at+1) {
			out.WriteString("│ ")
		}
		at += n
		out.WriteString(closing(entities, at, color))
	}
	if active != "" {
		out.WriteString("\x1b[0m")
	}
	return out.String()
}

// codes returns the terminal's codes for what stands at a place.
func codes(entities []telegramtest.Entity, at int) (out string) {
	for _, e := range entities {
		if style := styles[e.Type]; style != "" && at >= e.Offset && at < e.Offset+e.Length {
			out += ";" + style
		}
	}
	return out
}

// quoted reports whether a place is within a quote, behind its beginning.
func quoted(entities []telegramtest.Entity, at int) bool {
	return slices.ContainsFunc(entities, func(e telegramtest.Entity) bool {
		return e.Type == "blockquote" && at > e.Offset && at < e.Offset+e.Length
	})
}

// marks are what people type for formats, where there are no colors.
var marks = map[string]string{"bold": "*", "italic": "_", "strikethrough": "~", "code": "`", "pre": "```\n"}

func opening(entities []telegramtest.Entity, at int, color bool) (out string) {
	for _, e := range entities {
		switch {
		case e.Offset != at:
		case e.Type == "blockquote":
			out += "│ "
		case e.Type == "pre" && !color:
			out += "\n```" + printable(e.Language) + "\n"
		case !color:
			out += marks[e.Type]
		}
	}
	return out
}

func closing(entities []telegramtest.Entity, at int, color bool) (out string) {
	for _, e := range slices.Backward(entities) {
		switch {
		case e.Offset+e.Length != at:
		case e.Type == "text_link":
			out += " (" + printable(e.URL) + ")"
		case e.Type == "pre" && !color:
			out += "\n```"
		case !color:
			out += marks[e.Type]
		}
	}
	return out
}

// printable takes out what would command the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}
