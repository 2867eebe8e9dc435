package telegramtest

import (
	"encoding/json"
	"regexp"
	"slices"
)

// Command is one line of the menu that the bot has set.
type Command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// maxCommands is the most that a menu holds (setMyCommands).
const maxCommands = 100

var commandForm = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

func (s *Server) setMyCommands(p params) (any, *apiError) {
	var list []Command
	if err := json.Unmarshal([]byte(p.values["commands"]), &list); err != nil {
		return nil, refuse(400, "Bad Request: can't parse commands list JSON object")
	}
	if len(list) > maxCommands {
		return nil, refuse(400, "Bad Request: BOT_COMMANDS_TOO_MUCH")
	}
	for _, c := range list {
		switch {
		case !commandForm.MatchString(c.Command):
			return nil, refuse(400, "Bad Request: BOT_COMMAND_INVALID")
		case c.Description == "" || len([]rune(c.Description)) > 256:
			return nil, refuse(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
		}
	}
	s.commands[p.values["language_code"]] = list
	return true, nil
}

// Commands returns the menu for a language; "" is that for everybody else.
func (s *Server) Commands(language string) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands[language])
}
