package sandbox_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sandbox"
)

const secret = "planted-secret-7f3a"

// yard is a daemon's home with a session's folder in it, and a sandbox of one rung.
type yard struct {
	t    *testing.T
	home string
	dir  string
	box  *sandbox.Sandbox
}

func newYard(t *testing.T, rung string) *yard {
	y := &yard{t: t, home: filepath.Join(t.TempDir(), "home")}
	y.dir = filepath.Join(y.home, "workspace", "files", "s-1")
	y.must(os.MkdirAll(y.dir, 0o700))
	y.box = sandbox.New(sandbox.Options{Rungs: []string{rung}, Hidden: []string{y.home}})
	return y
}

func (y *yard) must(err error) {
	y.t.Helper()
	if err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) put(path, text string) string {
	y.t.Helper()
	full := filepath.Join(y.home, path)
	y.must(os.MkdirAll(filepath.Dir(full), 0o700))
	y.must(os.WriteFile(full, []byte(text), 0o600))
	return full
}

func (y *yard) sh(script string, l sandbox.Limits) sandbox.Output {
	y.t.Helper()
	out, err := y.box.Run(y.t.Context(), sandbox.Command{Argv: []string{"bash", "-c", script}, Dir: y.dir, Limits: l})
	y.must(err)
	return out
}

// TestConformance holds every rung that this machine has to the same promises. A rung that it
// lacks must say why and run nothing.
func TestConformance(t *testing.T) {
	for _, rung := range []string{sandbox.Bubblewrap, sandbox.Namespaces} {
		t.Run(rung, func(t *testing.T) {
			name, why := newYard(t, rung).box.Level()
			if name != rung {
				if offered[rung]() {
					t.Errorf("this machine offers it, and it is refused: %s", why)
				}
				testRefusal(t, rung, why)
				return
			}
			for what, test := range promises {
				t.Run(what, func(t *testing.T) { test(newYard(t, rung)) })
			}
		})
	}
}

// offered says, by the shortest way, whether the machine has what a rung is built on.
var offered = map[string]func() bool{
	sandbox.Bubblewrap: func() bool {
		return exec.Command("bwrap", "--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "true").Run() == nil
	},
	sandbox.Namespaces: func() bool {
		cmd := exec.Command("true")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		}
		return cmd.Run() == nil
	},
}

func testRefusal(t *testing.T, rung, why string) {
	y := newYard(t, rung)
	_, err := y.box.Run(t.Context(), sandbox.Command{Argv: []string{"true"}, Dir: y.dir})
	if akitad.KindOf(err) != akitad.Unavailable || why == "" || !strings.Contains(err.Error(), why) {
		t.Errorf("refused with %v; the reason is %q", err, why)
	}
}

func TestNoRungRefuses(t *testing.T) {
	for _, rung := range []string{"magic", ""} {
		box := sandbox.New(sandbox.Options{Rungs: []string{rung}})
		name, why := box.Level()
		if name != sandbox.Refused || why == "" {
			t.Errorf("level %q because of %q", name, why)
		}
		testRefusal(t, rung, why)
	}
}

func TestMissingBubblewrapFallsToNamespaces(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	name, why := sandbox.New(sandbox.Options{}).Level()
	if name == sandbox.Bubblewrap || !strings.Contains(why, "bubblewrap: the program bwrap is not installed") {
		t.Errorf("level %q because of %q", name, why)
	}
}

