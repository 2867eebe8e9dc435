package app_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// What a process of a drill is.
const (
	house   = "house"   // everything, its own NATS server included
	control = "control" // everything but workers
	worker  = "worker"
	natsd   = "nats"
	model   = "model"
)

// The variables that tell a process of a drill what it is and where the others are.
const (
	drillRole, drillHome, drillAddr           = "DRILL_ROLE", "DRILL_HOME", "DRILL_ADDR"
	drillNATS, drillLLM, drillChat, drillTTLs = "DRILL_NATS", "DRILL_MODEL", "DRILL_TELEGRAM", "DRILL_TTL"
	drillLatency, drillWide, drillOwner       = "DRILL_LATENCY", "DRILL_WIDE", "DRILL_OWNER"
)

// drillRun is the main function of such a process.
func drillRun(role string) error {
	home, addr := os.Getenv(drillHome), os.Getenv(drillAddr)
	switch role {
	case natsd:
		if code := bustest.ServeMain([]string{"-dir", home, "-addr", addr}); code != 0 {
			return fmt.Errorf("exit code %d", code)
		}
		return nil
	case model:
		return drillModelServer(addr)
	}
	return drillNode(role, home)
}

// drillModelServer is a model by which every reply is a function of the request.
func drillModelServer(addr string) error {
	latency, err := time.ParseDuration(os.Getenv(drillLatency))
	if err != nil {
		return err
	}
	script := llmtest.New(nil).Always(llmtest.Any, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
		return drillModel{}.Generate(context.Background(), r)
	}))
	web := &http.Server{Handler: llmtest.Handler(script, llmtest.Options{Latency: latency, Forget: true}), ReadHeaderTimeout: 10 * time.Second}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, func() { _ = web.Close() })()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// drillNode is a daemon or a worker, as the program runs one. Once it listens it says where, by which
// token, and what its node's name is.
func drillNode(role, home string) error {
	cfg, err := drillConfig(home)
	if err != nil {
		return err
	}
	if err := drillSurroundings(&cfg); err != nil {
		return err
	}
	parts := map[string]app.Parts{house: allParts, control: {Orchestrate: true, Serve: true}, worker: {Work: true}}[role]
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	hold := make([]time.Duration, 200) // a model that is gone for a moment
	for i := range hold {
		hold[i] = 500 * time.Millisecond
	}
	a, err := app.New(ctx, cfg, app.Options{Parts: parts, Hold: hold})
	if err != nil {
		return err
	}
	if err := errors.Join(crashAsTold(a.Journal, home), poisonAsTold(a)); err != nil {
		return err
	}
	url, token := "-", "-"
	if a.Admin != nil {
		t, err := config.AdminToken(cfg.Path.Token)
		if err != nil {
			return err
		}
		url, token = a.Admin.URL(), t.Reveal()
	}
	fmt.Println("up", url, token, a.Node)
	err = a.Run(ctx)
	cctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return errors.Join(err, a.Close(cctx))
}

// drillSurroundings points a node at the servers of its drill.
func drillSurroundings(cfg *config.Config) error {
	if at := os.Getenv(drillChat); at != "" {
		url, token, _ := strings.Cut(at, " ")
		chatConfig(cfg, url, token)
		cfg.Channels.Telegram.Allow = []string{cmp.Or(os.Getenv(drillOwner), "*")}
	}
	if ttl := os.Getenv(drillTTLs); ttl != "" {
		var err error
		if cfg.Claim.TTL, err = time.ParseDuration(ttl); err != nil {
			return err
		}
		cfg.Claim.Renew = cfg.Claim.TTL / 3
	}
	wide := envInt(drillWide, 64) // tasks at once
	cfg.Pool.PerProfile, cfg.Pool.Max = wide, max(cfg.Pool.Max, wide)
	cfg.Admin.Listen, cfg.NATS.URL = "127.0.0.1:0", os.Getenv(drillNATS)
	useModel(cfg, os.Getenv(drillLLM), wide)
	return nil
}

