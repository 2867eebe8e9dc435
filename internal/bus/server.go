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
	"github.com/akitad/akitad/internal/disk"
)

// maxStore means no limit but the disk. The server's default is three quarters of the space that is free
// when it starts, with which it later refuses to start with a store that has grown.
const maxStore = 1 << 50

// startWait is how long the embedded server may take to become ready after its store is loaded.
const startWait = 30 * time.Second

// embedded is the NATS server of this process. After a full disk has stopped its store, it is restarted as
// soon as there is room.
type embedded struct {
	opts *server.Options
	log  *zap.Logger
	addr string // host:port on which it listens, "" if it does not

	mu   sync.Mutex
	srv  *server.Server
	sick error // why the store accepts no writes, as last seen

	end      context.CancelFunc // of the watch
	watching sync.WaitGroup
}

func startServer(opts Options) (*embedded, error) {
	so, err := serverOptions(opts)
	if err != nil {
		return nil, err
	}
	e := &embedded{opts: so, log: opts.Log, end: func() {}}
	if e.srv, err = e.start(); err != nil {
		return nil, err
	}
	if !so.DontListen {
		e.addr = e.srv.Addr().String()
		e.opts.Port = e.srv.Addr().(*net.TCPAddr).Port // keep the port for restarts
	}
	return e, nil
}

// guard starts watching the store. It must be called after all streams exist: while a stream is being
// created, the server reports it as broken.
func (e *embedded) guard(opts Options) {
	ctx, cancel := context.WithCancel(context.Background())
	e.end = cancel
	e.watching.Go(func() { e.watch(ctx, disk.Room{Path: opts.Dir, Reserve: max(opts.Reserve, 1<<20)}) })
}

// start starts a server with the options and waits until it is ready.
func (e *embedded) start() (*server.Server, error) {
	srv, err := server.NewServer(e.opts.Clone())
	if err != nil {
		return nil, &akitad.Error{Kind: akitad.InvalidRequest, Op: "set up the embedded NATS server", Err: err}
	}
	log := &serverLog{log: e.log, fatal: make(chan string, 1)}
	srv.SetLoggerV2(log, false, false, false)
	srv.Start()
	if err := log.await(srv); err != nil {
		shutdown(srv)
		return nil, err
	}
	return srv, nil
}

func shutdown(srv *server.Server) {
	srv.Shutdown()
	srv.WaitForShutdown()
}

func (e *embedded) server() *server.Server {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.srv
}

// InProcessConn connects the client of this process to the current server.
func (e *embedded) InProcessConn() (net.Conn, error) { return e.server().InProcessConn() }

func serverOptions(opts Options) (*server.Options, error) {
	if opts.Dir == "" {
		return nil, akitad.Errorf(akitad.InvalidRequest, "the embedded NATS server needs a data directory")
	}
	so := &server.Options{
		ServerName: "akitad", StoreDir: opts.Dir, JetStream: true, DontListen: true,
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: maxStore, DisableJetStreamBanner: true, NoSigs: true, NoLog: true,
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

// listenOn sets the listen address, after checking that the port is free and that a token is set.
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

// stop shuts the server down and waits for it until ctx ends.
func (e *embedded) stop(ctx context.Context) error {
	e.end()
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.watching.Wait()
		shutdown(e.server())
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fault("stop the embedded NATS server", ctx.Err())
	}
}

// serverLog passes the server's log lines to zap and keeps the last error.
type serverLog struct {
	log   *zap.Logger
	once  sync.Once
	fatal chan string
}

// await returns once the server accepts connections, or with the error why it will not. The store is loaded
// before.
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
