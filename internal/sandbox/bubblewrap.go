package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The extra files of bwrap: where it reports, what it waits for, what the program waits for, the filter of its calls,
// then the files of our own.
const (
	fdStatus = 3
	fdGo     = 4
	fdGate   = 5
	fdFilter = 6
	fdFiles  = 7
)

// gate is a shell that becomes the program once it is told to. Bwrap binds the life of its first
// process to ours only when that has set everything up, and goes on by itself if we died before:
// then nobody tells, and the program never begins.
var gate = []string{"/bin/sh", "-c", fmt.Sprintf(`read -r go <&%d || exit 126; unset go; exec %d<&-; exec "$@"`, fdGate, fdGate), "sh"}

const (
	armTime = 10 * time.Second
	armTick = 500 * time.Microsecond
)

// startBubblewrap starts a command under bwrap. It stands still, isolated, until its limits are set.
func startBubblewrap(l layout, c Command, st streams) (*process, error) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, errors.New("the program bwrap is not installed")
	}
	var ends pipes
	defer ends.closeTheirs()
	status, err := ends.from()
	if err != nil {
		return nil, err
	}
	goOn, err := ends.to()
	if err != nil {
		return nil, errors.Join(err, ends.closeOurs())
	}
	begin, err := ends.to()
	if err != nil {
		return nil, errors.Join(err, ends.closeOurs())
	}
	cmd := &exec.Cmd{Path: bwrap, Args: append([]string{"bwrap"}, bubblewrapArgs(l, c)...), Env: environment(c.Env)}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := ends.texts(l); err != nil {
		return nil, errors.Join(err, ends.closeOurs())
	}
	cmd.ExtraFiles = append(slices.Clone(ends.theirs), c.given()...)
	st.attach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, ends.closeOurs())
	}
	ends.closeTheirs()
	p := &process{cmd: cmd}
	report := json.NewDecoder(status)
	p.close = func() { ends.closeOurs(); p.handle.Close() }
	p.status = func() (int, error) { return bubblewrapStatus(report, st) }
	if err := p.release(report, goOn, begin, c.Limits); err != nil {
		p.kill()
		_ = cmd.Wait()
		p.close()
		return nil, fmt.Errorf("%w: %s", err, firstLine(st))
	}
	return p, nil
}

// texts adds what bwrap reads: the filter of the program's calls, and the files of our own.
func (p *pipes) texts(l layout) error {
	return errors.Join(p.files(map[string]string{"filter": filterBytes()}), p.files(l.Files))
}

// release sets the limits on the waiting sandbox, lets it set itself up, and lets the program begin.
func (p *process) release(report *json.Decoder, goOn, begin *os.File, l Limits) error {
	var started struct {
		Pid int `json:"child-pid"`
	}
	if err := report.Decode(&started); err != nil || started.Pid == 0 {
		return errors.New("bwrap did not start")
	}
	if err := p.hold(started.Pid); err != nil {
		return err
	}
	if err := setLimits(started.Pid, l); err != nil {
		return err
	}
	// A bwrap that failed meanwhile has closed its end; its status tells.
	if _, err := goOn.Write([]byte{1}); err != nil && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	if err := armed(started.Pid); err != nil {
		return err
	}
	if _, err := begin.WriteString("go\n"); err != nil && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return nil
}

// armed returns once the first process of the sandbox will not outlive bwrap: it has started the
// program and sleeps until that ends. It also returns when the sandbox is gone.
func armed(first int) error {
	for began := time.Now(); ; time.Sleep(armTick) { // there is nothing to wait for
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", first))
		if err != nil {
			return nil
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		switch state, _, _ := strings.Cut(rest, " "); {
		case state == "Z", state == "X", state == "S" && len(children(first)) > 0:
			return nil
		case time.Since(began) > armTime:
			return fmt.Errorf("bwrap has not started the program after %s", armTime)
		}
	}
}

// bubblewrapStatus returns the exit code. bwrap reports one only if it came as far as the program.
func bubblewrapStatus(report *json.Decoder, st streams) (int, error) {
	for {
		var end struct {
			Code *int `json:"exit-code"`
		}
		if err := report.Decode(&end); err != nil {
			return -1, fmt.Errorf("bwrap could not isolate the program: %s", firstLine(st))
		}
		if end.Code != nil {
			return *end.Code, nil
		}
	}
}

func firstLine(st streams) string {
	data, _ := st.stderr.result()
	line, _, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	return line
}

func bubblewrapArgs(l layout, c Command) []string {
	id := strconv.Itoa(userID)
	args := []string{
		"--unshare-user", "--disable-userns", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try",
		"--uid", id, "--gid", id, "--hostname", "akita", "--cap-drop", "ALL", "--die-with-parent", "--new-session",
		"--json-status-fd", strconv.Itoa(fdStatus), "--block-fd", strconv.Itoa(fdGo),
		"--seccomp", strconv.Itoa(fdFilter),
	}
	for _, name := range slices.Sorted(maps.Keys(l.Links)) {
		args = append(args, "--symlink", l.Links[name], name)
	}
	for _, b := range l.Binds {
		args = append(args, "--ro-bind", b.From, b.To)
	}
	if c.proxy != nil {
		self, _ := os.Executable() // bwrap says what is wrong with it
		args = append(args, "--ro-bind", self, netName)
	}
	for i, name := range slices.Sorted(maps.Keys(l.Files)) {
		args = append(args, "--ro-bind-data", strconv.Itoa(fdFiles+i), name)
	}
	for _, path := range l.Masks {
		args = append(args, "--size", "4096", "--tmpfs", path, "--remount-ro", path)
	}
	size := strconv.Itoa(scratch)
	args = append(args,
		// Read-only, because of a daemon that is root: the kernel lets its user write settings there.
		"--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
		"--size", size, "--tmpfs", "/tmp", "--bind", c.Dir, Home)
	for _, name := range l.Void {
		args = append(args, "--ro-bind", "/dev/null", Home+"/"+name)
	}
	args = append(args, "--chdir", Home, "--remount-ro", "/", "--")
	return slices.Concat(args, gate, c.through(fdFiles+len(l.Files)), c.Argv)
}

// setLimits sets the kernel's limits on a process that has not begun; its children inherit them.
func setLimits(pid int, l Limits) error {
	for what, n := range map[int]uint64{
		unix.RLIMIT_DATA: uint64(l.MemoryBytes), unix.RLIMIT_FSIZE: uint64(l.FileBytes), unix.RLIMIT_CORE: 0,
		// The kernel counts threads, so this leaves room; usage counts processes exactly.
		unix.RLIMIT_NPROC: uint64(l.Processes) * 4,
	} {
		if err := unix.Prlimit(pid, what, &unix.Rlimit{Cur: n, Max: n}, nil); err != nil {
			return fmt.Errorf("set limits: %w", err)
		}
	}
	return nil
}
