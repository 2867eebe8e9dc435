package telegram

import (
	"context"
	"encoding/json"
	"regexp"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/sleep"
)

// Command is one line of the bot's menu.
type Command struct {
	Name string // without the slash: 1 to 32 small letters, digits and _
	En   string // what it does, 1 to 256 characters
	Zh   string // the same in Chinese; empty: as in English
}

const (
	maxCommands    = 100 // setMyCommands
	maxDescription = 256 // characters
	menuTries      = 5
)

var commandForm = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

// menuLine is a command as setMyCommands takes it.
type menuLine struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menus gives the menu for everybody, and that for those who read Chinese. A command that Telegram
// would refuse is left out, for it would take the others with it.
func menus(list []Command) (en, zh []menuLine) {
	for _, c := range list {
		if !commandForm.MatchString(c.Name) || c.En == "" || len(en) == maxCommands {
			continue
		}
		other := c.Zh
		if other == "" {
			other = c.En
		}
		en = append(en, menuLine{c.Name, cutTo(c.En, maxDescription)})
		zh = append(zh, menuLine{c.Name, cutTo(other, maxDescription)})
	}
	return en, zh
}

// setMenus tells Telegram which commands there are. The bot works without; a failure is a line in the
// log.
func (t *Telegram) setMenus(ctx context.Context) {
	en, zh := menus(t.opts.Commands)
	if len(en) == 0 {
		return
	}
	retry := chatsend.Retry(0)
	for try := 1; ; try++ {
		err := t.setMenu(ctx, "", en)
		if err == nil {
			err = t.setMenu(ctx, "zh", zh)
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		if try == menuTries || !kindOf(err).Temporary() {
			t.log.Info("telegram menu of commands not set", zap.Error(err))
			return
		}
		wait, asked := pauseOf(err)
		if !asked {
			wait = retry.NextBackOff()
		}
		sleep.For(ctx, wait)
	}
}

func (t *Telegram) setMenu(ctx context.Context, language string, lines []menuLine) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	list, err := json.Marshal(lines)
	if err != nil {
		return err
	}
	var ok bool
	return t.call(ctx, "setMyCommands", &ok, "commands", string(list), "language_code", language)
}
