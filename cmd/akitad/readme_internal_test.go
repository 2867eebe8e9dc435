package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var (
	codeBlock = regexp.MustCompile("(?s)```.*?```")
	codeSpan  = regexp.MustCompile("`[^`\n]+`")
)

// spans gives what a text has in code style outside of blocks, sorted, each once.
func spans(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	found := codeSpan.FindAllString(codeBlock.ReplaceAllString(string(text), ""), -1)
	for i := range found {
		found[i] = strings.Trim(found[i], "`")
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Both README files name the same commands, settings, routes and files.
func TestReadmesNameTheSame(t *testing.T) {
	en, zh := spans(t, "README.md"), spans(t, "README.zh-CN.md")
	lacks := func(file string, have, want []string) {
		for _, s := range want {
			if !slices.Contains(have, s) && !strings.Contains(s, ":line") && !strings.Contains(s, ":行号") {
				t.Errorf("%s does not name `%s`", file, s)
			}
		}
	}
	lacks("README.zh-CN.md", zh, en)
	lacks("README.md", en, zh)
}

// Every command is in the table of the README.
func TestReadmeNamesEveryCommand(t *testing.T) {
	table := strings.ReplaceAll(strings.Join(spans(t, "README.md"), "\n"), `\|`, "\n")
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if len(cmd.Commands()) == 0 && !cmd.Hidden && !regexp.MustCompile(`\b`+cmd.Name()+`\b`).MatchString(table) {
			t.Errorf("README.md does not name akitad %s", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(environment{}))
}
