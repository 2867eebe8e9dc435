package app

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

const (
	// maxHook is the most bytes of a call by a chat service; those with files are smaller than this.
	maxHook     = 4 << 20
	hookRead    = 30 * time.Second // in which a call must have come in whole
	hookWrite   = time.Minute      // in which it must be answered
	hookStop    = 3 * time.Second
	hookIdle    = 2 * time.Minute
	hooksPrefix = "/hooks/"
)

// hooks serves the calls of chat services, each at /hooks/NAME, and nothing else. Who calls is checked by the
// channel.
func (a *App) hooks() http.Handler {
	if a.Gateway == nil {
		return nil
	}
	all := a.Gateway.Hooks()
	if len(all) == 0 {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, found := strings.CutPrefix(r.URL.Path, hooksPrefix)
		hook := all[name]
		if !found || hook == nil {
			http.NotFound(w, r)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxHook)
		hook.ServeHTTP(w, r)
	})
}

// openHooks listens for chat services where the owner wants them apart from the HTTP API.
func (a *App) openHooks() error {
	at := a.Config.Hooks.Listen
	h := a.hooks()
	if at == "" || h == nil {
		return nil
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		return akitad.Errorf(akitad.Unavailable, "the hooks of chat services cannot listen on %s: %w", at, err).
			WithHint("stop what uses the address, or choose another with hooks.listen")
	}
	a.HookAddr = l.Addr().String()
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: hookRead, WriteTimeout: hookWrite, IdleTimeout: hookIdle,
		ErrorLog: zap.NewStdLog(a.log.Named("hooks")),
	}
	a.onClose("hooks", func(context.Context) error { return ignoreClosed(l.Close()) })
	a.onRun("hooks", func(ctx context.Context) error {
		stopped := make(chan struct{})
		defer context.AfterFunc(ctx, func() {
			defer close(stopped)
			sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hookStop)
			defer cancel()
			if srv.Shutdown(sctx) != nil {
				_ = srv.Close() // whoever still calls is cut off, and calls again
			}
		})()
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		<-stopped
		return nil
	})
	return nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