// useModel makes the model at url the only one, for every role.
func useModel(cfg *config.Config, url string, inflight int) {
	cfg.Endpoints = []config.Endpoint{{
		Name: "main", Protocol: "openai", BaseURL: url, APIKey: config.NewSecret("sk-bench-0123456789abcdef"), Model: "m", MaxInflight: inflight,
	}}
	only := []string{"main"}
	cfg.Roles = config.Roles{Main: only, Compiler: only, Planner: only, Summarizer: only, Judge: only}
}

// process is one that a test starts, stops and starts again.
type process struct {
	t     testing.TB
	role  string
	addr  string // where a server listens, each time it lives
	env   []string
	cmd   *exec.Cmd
	url   string // of a daemon's HTTP API
	token string
	node  string
}

// newProcess describes a process; env are further variables.
func newProcess(t testing.TB, role string, env ...string) *process {
	t.Helper()
	p := &process{t: t, role: role, env: append([]string{drillRole + "=" + role, drillHome + "=" + t.TempDir()}, env...)}
	if role == natsd || role == model {
		p.addr = freeAddr(t)
		p.env = append(p.env, drillAddr+"="+p.addr)
	}
	return p
}

// home is the folder in which a process keeps what it has.
func (p *process) home() string {
	at := slices.IndexFunc(p.env, func(v string) bool { return strings.HasPrefix(v, drillHome+"=") })
	return strings.TrimPrefix(p.env[at], drillHome+"=")
}

func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// launch starts the process and waits for nothing.
func (p *process) launch() (out io.Reader) {
	p.t.Helper()
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), p.env...)
	p.cmd.Stderr = os.Stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // a test that is killed leaves none behind
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	return out
}

// start starts the process and returns when it serves.
func (p *process) start() {
	p.t.Helper()
	out := p.launch()
	if p.addr != "" {
		p.dial()
		return
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "up ") {
		p.t.Fatalf("the %s did not start: %q", p.role, lines.Text())
	}
	words := strings.Fields(lines.Text())
	p.url, p.token, p.node = words[1], words[2], words[3]
}

// dial waits until a server takes connections.
func (p *process) dial() {
	p.t.Helper()
	for began := time.Now(); ; {
		c, err := net.Dial("tcp", p.addr)
		if err == nil {
			_ = c.Close()
			return
		}
		if time.Since(began) > time.Minute {
			p.t.Fatalf("the %s does not listen: %v", p.role, err)
		}
		time.Sleep(2 * time.Millisecond) // there is nothing to wait for but the answer
	}
}

// signal sends a signal to a process that lives.
func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Errorf("signal %s to the %s: %v", s, p.role, err)
	}
}

// end sends a signal, waits for the end, and gives the moment of it. A process that is asked to end
// must do so by itself, and without complaint.
func (p *process) end(s syscall.Signal) time.Time {
	p.t.Helper()
	p.signal(s)
	late := time.AfterFunc(2*time.Minute, func() { _ = p.cmd.Process.Kill() })
	err := p.cmd.Wait()
	if s == syscall.SIGTERM && (err != nil || !late.Stop()) {
		p.t.Errorf("the %s was asked to end and ended by %v", p.role, err)
	}
	late.Stop()
	p.cmd = nil
	return time.Now()
}

// discard ends a process at the end of a test.
func (p *process) discard() {
	if p.cmd != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	}
}

// orphans lists programs with the mark in their command line that no living one of the processes
// stands above.
func orphans(t testing.TB, mark string, of []*process) (found []string, all int) {
	t.Helper()
	mine := map[int]bool{}
	for _, p := range of {
		if p.cmd != nil {
			mine[p.cmd.Process.Pid] = true
		}
	}
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(line), "\x00"+mark+"\x00") || !strings.HasPrefix(string(line), "sleep") {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			t.Fatal(err)
		}
		all++
		if !descends(pid, mine) {
			found = append(found, fmt.Sprintf("%d %q", pid, line))
		}
	}
	return found, all
}

// descends reports whether one of the processes stands above pid, or pid has gone meanwhile.
func descends(pid int, from map[int]bool) bool {
	for pid > 1 {
		if from[pid] {
			return true
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return true
		}
		_, rest, _ := strings.Cut(string(status), "\nPPid:")
		line, _, _ := strings.Cut(rest, "\n")
		if pid, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
			return true
		}
	}
	return false
}
