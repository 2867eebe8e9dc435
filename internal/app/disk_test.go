package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
)

const (
	smallDisk   = 96 << 20 // of the process under test
	diskReserve = 8 << 20
)

// thinking is the drill's model, which takes a while for each reply.
type thinking struct{ drillModel }

func (m thinking) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	thought := time.NewTimer(150 * time.Millisecond)
	defer thought.Stop()
	select {
	case <-thought.C:
		return m.drillModel.Generate(ctx, req)
	case <-ctx.Done():
		return llm.Reply{}, context.Cause(ctx)
	}
}

// diskProcess is a daemon in a home on a small disk of its own. It says on stdout where it listens, and
// fills and frees its disk as it is told on stdin.
func diskProcess(home string) error {
	cfg, err := drillConfig(home)
	if err != nil {
		return err
	}
	cfg.Admin.Listen, cfg.Disk.Reserve = "127.0.0.1:0", diskReserve
	ctx := context.Background()
	a, err := app.New(ctx, cfg, app.Options{Parts: app.Parts{Orchestrate: true, Work: true, Serve: true}, Model: thinking{}})
	if err != nil {
		return err
	}
	token, err := config.AdminToken(cfg.Path.Token)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	fmt.Println(a.Admin.URL(), token.Reveal())
	filler := filepath.Join(home, "filler")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); fmt.Println("done") {
		switch in.Text() {
		case "fill":
			err = fillDisk(filler)
		case "free":
			err = os.Remove(filler)
		}
		if err != nil {
			return err
		}
	}
	stop()
	return errors.Join(<-ran, a.Close(context.Background()))
}

// fillDisk writes until the disk is full.
func fillDisk(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	piece := bytes.Repeat([]byte("x"), 64<<10)
	for len(piece) > 0 {
		if _, err := f.Write(piece); err != nil {
			piece = piece[:len(piece)/2]
		}
	}
	return f.Close()
}

// smallHouse is the test's side of a diskProcess.
type smallHouse struct {
	t          *testing.T
	cmd        *exec.Cmd
	in         io.WriteCloser
	out        *bufio.Scanner
	url, token string
}

func startSmallHouse(t *testing.T) *smallHouse {
	t.Helper()
	home := t.TempDir()
	h := &smallHouse{t: t, cmd: onSmallDisk(home)}
	h.cmd.Env = append(os.Environ(), "DISK_HOME="+home)
	h.cmd.Stderr = os.Stderr
	var err error
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.out = bufio.NewScanner(out)
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.in.Close(); _ = h.cmd.Process.Kill(); _ = h.cmd.Wait() })
	if !h.out.Scan() {
		t.Fatal("the process did not start")
	}
	h.url, h.token, _ = strings.Cut(h.out.Text(), " ")
	return h
}

// onSmallDisk makes the command of this test binary that sees a disk of its own at home.
func onSmallDisk(home string) *exec.Cmd {
	self := os.Args[0]
	if bwrap, err := exec.LookPath("bwrap"); err == nil {
		return exec.Command(bwrap, "--dev-bind", "/", "/", "--size", strconv.Itoa(smallDisk), "--tmpfs", home, "--die-with-parent", "--", self)
	}
	mount := fmt.Sprintf("mount -t tmpfs -o size=%d,mode=700 none %q && exec %q", smallDisk, home, self)
	return exec.Command("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount)
}

func (h *smallHouse) tell(word string) {
	h.t.Helper()
	if _, err := io.WriteString(h.in, word+"\n"); err != nil || !h.out.Scan() || h.out.Text() != "done" {
		h.t.Fatalf("%s: %v %q", word, err, h.out.Text())
	}
}

// call makes a request and gives the status and the body.
func (h *smallHouse) call(method, path string, in, out any) int {
	h.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, h.url+path, bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(out); err != nil && !errors.Is(err, io.EOF) {
		h.t.Fatal(err)
	}
	return res.StatusCode
}

func (h *smallHouse) submit(i, rounds int) (status int, id akitad.TaskID, code string) {
	var out struct {
		ID   akitad.TaskID
		Code string
	}
	status = h.call(http.MethodPost, "/v1/tasks", map[string]any{"text": fmt.Sprintf("job d%d rounds=%d", i, rounds), "idempotency_key": fmt.Sprint("d", i)}, &out)
	return status, out.ID, out.Code
}

// until polls what the daemon says until it is so.
func (h *smallHouse) until(what string, so func() bool) {
	h.t.Helper()
	poll := time.NewTicker(100 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(patience); !so(); {
		select {
		case <-poll.C:
		case <-deadline:
			h.t.Fatalf("never: %s", what)
		}
	}
}

// The disk fills up while tasks run: new ones are refused and told why, readiness says so, and once
// there is room, in the same process, all that was accepted ends, once.
func TestFullDisk(t *testing.T) {
	h := startSmallHouse(t)
	var ids []akitad.TaskID
	for i := range 40 {
		status, id, _ := h.submit(i, 25)
		if status != http.StatusAccepted {
			t.Fatalf("task %d: %d", i, status)
		}
		ids = append(ids, id)
	}
	h.tell("fill")
	var ready struct{ Bus, Intake string }
	h.until("not ready for want of room", func() bool {
		return h.call(http.MethodGet, "/readyz", nil, &ready) == http.StatusServiceUnavailable && strings.Contains(ready.Intake, "must stay free")
	})
	if status, _, code := h.submit(1000, 1); status != http.StatusServiceUnavailable && status != http.StatusInsufficientStorage || code != "disk_low" {
		t.Errorf("a new task on a full disk: %d %s", status, code)
	}
	h.until("the store has stopped", func() bool {
		h.call(http.MethodGet, "/readyz", nil, &ready)
		return ready.Bus != "ok"
	})
	t.Logf("full: %+v", ready)
	h.tell("free")
	h.until("ready again", func() bool { return h.call(http.MethodGet, "/readyz", nil, &ready) == http.StatusOK })
	for i, id := range ids {
		var task struct {
			State  akitad.State
			Result struct{ Text string }
			Error  *akitad.Failure
		}
		h.until(fmt.Sprintf("task %d ends (%+v)", i, task), func() bool {
			return h.call(http.MethodGet, "/v1/tasks/"+string(id), nil, &task) == http.StatusOK && task.State.Final()
		})
		if task.State != akitad.Completed || task.Result.Text != fmt.Sprintf("done d%d", i) {
			t.Errorf("task %d is %s: %+v %+v", i, task.State, task.Result, task.Error)
		}
	}
	if status, _, code := h.submit(2000, 1); status != http.StatusAccepted {
		t.Errorf("a new task with room again: %d %s", status, code)
	}
}
