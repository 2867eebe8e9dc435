package bus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// startWait is how long the embedded server may take to be ready once its store is loaded.
const startWait = 5 * time.Second

type embedded struct {
	srv  *server.Server
	addr string // where it listens, "" if it does not
}

func startServer(opts Options) (*embedded, error) {
	so, err := serverOptions(opts)
	if err != nil {
		return nil, err
	}
	srv, err := server.NewServer(so)
	if err != nil {
		return nil, &akitad.Error{Kind: akitad.InvalidRequest, Op: "set up the embedded NATS server", Err: err}
	}
	log := &serverLog{log: opts.Log, fatal: make(chan string, 1)}
	srv.SetLoggerV2(log, false, false, false)
	srv.Start()
	if err := log.await(srv); err != nil {
		srv.Shutdown()
		srv.WaitForShutdown()
		return nil, err
	}
	e := &embedded{srv: srv}
	if !so.DontListen {
		e.addr = srv.Addr().String()
	}
	return e, nil
}

func serverOptions(opts Options) (*server.Options, error) {
	if opts.Dir == "" {
		return nil, akitad.Errorf(akitad.InvalidRequest, "the embedded NATS server needs a data directory")
	}
	so := &server.Options{
		ServerName: "akitad", StoreDir: opts.Dir, JetStream: true, DontListen: true,
		JetStreamMaxMemory: 64 << 20, DisableJetStreamBanner: true, NoSigs: true, NoLog: true,
		Authorization: opts.Token,
	}
	switch opts.Durability {
	case "", "process":
	case "power":
		so.SyncAlways = true
	default:
		return nil, akitad.Errorf(akitad.InvalidRequest, "durability is %q", opts.Durability).WithHint(`say "process" or "power"`)
	}
	if opts.Listen == "" {
		return so, nil
	}
	return so, listenOn(so, opts)
}

// listenOn opens the server to others, once it is sure that the port is free and a secret set.
func listenOn(so *server.Options, opts Options) error {
	host, portText, err := net.SplitHostPort(opts.Listen)
	port, perr := strconv.Atoi(portText)
	if err != nil || perr != nil {
		return akitad.Errorf(akitad.InvalidRequest, "listen address %q is not host:port", opts.Listen).WithHint("for example 127.0.0.1:4222")
	}
	if ip := net.ParseIP(host); opts.Token == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return akitad.Errorf(akitad.InvalidRequest, "NATS would listen on %s without a secret", opts.Listen).WithHint("set a token, or listen on 127.0.0.1")
	}
	probe, err := net.Listen("tcp", opts.Listen)
	if err != nil {
		return listenFault(opts.Listen, err)
	}
	_ = probe.Close()
	if port == 0 {
		port = server.RANDOM_PORT
	}
	so.DontListen, so.Host, so.Port = false, host, port
	return nil
}

func listenFault(addr string, err error) error {
	e := &akitad.Error{Kind: akitad.Unavailable, Op: "listen for NATS clients on " + addr, Err: err}
	return e.WithHint("another program holds this port: stop it, or choose another address")
}

// stop shuts the server down; ctx bounds how long it is waited for.
func (e *embedded) stop(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.srv.Shutdown()
		e.srv.WaitForShutdown()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fault("stop the embedded NATS server", ctx.Err())
	}
}

// serverLog hands the server's lines to zap and keeps its last words.
type serverLog struct {
	log   *zap.Logger
	once  sync.Once
	fatal chan string
}

// await returns once the server takes connections, or with the reason why it never will. Starting
// has loaded the store already.
func (l *serverLog) await(srv *server.Server) error {
	e := &akitad.Error{Kind: akitad.Unavailable, Op: "start the embedded NATS server", Hint: "is the data directory writable, and intact?"}
	select {
	case msg := <-l.fatal:
		e.Err = errors.New(msg)
		return e
	default:
	}
	if !srv.ReadyForConnections(startWait) || !srv.JetStreamEnabled() {
		e.Err = errors.New("it does not get ready")
		return e
	}
	return nil
}

func (l *serverLog) Noticef(format string, v ...any) { l.debug(format, v) }
func (l *serverLog) Debugf(format string, v ...any)  { l.debug(format, v) }
func (l *serverLog) Tracef(format string, v ...any)  { l.debug(format, v) }
func (l *serverLog) Warnf(format string, v ...any)   { l.warn(format, v) }
func (l *serverLog) Errorf(format string, v ...any)  { l.warn(format, v) }

func (l *serverLog) Fatalf(format string, v ...any) {
	l.once.Do(func() { l.fatal <- fmt.Sprintf(format, v...) })
	l.warn(format, v)
}

func (l *serverLog) debug(format string, v []any) {
	if ce := l.log.Check(zap.DebugLevel, "nats server"); ce != nil {
		ce.Write(zap.String("line", fmt.Sprintf(format, v...)))
	}
}

func (l *serverLog) warn(format string, v []any) {
	l.log.Warn("nats server", zap.String("line", fmt.Sprintf(format, v...)))
}
