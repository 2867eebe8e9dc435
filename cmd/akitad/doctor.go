package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/pool"
)

// finding is one thing that doctor looked at.
type finding struct {
	Name   string `json:"name"`
	State  string `json:"state"` // ok, warn, fail
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
}

func doctorCommand(env environment) *cobra.Command {
	var asJSON, models bool
	cmd := &cobra.Command{Use: "doctor", Short: "Check that this home and this machine are fit", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		if models {
			return tryModels(cmd.Context(), env, asJSON)
		}
		found := examine(cmd.Context(), env)
		err := printFindings(env, found, asJSON)
		for _, f := range found {
			if f.State == "fail" && err == nil {
				err = akitad.Errorf(akitad.Unavailable, "not everything is fit: see %s above", f.Name)
			}
		}
		return err
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&models, "models", false, "ask each model endpoint for one tool call and say what works (needs no daemon)")
	return cmd
}

func printFindings(env environment, found []finding, asJSON bool) error {
	if asJSON {
		return printPage(env.Stdout, client.Page[finding]{Items: found})
	}
	for _, f := range found {
		fmt.Fprintf(env.Stdout, "%-4s  %-10s  %s\n", f.State, f.Name, f.Detail)
		if f.Hint != "" {
			fmt.Fprintf(env.Stdout, "%-4s  %-10s  -> %s\n", "", "", f.Hint)
		}
	}
	return nil
}

func examine(ctx context.Context, env environment) []finding {
	cfg, err := env.config()
	if err != nil {
		return []finding{{"config", "fail", err.Error(), "correct each line above, then run akitad doctor again"}}
	}
	detail := "defaults and environment only"
	if _, err := os.Stat(cfg.Path.Config); err == nil {
		detail = cfg.Path.Config
	}
	found := []finding{checkHome(cfg), {"config", "ok", detail, ""}, checkToken(cfg), checkDaemon(ctx, cfg)}
	for _, l := range config.WithoutEffect(cfg) {
		found = append(found, finding{"config", "warn", l.Source + ": " + l.Key + ": " + l.Note, "remove it, or put it where it counts, so that nobody relies on it"})
	}
	found = append(found, checkTools(ctx, cfg)...)
	found = append(found, checkAgents(cfg)...)
	found = append(found, checkSandbox(), checkEndpoints(env, cfg), checkPool(cfg))
	for name, advice := range app.Advice(cfg) {
		found = append(found, finding{"endpoints", "warn", name + ": " + advice, ""})
	}
	found = append(found, checkChannels(ctx, cfg)...)
	found = append(found, checkControls(ctx, cfg)...)
	return append(found, checkDisk(cfg), checkBus(ctx, cfg))
}

func fail(name string, err error, hint string) finding {
	return finding{name, "fail", err.Error(), hint}
}

func checkHome(cfg config.Config) finding {
	info, err := os.Stat(cfg.Path.Home)
	switch {
	case os.IsNotExist(err):
		return finding{"home", "ok", cfg.Path.Home + " (not there yet; the first start makes it)", ""}
	case err != nil:
		return fail("home", err, "make it readable, or set AKITA_HOME to another folder")
	case !info.IsDir():
		return finding{"home", "fail", cfg.Path.Home + " is no folder", "set AKITA_HOME to a folder"}
	case info.Mode().Perm()&0o077 != 0:
		return finding{"home", "warn", cfg.Path.Home + " is open to other people", "run: chmod 700 " + cfg.Path.Home}
	}
	for _, dir := range []string{cfg.Path.Home, cfg.Path.Data} {
		if err := writable(dir); err != nil && !os.IsNotExist(err) {
			return fail("home", err, "make "+dir+" a folder that can be written to, or set AKITA_HOME to another one")
		}
	}
	return finding{"home", "ok", cfg.Path.Home, ""}
}

