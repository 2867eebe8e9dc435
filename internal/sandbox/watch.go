package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// stop says why a program was ended from outside; empty: it ended by itself.
type stop string

const (
	stopContext   stop = "context"
	stopTime      stop = "time"
	stopMemory    stop = "memory"
	stopProcesses stop = "processes"
)

// watch kills the program at the end of ctx or at a limit, and says which. The kernel's own limits
// count per process or do not hold for root; this one counts the whole sandbox.
func (p *process) watch(ctx context.Context, l Limits, done <-chan struct{}) stop {
	clock, tick := time.NewTimer(l.Time), time.NewTicker(watchTick)
	defer clock.Stop()
	defer tick.Stop()
	for {
		reason := stop("")
		select {
		case <-done:
			return ""
		case <-ctx.Done():
			reason = stopContext
		case <-clock.C:
			reason = stopTime
		case <-tick.C:
			reason = p.over(l)
		}
		if reason != "" {
			p.kill()
			return reason
		}
	}
}

// over says which limit the sandbox exceeds now.
func (p *process) over(l Limits) stop {
	processes, memory := usage(p.first, l.Processes+1)
	switch {
	case processes > l.Processes:
		return stopProcesses
	case memory > l.MemoryBytes:
		return stopMemory
	}
	return ""
}

// usage counts a process's descendants, at most limit, and the bytes of memory that they hold
// alone. In a pid namespace every process descends from the first: orphans become its children.
func usage(first, limit int) (processes int, memory int64) {
	queue := []int{first}
	for len(queue) > 0 && processes < limit {
		pid := queue[0]
		queue = append(queue[1:], children(pid)...)
		memory += held(pid)
		if pid != first {
			processes++
		}
	}
	return processes, memory
}

// children returns the children of every thread of a process.
func children(pid int) (pids []int) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil
	}
	for _, t := range threads {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, t.Name()))
		if err != nil {
			continue
		}
		for f := range strings.FieldsSeq(string(data)) {
			if n, err := strconv.Atoi(f); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}

// held returns the bytes of anonymous and shared memory of a process; files it reads do not count.
func held(pid int) (n int64) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(data) {
		name, rest, _ := strings.Cut(string(line), ":")
		if name != "RssAnon" && name != "RssShmem" {
			continue
		}
		if kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64); err == nil {
			n += kb << 10
		}
	}
	return n
}
