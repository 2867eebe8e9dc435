package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad/internal/loose"
)

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

// alike are the names of commands elsewhere and here.
var alike = map[string]string{"list": "ls", "remove": "rm", "delete": "rm", "del": "rm", "get": "show", "status": "show", "info": "show", "find": "search", "start": "serve", "daemon": "serve", "ask": "run", "stop": "cancel", "kill": "cancel", "log": "logs", "tasks": "task"}

// helpOnNothing is the error for help that is asked for on a command that there is not: the help of the
// one above it would read as if there were. What begins with __ is a shell's question how a line may go on.
func helpOnNothing(root *cobra.Command, args []string) error {
	words := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
	if len(words) == 0 || strings.HasPrefix(words[0], "__") || words[0] != "help" && !slices.Contains(args, "--help") && !slices.Contains(args, "-h") {
		return nil
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(words...)
	if words[0] == "help" {
		words = words[1:]
	}
	cmd, rest, err := root.Find(words)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 {
		return nil
	}
	if cmd == root {
		return noCommand(rest[0], cmd)
	}
	return noCommand(cmd.CommandPath()+" "+rest[0], cmd)
}

// noCommand is the error for a command that parent does not have.
func noCommand(name string, parent *cobra.Command) error {
	if instead, ok := absent[strings.TrimPrefix(name, "akitad ")]; ok {
		return usage("there is no command %q: %s", name, instead)
	}
	var names []string
	for _, c := range parent.Commands() {
		names = append(names, c.Name())
	}
	word, meant := name[strings.LastIndex(name, " ")+1:], ""
	if other := alike[strings.ToLower(word)]; slices.Contains(names, other) {
		meant = other
	}
	if meant = cmp.Or(meant, loose.Nearest(word, names)); meant != "" {
		return usage("there is no command %q, did you mean %s %s? See %s --help", name, parent.CommandPath(), meant, parent.CommandPath())
	}
	return usage("there is no command %q; see %s --help", name, parent.CommandPath())
}
