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
	// maxHook is the maximum number of bytes of a call by a chat service.
	maxHook     = 4 << 20
	hookRead    = 30 * time.Second // to receive a whole call
	hookWrite   = time.Minute      // to answer a call
	hookStop    = 3 * time.Second
	hookIdle    = 2 * time.Minute
	hooksPrefix = "/hooks/"
)

// hooks returns a handler for the calls of chat services at /hooks/NAME, nil if no service calls. The channel
// checks who calls.
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

// openHooks serves the hooks on hooks.listen, if that is configured.
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
				_ = srv.Close() // remaining calls are cut off; the services repeat them
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
