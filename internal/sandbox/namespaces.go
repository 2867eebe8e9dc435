package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"github.com/akitad/akitad"
)

// fdProxy is, in the first process, the descriptor behind its status and its job.
const fdProxy = 5

// initName is argv[0] of our own program when it is to be the first process of a sandbox.
const initName = "akitad-sandbox-init"

// job is what the first process is told.
type job struct {
	Layout layout
	Argv   []string
	Env    []string
	Dir    string
	Limits Limits
	Proxy  int // descriptor over which the proxy's socket is handed out; 0: there is none
}

// report is what the first process tells: that it could not set up the sandbox or start the
// program, or how the program ended.
type report struct {
	Failed  string // the step that failed, with its reason
	Missing bool   // it was the program's own start
	Code    int
}

// startNamespaces starts a command in namespaces that the kernel gives to anybody. Our own program
// is their first process; it builds the root, drops all rights and starts the command.
func startNamespaces(l layout, c Command, st streams) (*process, error) {
	if !ready.Load() {
		return nil, errors.New("sandbox.Init is not called first in main")
	}
	var ends pipes
	defer ends.closeTheirs()
	status, err := ends.from()
	if err != nil {
		return nil, err
	}
	tell, err := ends.to()
	if err != nil {
		return nil, errors.Join(err, ends.closeOurs())
	}
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{initName}, Env: []string{"GOMAXPROCS=1"}, ExtraFiles: append(slices.Clone(ends.theirs), c.given()...)}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
			syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Setsid:      true, Pdeathsig: syscall.SIGKILL,
	}
	st.attach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("the kernel gives no user namespaces: %w", err), ends.closeOurs())
	}
	ends.closeTheirs()
	p := &process{cmd: cmd}
	p.close = func() { ends.closeOurs(); p.handle.Close() }
	p.status = func() (int, error) { return namespacesStatus(json.NewDecoder(status), c) }
	err = p.hold(cmd.Process.Pid)
	if err == nil {
		err = json.NewEncoder(tell).Encode(job{l, c.Argv, environment(c.Env), c.Dir, c.Limits, c.proxyAt(fdProxy)})
	}
	if err != nil {
		p.kill()
		_ = cmd.Wait()
		p.close()
		return nil, fmt.Errorf("the first process did not take its job: %w", err)
	}
	return p, nil
}

func namespacesStatus(from *json.Decoder, c Command) (int, error) {
	var r report
	switch err := from.Decode(&r); {
	case err != nil:
		return -1, errors.New("the first process ended without a word")
	case r.Missing:
		return -1, &akitad.Error{Kind: akitad.NotFound, Op: "start " + c.Argv[0], Err: errors.New(r.Failed)}
	case r.Failed != "":
		return -1, errors.New(r.Failed)
	}
	return r.Code, nil
}
