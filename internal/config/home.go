package config

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/akitad/akitad"
)

// Paths is the layout of a home folder.
type Paths struct {
	Home     string
	Config   string // akitad.yaml
	Token    string // admin.token, 0600
	Data     string // JetStream, SQLite
	Daemon   string // data/daemon.json: where the running daemon listens
	Lock     string // data/lock: held by the one daemon of this home
	Node     string // data/node: this node's name
	Index    string // data/knowledge.db
	Memory   string
	Files    string // workspace/files: one folder for each session
	Agents   string
	Flows    string
	Skills   string
	Stickers string
	Logs     string
	Log      string // logs/akitad.log
}

// Layout gives the paths of a home.
func Layout(home string) Paths {
	in := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	return Paths{
		Home: home, Config: in(FileName), Token: in("admin.token"),
		Data: in("data"), Daemon: in("data", "daemon.json"), Lock: in("data", "lock"), Node: in("data", "node"), Index: in("data", "knowledge.db"),
		Memory: in("memory"), Files: in("workspace", "files"), Agents: in("agents"), Flows: in("flows"), Skills: in("skills"), Stickers: in("stickers"),
		Logs: in("logs"), Log: in("logs", "akitad.log"),
	}
}

// Home gives the absolute path of the home folder: AKITA_HOME of env (form of os.Environ), else
// .akita in the person's home directory, else .akita here.
func Home(env []string) string {
	vars := environment(env)
	home := vars["AKITA_HOME"]
	if home == "" {
		home = filepath.Join(personHome(vars), ".akita")
	}
	if rest, ok := strings.CutPrefix(home, "~/"); ok {
		home = filepath.Join(personHome(vars), rest)
	}
	if abs, err := filepath.Abs(home); err == nil {
		return abs
	}
	return home
}

func personHome(vars map[string]string) string {
	if h := vars["HOME"]; h != "" {
		return h
	}
	if u, err := user.Current(); err == nil {
		return u.HomeDir
	}
	return "."
}

// EnsureHome makes the folders of a home that do not exist, closed to others.
func EnsureHome(home string) error {
	p := Layout(home)
	for _, dir := range []string{p.Home, p.Data, p.Memory, p.Files, p.Agents, p.Flows, p.Skills, p.Stickers, p.Logs} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return homeError("make the home folder", err, "make "+home+" writable, or set AKITA_HOME to a folder that is")
		}
	}
	return nil
}

func homeError(op string, err error, hint string) error {
	kind := akitad.InvalidRequest
	if errors.Is(err, fs.ErrPermission) {
		kind = akitad.PermissionDenied
	}
	return &akitad.Error{Kind: kind, Op: op, Err: err, Hint: hint}
}

// AdminToken gives the token of the HTTP API, kept in a file that only its owner may read; it makes
// one of 32 random bytes (hex) if there is none. A file that others can read is refused.
func AdminToken(path string) (Secret, error) {
	text, err := keep(path, 0o600, func() string {
		b := make([]byte, 32)
		rand.Read(b) // never fails
		return hex.EncodeToString(b)
	})
	if err != nil {
		return Secret{}, homeError("read the admin token", err, "make "+path+" a file that you own, with mode 0600")
	}
	info, err := os.Stat(path)
	if err != nil {
		return Secret{}, homeError("read the admin token", err, "try again")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return Secret{}, &akitad.Error{
			Kind: akitad.PermissionDenied, Op: "read the admin token",
			Err: fmt.Errorf("%s can be read by others (mode %s)", path, octal(info.Mode())), Hint: "run: chmod 600 " + path + ", or remove it to get a new token",
		}
	}
	if len(text) < 32 || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Secret{}, &akitad.Error{
			Kind: akitad.InvalidRequest, Op: "read the admin token",
			Err: fmt.Errorf("%s holds no token of at least 32 characters", path), Hint: "remove it to get a new token",
		}
	}
	return Secret{text}, nil
}

// NodeName gives this node's name, kept in a file so that a restarted node knows its own earlier
// claims; it makes one if there is none.
func NodeName(path string) (string, error) {
	name, err := keep(path, 0o644, func() string { return "n-" + strings.ToLower(rand.Text()[:8]) })
	if err != nil {
		return "", homeError("read the node's name", err, "make "+path+" a readable file")
	}
	if !akitad.ValidName(name) {
		return "", &akitad.Error{
			Kind: akitad.InvalidRequest, Op: "read the node's name", Err: fmt.Errorf("%s holds no valid name", path),
			Hint: "write a name of 1 to 40 of a-z, 0-9 and - there, or remove the file",
		}
	}
	return name, nil
}

// keep gives the trimmed text of a small file, made with fresh text if it does not exist. Of several
// processes that make it at once, one wins and all read its text whole.
func keep(path string, mode fs.FileMode, fresh func() string) (string, error) {
	text, _, err := readSmall(path, 4096)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeOnce(path, mode, fresh()+"\n"); err != nil {
			return "", err
		}
		text, _, err = readSmall(path, 4096)
	}
	return strings.TrimSpace(string(text)), err
}

// makeOnce puts a whole file at path unless there is one.
func makeOnce(path string, mode fs.FileMode, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // 0600 from the start
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err = os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