func TestBadCommands(t *testing.T) {
	box := sandbox.New(sandbox.Options{})
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("/", link); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		c    sandbox.Command
		want akitad.Kind
	}{
		"empty":           {sandbox.Command{Dir: dir}, akitad.InvalidRequest},
		"relative folder": {sandbox.Command{Argv: []string{"true"}, Dir: "x"}, akitad.InvalidRequest},
		"no folder":       {sandbox.Command{Argv: []string{"true"}, Dir: dir + "/none"}, akitad.InvalidRequest},
		"linked folder":   {sandbox.Command{Argv: []string{"true"}, Dir: link}, akitad.InvalidRequest},
		"variable":        {sandbox.Command{Argv: []string{"true"}, Dir: dir, Env: map[string]string{"LD_PRELOAD": "x"}}, akitad.InvalidRequest},
		"unknown program": {sandbox.Command{Argv: []string{"no-such-program"}, Dir: dir}, akitad.NotFound},
		"network":         {sandbox.Command{Argv: []string{"true"}, Dir: dir, Network: true}, akitad.Unavailable},
	} {
		if _, err := box.Run(t.Context(), tt.c); akitad.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

// promises are what every rung keeps.
var promises = map[string]func(*yard){
	"its folder": func(y *yard) {
		y.put("workspace/files/s-1/in", "hello")
		out := y.sh("cat in; pwd; echo made > out; id -u; hostname", sandbox.Limits{})
		if got := string(out.Stdout); got != "hello/work\n1000\nakita\n" {
			y.t.Errorf("stdout %q, stderr %q", got, out.Stderr)
		}
		if data, err := os.ReadFile(filepath.Join(y.dir, "out")); string(data) != "made\n" || err != nil {
			y.t.Errorf("out holds %q, %v", data, err)
		}
	},
	"exit codes": func(y *yard) {
		for script, want := range map[string]int{"exit 0": 0, "exit 3": 3, "kill -9 $$": 137, "no-such-program-here": 127} {
			if out := y.sh(script, sandbox.Limits{}); out.ExitCode != want {
				y.t.Errorf("%s: exit code %d, want %d (%s)", script, out.ExitCode, want, out.Stderr)
			}
		}
	},
	"input and variables": func(y *yard) {
		c := sandbox.Command{Argv: []string{"sh", "-c", "cat; echo $NAME"}, Dir: y.dir, Stdin: []byte("in "), Env: map[string]string{"NAME": "x y"}}
		out, err := y.box.Run(y.t.Context(), c)
		if string(out.Stdout) != "in x y\n" || err != nil {
			y.t.Errorf("%q, %v", out.Stdout, err)
		}
	},
	"secrets of the home": func(y *yard) {
		token := y.put("admin.token", secret)
		y.put("memory/MEMORY.md", secret)
		y.put("workspace/files/s-2/other-session", secret)
		y.must(os.Symlink(token, filepath.Join(y.dir, "absolute")))
		y.must(os.Symlink("../../../admin.token", filepath.Join(y.dir, "relative")))
		y.must(os.Link(token, filepath.Join(y.dir, "hard")))
		y.must(os.Mkdir(filepath.Join(y.dir, "sub"), 0o700))
		y.must(os.Link(token, filepath.Join(y.dir, "sub", "hard")))
		out := y.sh(fmt.Sprintf(`cat %[1]s/admin.token %[1]s/memory/MEMORY.md ../admin.token ../s-2/* absolute relative hard sub/hard
			ln %[1]s/admin.token mine; cp -L absolute copy; ls -laR %[1]s .. ; echo changed > hard; echo changed > absolute
			grep -r %[2]s /work /proc/1/root/etc /proc/1/cwd /proc/self/cwd /tmp /etc 2>/dev/null; find / -xdev -name admin.token`, y.home, secret), sandbox.Limits{})
		refuseSecret(y, out)
		if data, err := os.ReadFile(token); string(data) != secret || err != nil {
			y.t.Errorf("the token is now %q, %v", data, err)
		}
	},
	"a hard link between its own files": func(y *yard) {
		if out := y.sh("echo x > a; ln a b; cat b", sandbox.Limits{}); string(out.Stdout) != "x\n" {
			y.t.Errorf("first run: %q %q", out.Stdout, out.Stderr)
		}
		if out := y.sh("cat a b", sandbox.Limits{}); string(out.Stdout) != "x\nx\n" {
			y.t.Errorf("second run: %q %q", out.Stdout, out.Stderr)
		}
	},
	"secrets of the environment": func(y *yard) {
		y.t.Setenv("AKITA_TEST_KEY", secret)
		out := y.sh("cat /proc/*/environ /proc/1/cmdline; env", sandbox.Limits{})
		refuseSecret(y, out)
		out, err := y.box.Run(y.t.Context(), sandbox.Command{Argv: []string{"env"}, Dir: y.dir})
		y.must(err)
		for line := range strings.Lines(string(out.Stdout)) {
			if name, _, _ := strings.Cut(line, "="); !strings.Contains(" PATH HOME LANG PWD ", " "+name+" ") {
				y.t.Errorf("the environment has %q", line)
			}
		}
	},
	"secrets of the host": func(y *yard) {
		for _, path := range []string{"/root", "/home", "/etc/shadow", "/etc/ssl/private", "/var", "/run", "/sys", "/boot", "/mnt", "/srv", "/opt"} {
			if out := y.sh("ls -d "+path, sandbox.Limits{}); out.ExitCode == 0 {
				y.t.Errorf("%s is visible", path)
			}
		}
	},
	"a hidden folder below a visible one": func(y *yard) {
		y.box = sandbox.New(sandbox.Options{Rungs: levelOf(y), Hidden: []string{"/usr/share"}})
		if out := y.sh("ls -A /usr/share | wc -l; touch /usr/share/x", sandbox.Limits{}); string(out.Stdout) != "0\n" || out.ExitCode == 0 {
			y.t.Errorf("/usr/share holds %s", out.Stdout)
		}
	},
	"loopback":  testLoopback,
	"read-only": testReadOnly,
	"rights": func(y *yard) {
		out := y.sh(`grep -E '^(NoNewPrivs|CapEff|CapPrm|CapInh|CapAmb):' /proc/self/status | tr -d '\t' | sort`, sandbox.Limits{})
		const none = "0000000000000000"
		if want := "CapAmb:" + none + "\nCapEff:" + none + "\nCapInh:" + none + "\nCapPrm:" + none + "\nNoNewPrivs:1\n"; string(out.Stdout) != want {
			y.t.Errorf("rights %q", out.Stdout)
		}
		for _, script := range []string{"unshare -U true", "unshare -Ur true", "mount -t tmpfs x /work", "umount /work", "umount /usr", "chroot / true", "mount -o remount,rw /"} {
			if out := y.sh(script, sandbox.Limits{}); out.ExitCode == 0 {
				y.t.Errorf("%s succeeded", script)
			}
		}
	},
	"keys of the kernel": testKeys,
	"other processes": func(y *yard) {
		out := y.sh("ls -d /proc/[0-9]* | wc -l", sandbox.Limits{})
		if n := strings.TrimSpace(string(out.Stdout)); len(n) != 1 {
			y.t.Errorf("%s processes are visible", n)
		}
	},
	"time limit":         testTime,
	"cancel":             testCancel,
	"background":         testBackground,
	"a killed daemon":    testKilledDaemon,
	"output limit":       testOutput,
	"file limit":         testFileSize,
	"memory limit":       testMemory,
	"process limit":      testProcesses,
	"scratch is bounded": testScratch,
}

func levelOf(y *yard) []string {
	name, _ := y.box.Level()
	return []string{name}
}

func refuseSecret(y *yard, out sandbox.Output) {
	y.t.Helper()
	if all := string(out.Stdout) + string(out.Stderr); strings.Contains(all, secret) {
		y.t.Errorf("a secret came out: %s", all)
	}
	err := filepath.WalkDir(y.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() == "hard" {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), secret) {
			y.t.Errorf("a secret was copied into %s", path)
		}
		return err
	})
	y.must(err)
}

