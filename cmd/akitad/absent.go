package main

import "strings"

// absent says of commands that people look for, and this version does not have, what there is in their place.
var absent = map[string]string{
	"chat":         `this version has no chat on the terminal; akitad run --session NAME "TEXT" goes on with a conversation`,
	"dashboard":    "this version has no dashboard; akitad task watch ID and akitad trace show ID tell what happens",
	"policy":       "this version has no policy test; akitad config explain shows the rules, and tool ls what is left of the tools",
	"schedule":     `this version has no schedules; let cron run: akitad run "TEXT"`,
	"skill":        "this version has no skills; what an agent is to know stands in agents/NAME.md of the home folder",
	"tool eval":    "this version does not try tools on models; doctor --models does it with one call for each endpoint",
	"trace replay": "this version does not replay traces; trace show ID tells what happened, task retry ID --from ROUND does it again",
}

// noCommand is the error for a command that is not there; help is the one that lists those that are.
func noCommand(name, help string) error {
	if instead, ok := absent[strings.TrimPrefix(name, "akitad ")]; ok {
		return usage("there is no command %q: %s", name, instead)
	}
	return usage("there is no command %q; see %s --help", name, help)
}
