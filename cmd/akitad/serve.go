package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
)

func serveCommand(env environment) *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Run the daemon: channels, HTTP API, orchestration and agents", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return daemon(cmd.Context(), env, app.Parts{Orchestrate: true, Work: true, Serve: true})
		},
	}
}

func workerCommand(env environment) *cobra.Command {
	return &cobra.Command{
		Use: "worker", Short: "Run agents for a daemon elsewhere (needs nats.url, and a home of its own)", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return daemon(cmd.Context(), env, app.Parts{Work: true})
		},
	}
}

// noArgs refuses arguments as a usage error.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no argument, and %q is one; see %[1]s --help", cmd.CommandPath(), args[0])
	}
	return nil
}

// daemon runs the parts until a signal ends it, then gives running rounds their grace time.
func daemon(ctx context.Context, env environment, parts app.Parts) error {
	cfg, err := env.config()
	if err != nil {
		return err
	}
	if !parts.Orchestrate && cfg.NATS.URL == "" {
		return akitad.Errorf(akitad.InvalidRequest, "a worker needs the NATS server of its daemon").
			WithHint("set nats.url (AKITA_NATS_URL=nats://host:4222) to the same server as the daemon's, and AKITA_HOME to a home of its own")
	}
	if err := config.EnsureHome(cfg.Path.Home); err != nil {
		return err
	}
	log, sync, err := app.OpenLog(cfg, env.Stderr)
	if err != nil {
		return err
	}
	defer sync()
	began := time.Now()
	a, err := app.New(ctx, cfg, app.Options{Parts: parts, Log: log, Version: version})
	if err != nil {
		return err
	}
	log.Info("ready", zap.String("version", version), zap.String("node", a.Node), zap.Duration("after", time.Since(began)))
	fmt.Fprintln(env.Stderr, a.Banner())
	err = a.Run(ctx)
	cctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(err, a.Close(cctx))
}
