package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
)

func TestHome(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		env  []string
		want string
	}{
		{[]string{"AKITA_HOME=/srv/a/../b", "HOME=/home/x"}, "/srv/b"},
		{[]string{"HOME=/home/x"}, "/home/x/.akita"},
		{[]string{"AKITA_HOME=", "HOME=/home/x"}, "/home/x/.akita"},
		{[]string{"AKITA_HOME=~/bots", "HOME=/home/x"}, "/home/x/bots"},
		{[]string{"AKITA_HOME=.akita"}, filepath.Join(here, ".akita")},
	} {
		if got := config.Home(tt.env); got != tt.want {
			t.Errorf("Home(%v) = %s, want %s", tt.env, got, tt.want)
		}
	}
	if got := config.Home(nil); !filepath.IsAbs(got) {
		t.Errorf("without any variable: %s", got)
	}
}

func TestEnsureHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "a", "home")
	for range 2 {
		if err := config.EnsureHome(home); err != nil {
			t.Fatal(err)
		}
	}
	p := config.Layout(home)
	for _, dir := range []string{p.Home, p.Data, p.Memory, p.Files, p.Agents, p.Flows, p.Skills, p.Stickers, p.Logs} {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v, want a folder with mode 0700", dir, info, err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "", 0o600)
	if err := config.EnsureHome(filepath.Join(file, "home")); err == nil || !strings.Contains(fmt.Sprintf("%+v", err.(*akitad.Error).Hint), "AKITA_HOME") {
		t.Errorf("a home below a file: %v", err)
	}
}

func TestAdminToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admin.token")
	tokens := make([]string, 8)
	var wg sync.WaitGroup
	for i := range tokens { // several commands may start at once: all must read the same token
		wg.Go(func() {
			s, err := config.AdminToken(path)
			if err != nil {
				t.Error(err)
			}
			tokens[i] = s.Reveal()
		})
	}
	wg.Wait()
	for _, tok := range tokens {
		if tok != tokens[0] || !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(tok) {
			t.Errorf("tokens %q", tokens)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left over: %v", left)
	}
	for _, tt := range []struct {
		text string
		mode os.FileMode
		want string
	}{
		{tokens[0], 0o640, "chmod 600"},
		{tokens[0], 0o400, ""},
		{"", 0o600, "remove it"},
		{"short", 0o600, "remove it"},
		{strings.Repeat("a", 20) + "\n" + strings.Repeat("a", 20), 0o600, "remove it"},
	} {
		write(t, path, tt.text, 0o600)
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		_, err := config.AdminToken(path)
		e, _ := err.(*akitad.Error)
		if (err == nil) != (tt.want == "") || e != nil && !strings.Contains(e.Hint, tt.want) {
			t.Errorf("%q mode %o: %v", tt.text, tt.mode, err)
		}
	}
	if _, err := config.AdminToken(filepath.Join(t.TempDir(), "no", "token")); err == nil {
		t.Error("a token in a folder that does not exist")
	}
}

func TestNodeName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node")
	name, err := config.NodeName(path)
	again, err2 := config.NodeName(path)
	if err != nil || err2 != nil || name != again || !akitad.ValidName(name) {
		t.Errorf("%q %v, %q %v", name, err, again, err2)
	}
	other, _ := config.NodeName(filepath.Join(t.TempDir(), "node"))
	if other == name {
		t.Error("two homes share a name")
	}
	write(t, path, "No Name", 0o600)
	if _, err := config.NodeName(path); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("bad name: %v", err)
	}
}
