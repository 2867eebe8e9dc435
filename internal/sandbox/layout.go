package sandbox

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

const (
	searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	scratch    = 64 << 20 // bytes of /tmp and of /dev/shm, in memory
	userID     = 1000     // the program's user and group, mapped to the daemon's own
)

// systemDirs are the parts of the host that hold programs and libraries.
var systemDirs = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// systemFiles are the settings that programs need to start, to speak TLS and to tell the time.
// Nothing here holds a secret: of /etc/ssl only the public parts.
var systemFiles = []string{
	"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone",
	"/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted",
	"/etc/mime.types", "/etc/magic", "/etc/perl", "/etc/python3", "/etc/R", "/etc/java",
}

// ownFiles are files of /etc with content of ours.
var ownFiles = map[string]string{
	"/etc/passwd":        "agent:x:1000:1000:agent:" + Home + ":/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
	"/etc/group":         "agent:x:1000:\nnogroup:x:65534:\n",
	"/etc/hosts":         "127.0.0.1 localhost\n::1 localhost\n",
	"/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}

// layout is the root that a program sees, apart from /proc, /dev, /tmp and its folder.
type layout struct {
	Links map[string]string // symbolic links: name -> target
	Binds []shown           // parts of the host, read-only
	Files map[string]string // small files of our own
	Masks []string          // hidden folders below a bind, covered by an empty one
	Void  []string          // files of the program's folder that it must not see, covered by nothing
}

// shown is a part of the host and where the program finds it.
type shown struct {
	From string // without symbolic links
	To   string
}

// makeLayout looks at what this host has.
func makeLayout(hidden []string) (layout, error) {
	l := layout{Links: map[string]string{}, Files: ownFiles}
	for _, dir := range systemDirs {
		target, err := os.Readlink(dir)
		switch _, serr := os.Stat(dir); {
		case serr != nil:
		case err == nil:
			l.Links[dir] = target
		default:
			l.Binds = append(l.Binds, shown{dir, dir})
		}
	}
	for _, file := range systemFiles {
		if real, err := filepath.EvalSymlinks(file); err == nil {
			l.Binds = append(l.Binds, shown{real, file})
		}
	}
	for _, h := range hidden {
		if err := l.hide(h); err != nil {
			return l, err
		}
	}
	return l, nil
}

// hide covers a path if the program could see it. A path that holds all programs cannot be hidden.
func (l *layout) hide(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if i := slices.IndexFunc(systemDirs, func(dir string) bool { return below(dir, path) }); i >= 0 {
		return akitad.Errorf(akitad.Unavailable, "%s holds %s, which every program needs", path, systemDirs[i])
	}
	l.Binds = slices.DeleteFunc(l.Binds, func(b shown) bool { return below(b.From, path) })
	for _, b := range l.Binds {
		if !below(path, b.From) {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return akitad.Errorf(akitad.Unavailable, "cannot hide %s: not a folder", path)
		}
		l.Masks = append(l.Masks, b.To+path[len(b.From):])
	}
	return nil
}

// below reports whether path is dir or lies in it.
func below(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// environment returns the variables of a program, sorted.
func environment(extra map[string]string) []string {
	vars := map[string]string{"PATH": searchPath, "HOME": Home, "LANG": "C.UTF-8"}
	maps.Copy(vars, extra)
	env := make([]string, 0, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		env = append(env, name+"="+vars[name])
	}
	return env
}

func validEnv(name string) bool {
	return name != "" && !strings.ContainsAny(name, "=\x00") && !strings.HasPrefix(name, "LD_")
}

// findProgram refuses a command whose program is not there, before anything starts.
func findProgram(c Command) error {
	name := c.Argv[0]
	if strings.Contains(name, "/") {
		return nil // the folder's own programs; the program's start says what is wrong
	}
	for dir := range strings.SplitSeq(searchPath, ":") {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return nil
		}
	}
	return &akitad.Error{
		Kind: akitad.NotFound, Op: "run program", Err: fmt.Errorf("no program %q on this machine", name),
		Hint: "use another program, or ask the owner to install it",
	}
}