// testLoopback tries the host's loopback from inside, and, to show that the attempt is a real one,
// from outside.
func testLoopback(y *yard) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	y.must(err)
	defer l.Close()
	script := fmt.Sprintf("exec 3<>/dev/tcp/127.0.0.1/%d && echo reached", l.Addr().(*net.TCPAddr).Port)
	if out, err := exec.CommandContext(y.t.Context(), "bash", "-c", script).Output(); string(out) != "reached\n" {
		y.t.Fatalf("the attempt does not work outside: %q, %v", out, err)
	}
	if out := y.sh(script, sandbox.Limits{}); out.ExitCode == 0 || len(out.Stdout) > 0 {
		y.t.Errorf("the host's loopback was reached: %q", out.Stdout)
	}
}

func testReadOnly(y *yard) {
	for _, path := range []string{"/x", "/usr/x", "/usr/bin/x", "/etc/x", "/etc/passwd", "/dev/x", "/proc/sys/vm/drop_caches", "/proc/sys/kernel/hostname"} {
		if out := y.sh("echo 1 > "+path, sandbox.Limits{}); out.ExitCode == 0 {
			y.t.Errorf("%s could be written", path)
		}
	}
	find := "find /proc -maxdepth 4 -not -path '/proc/[0-9]*' -not -path '/proc/self*' -not -path '/proc/thread-self*' -type f -writable"
	if out := y.sh(find, sandbox.Limits{}); len(out.Stdout) > 0 {
		y.t.Errorf("settings of the kernel are writable: %s", out.Stdout)
	}
	mark := filepath.Join(os.TempDir(), filepath.Base(y.t.TempDir())+"-mark")
	if out := y.sh("echo x > "+mark+"; echo x > /tmp/y && cat /tmp/y > /dev/null", sandbox.Limits{}); out.ExitCode != 0 {
		y.t.Errorf("scratch does not work: %s", out.Stderr)
	}
	if _, err := os.Stat(mark); err == nil {
		y.t.Error("the host's scratch was written")
	}
}
