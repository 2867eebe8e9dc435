package app

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/internal/window"
)

func (a *App) workspaceRoot() string { return filepath.Dir(a.Config.Path.Files) }

func (a *App) projectionPath() string { return filepath.Join(a.Config.Path.Data, "tasks.db") }

// room is the free space that new work needs on the home's disk.
func (a *App) room() disk.Room {
	return disk.Room{Path: a.Config.Path.Data, Reserve: int64(a.Config.Disk.Reserve)}
}

// secrets returns the strings that must never leave the process in clear.
func secrets(cfg config.Config) []string {
	out := cfg.Secrets()
	if token, err := os.ReadFile(cfg.Path.Token); err == nil {
		out = append(out, strings.TrimSpace(string(token)))
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// spanSink publishes spans on the bus.
type spanSink struct{ bus *bus.Bus }

func (s spanSink) Span(ctx context.Context, span akitad.Span) error {
	body, err := json.Marshal(span)
	if err != nil {
		return err
	}
	return s.bus.PublishSpan(ctx, span.TraceID, body)
}

// context returns the options of every agent's window.
func (a *App) context() window.Options {
	c := a.Config.Context
	return window.Options{
		Strategy: window.Strategy(c.Strategy), MaxTokens: c.MaxTokens, Safety: c.Safety, MaskAt: c.MaskAt, SummarizeAt: c.SummarizeAt,
		ForceAt: c.ForceAt, MaskRounds: c.MaskRounds, KeepRounds: c.KeepRounds,
	}
}

// live sends partial text to the listeners of a task; it may be lost.
func (a *App) live(task akitad.TaskID, text string) {
	if err := a.Bus.Live(string(task), []byte(a.Redact.String(text))); err != nil {
		a.log.Debug("live text not sent", zap.Error(err))
	}
}