// writable tries whether a file can be made in a folder; a full disk is told elsewhere.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-")
	if errors.Is(err, syscall.ENOSPC) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func checkToken(cfg config.Config) finding {
	if _, err := os.Stat(cfg.Path.Token); os.IsNotExist(err) {
		return finding{"token", "ok", "none yet; the first akitad serve makes it", ""}
	}
	if _, err := config.AdminToken(cfg.Path.Token); err != nil {
		hint := ""
		if f := akitad.FailureOf(err); f != nil {
			hint = f.Hint
		}
		return fail("token", err, hint)
	}
	return finding{"token", "ok", cfg.Path.Token, ""}
}

// checkDaemon asks the running daemon, or sees whether one could listen.
func checkDaemon(ctx context.Context, cfg config.Config) finding {
	c, err := client.ForHome(cfg.Path)
	if err == nil {
		h, err := c.Health(ctx)
		switch {
		case err == nil && h.Ready:
			return finding{"daemon", "ok", "runs at " + c.URL() + channelStates(h.Channels), ""}
		case err == nil:
			return finding{"daemon", "fail", fmt.Sprintf("runs at %s and is not ready: bus %s; intake %s%s", c.URL(), h.Bus, h.Intake, channelStates(h.Channels)), "see akitad logs"}
		}
	}
	l, err := net.Listen("tcp", cfg.Admin.Listen)
	if err != nil {
		return fail("daemon", fmt.Errorf("none runs, and the address is taken: %w", err), "stop what uses "+cfg.Admin.Listen+", or choose another with admin.listen")
	}
	_ = l.Close()
	return finding{"daemon", "ok", "none runs; " + cfg.Admin.Listen + " is free", ""}
}

// channelStates names the chat services and how each stands.
func channelStates(all map[string]string) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out.WriteString("; " + name + " " + all[name])
	}
	return out.String()
}

// checkControls tells what an owner has switched, if a daemon runs that knows: it explains much that
// looks like a fault.
func checkControls(ctx context.Context, cfg config.Config) []finding {
	c, err := client.ForHome(cfg.Path)
	if err != nil {
		return nil
	}
	var out []finding
	if s, err := c.Strategy(ctx); err == nil {
		f := finding{"strategy", "ok", s.Strategy, ""}
		if s.Strategy != "auto" {
			f.State, f.Hint = "warn", "it is forced on all nodes; to let each request choose: akitad strategy auto"
		}
		out = append(out, f)
	}
	page, err := client.List[client.Agent](ctx, c, "/v1/agents", nil)
	if err != nil {
		return out
	}
	for _, a := range page.Items {
		if a.Paused {
			out = append(out, finding{"agent", "warn", a.Profile + " is paused: its tasks wait", "akitad agent resume " + a.Profile})
		}
	}
	return out
}

func checkSandbox() finding {
	level, why := sandbox.New(sandbox.Options{}).Level()
	switch level {
	case sandbox.Bubblewrap:
		return finding{"sandbox", "ok", level, ""}
	case sandbox.Refused:
		return finding{"sandbox", "warn", "no sandbox works here, so agents cannot run programs: " + why, "install bubblewrap"}
	}
	return finding{"sandbox", "ok", level + " (" + why + ")", ""}
}

// checkTools tells of words that were to switch a tool off and do not.
func checkTools(ctx context.Context, cfg config.Config) (out []finding) {
	words, err := app.DisablesNothing(ctx, cfg)
	if err != nil {
		return []finding{fail("tools", err, "correct tools and policy.rules")}
	}
	for _, word := range words {
		out = append(out, finding{"tools", "warn", fmt.Sprintf("tools.disabled: no tool and no category is called %q, so nothing is switched off by it", word), "see akitad tool ls for the names"})
	}
	return out
}

// checkAgents tells of agent files that are left out.
func checkAgents(cfg config.Config) (out []finding) {
	_, err := pool.LoadProfiles(cfg.Path.Agents)
	if err == nil {
		return nil
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		out = append(out, finding{"agent", "warn", line, "mend it; until then it is left out"})
	}
	return out
}

