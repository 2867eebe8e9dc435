package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
)

// withReader does something that only looks: with the daemon of the home, or, if none runs, with
// this process reading what earlier ones left there. Nothing is resumed by looking.
func withReader(ctx context.Context, env environment, do func(*client.Client) error) error {
	cfg, err := env.config()
	if err != nil {
		return err
	}
	c, err := client.ForHome(cfg.Path)
	if err == nil {
		err = do(c)
	}
	if !errors.Is(err, client.ErrNoDaemon) {
		return err
	}
	if _, serr := os.Stat(filepath.Join(cfg.Path.Data, "jetstream")); serr != nil || cfg.NATS.URL != "" {
		return errNoDaemon{err}
	}
	return readHere(ctx, cfg, do)
}

func readHere(ctx context.Context, cfg config.Config, do func(*client.Client) error) error {
	cfg.Admin = config.Admin{Listen: "127.0.0.1:0"}
	log, flush, err := app.OpenLog(cfg, io.Discard)
	if err != nil {
		return err
	}
	defer flush()
	a, err := app.New(ctx, cfg, app.Options{Parts: app.Parts{Read: true}, Log: log})
	if err != nil {
		return err
	}
	rctx, stop := context.WithCancel(ctx)
	ran := make(chan error, 1)
	go func() { ran <- a.Run(rctx) }()
	c, err := client.At(a.Admin.URL(), cfg.Path)
	if err == nil {
		err = do(c)
	}
	stop()
	cctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(err, <-ran, a.Close(cctx))
}
