package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// ready says that Init stands first in this program's main. Without it the program, started as the
// first process of a sandbox, would begin its usual work there.
var ready atomic.Bool

// Init must be the first call in main (and in TestMain of tests that run programs): in a process
// that was started to be the first of a sandbox it does that work and never returns. In any other
// it returns at once.
func Init() {
	ready.Store(true)
	switch {
	case len(os.Args) == 0:
		return
	case os.Args[0] == netName:
		fmt.Fprintln(os.Stderr, "sandbox:", become(os.Args))
		syscall.Exit(127)
	case os.Args[0] != initName:
		return
	}
	runtime.LockOSThread() // rights are dropped, and the program is started, on one thread
	status := os.NewFile(3, "status")
	r := serve(os.NewFile(4, "job"))
	_ = json.NewEncoder(status).Encode(r)
	syscall.Exit(min(r.Code, 255)) // os.Exit would run what others hooked to it
}

// serve does the job and gives how it ended.
func serve(from *os.File) report {
	var j job
	if err := json.NewDecoder(from).Decode(&j); err != nil {
		return report{Failed: fmt.Sprintf("read job: %v", err), Code: 1}
	}
	from.Close()
	for _, step := range []struct {
		name string
		do   func(job) error
	}{
		{"bring up the loopback", bringUp},
		{"open the proxy", openProxy},
		{"build the root", buildRoot},
		{"set limits", limitSelf},
		{"drop rights", func(job) error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
		{"take the keys away", withoutKeys},
	} {
		if err := step.do(j); err != nil {
			return report{Failed: fmt.Sprintf("%s: %v", step.name, err), Code: 1}
		}
	}
	return lead(j)
}

// bringUp names the machine and lets the sandbox's own loopback, which leads nowhere, work.
func bringUp(job) error {
	if err := unix.Sethostname([]byte("akita")); err != nil {
		return err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, lo); err != nil {
		return err
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// openProxy hands the proxy's socket out, if the program is to have a network.
func openProxy(j job) error {
	if j.Proxy == 0 {
		return nil
	}
	return handOut(j.Proxy)
}

// limitSelf sets the limits that the program inherits, all but the one on processes: this
// process needs its threads.
func limitSelf(j job) error {
	for what, n := range map[int]uint64{
		unix.RLIMIT_DATA: uint64(j.Limits.MemoryBytes), unix.RLIMIT_FSIZE: uint64(j.Limits.FileBytes), unix.RLIMIT_CORE: 0,
	} {
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n}); err != nil {
			return err
		}
	}
	return nil
}

// lead starts the program as a user without rights and waits for its end. What it leaves running
// dies with this process.
func lead(j job) report {
	pid, err := syscall.ForkExec(program(j), j.Argv, &syscall.ProcAttr{
		Dir: Home, Env: j.Env, Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{
			// A namespace of its own: no right of ours over the mounts holds in it.
			Cloneflags:  syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: userID, HostID: 0, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: userID, HostID: 0, Size: 1}},
			Setsid:      true,
		},
	})
	if err != nil {
		return report{Failed: err.Error(), Missing: true, Code: 127}
	}
	n := uint64(j.Limits.Processes) * 4 // threads count; the watch counts processes exactly
	_ = unix.Prlimit(pid, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: n, Max: n}, nil)
	for {
		var ws syscall.WaitStatus
		got, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case err == syscall.EINTR, err == nil && got != pid:
		case err != nil:
			return report{Failed: err.Error(), Code: 1}
		case ws.Signaled():
			return report{Code: 128 + int(ws.Signal())}
		default:
			return report{Code: ws.ExitStatus()}
		}
	}
}