// checkPool tells of a home that runs no agent.
func checkPool(cfg config.Config) finding {
	if cfg.Pool.Max == 0 {
		return finding{"pool", "warn", "pool.max is 0: nothing here runs agents, and tasks wait for a worker", "start one elsewhere with akitad worker, or set pool.max (AKITA_POOL_MAX)"}
	}
	return finding{"pool", "ok", fmt.Sprintf("%d agents at once", cfg.Pool.Max), ""}
}

func checkEndpoints(env environment, cfg config.Config) finding {
	var names []string
	models := 0
	for _, e := range cfg.Endpoints {
		names = append(names, e.Name)
		if e.Protocol != "offline" {
			models++
		}
	}
	if url := lookup(env.Env, "OPENAI_BASE_URL"); models == 0 && url != "" {
		return finding{"models", "warn", "only the offline engine: OPENAI_BASE_URL is set and OPENAI_API_KEY is not", "set OPENAI_API_KEY too; where the server asks for none, to any word"}
	}
	if models == 0 {
		return finding{"models", "warn", "only the offline engine: it answers questions about files and data, by rules", "set OPENAI_API_KEY (and OPENAI_BASE_URL), ANTHROPIC_API_KEY or GEMINI_API_KEY, or endpoints in " + config.FileName}
	}
	return finding{"models", "ok", strings.Join(names, ", "), ""}
}

// checkChannels asks each chat service that is on whether it takes its credentials.
func checkChannels(ctx context.Context, cfg config.Config) (out []finding) {
	tried, err := app.TryChannels(ctx, cfg)
	if err != nil {
		return []finding{fail("channels", err, "")}
	}
	for _, t := range tried {
		f := finding{t.Name, "ok", "takes the credentials", t.Hint}
		if t.Name == "onebot" && cfg.Channels.OneBot.BaseURL == "" {
			f.Detail = "waits for its program, which connects to /hooks/onebot with the access token"
		}
		switch t.Kind {
		case "":
		case akitad.Overloaded, akitad.RateLimited: // it knows us, and passes
			f.State, f.Detail = "warn", t.Problem
		default:
			f.State, f.Detail = "fail", t.Problem
		}
		out = append(out, f)
	}
	return out
}

func checkDisk(cfg config.Config) finding {
	dir := cfg.Path.Home
	for _, err := os.Stat(dir); err != nil && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	free, err := disk.Free(dir)
	if err != nil {
		return fail("disk", err, "")
	}
	detail := fmt.Sprintf("%d MiB free, %d MiB stay reserved", free>>20, int64(cfg.Disk.Reserve)>>20)
	if free < int64(cfg.Disk.Reserve) {
		return finding{"disk", "fail", detail, "make room: no new work is taken"}
	}
	return finding{"disk", "ok", detail, ""}
}

// checkBus sees whether an external NATS can be reached; the embedded one needs no check.
func checkBus(ctx context.Context, cfg config.Config) finding {
	if cfg.NATS.URL == "" {
		return finding{"nats", "ok", "embedded", ""}
	}
	for one := range strings.SplitSeq(cfg.NATS.URL, ",") {
		host := strings.TrimSpace(one)
		if _, rest, ok := strings.Cut(host, "://"); ok {
			host = rest
		}
		if i := strings.LastIndex(host, "@"); i >= 0 {
			host = host[i+1:]
		}
		host = strings.TrimRight(host, "/")
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(host, "4222")
		}
		d := net.Dialer{Timeout: 3 * time.Second}
		conn, err := d.DialContext(ctx, "tcp", host)
		if err == nil {
			_ = conn.Close()
			return finding{"nats", "ok", host + " can be reached", ""}
		}
	}
	return finding{"nats", "fail", "no server of nats.url can be reached", "start it, or correct nats.url (AKITA_NATS_URL)"}
}
