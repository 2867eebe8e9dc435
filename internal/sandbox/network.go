package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/sys/unix"
)

// A program with a network has no other one than this: a proxy for HTTP and HTTPS that listens at
// proxyAddress on the sandbox's own loopback and is served by us, outside, over Options.Dial. The socket
// is made inside, by our own program in place of the one to be run, and handed out before that begins.
const (
	proxyAddress = "127.0.0.1:3128"
	proxyVar     = "http://" + proxyAddress
	netName      = "/akitad-sandbox-net" // where our own program is seen, and its argv[0]
)

// What one sandbox may have of us through its proxy.
const (
	proxyMost   = 64               // connections at a time, up to two of our descriptors each; more wait inside
	proxyHeader = 10 * time.Second // for a request's header to come
	proxyIdle   = 30 * time.Second // between two requests on one connection
)

// proxied adds the variables by which programs find the proxy.
func proxied(env map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"} {
		out[name] = proxyVar
	}
	for name, value := range env {
		out[name] = value
	}
	return out
}

// given are the files that a sandbox gets behind those of its rung.
func (c Command) given() []*os.File {
	if c.proxy == nil {
		return nil
	}
	return []*os.File{c.proxy}
}

// proxyAt returns the descriptor that the proxy's socket is handed out over, if there is one.
func (c Command) proxyAt(fd int) int {
	if c.proxy == nil {
		return 0
	}
	return fd
}

// through returns what stands before a program's own words if our program is to open its proxy.
func (c Command) through(fd int) []string {
	if c.proxy == nil {
		return nil
	}
	return []string{netName, strconv.Itoa(fd)}
}

// become is the work of our program inside: it opens the proxy's socket, hands it out over the descriptor
// that its first argument names, and becomes the program of the others.
func become(args []string) error {
	if len(args) < 3 {
		return errors.New("no program named")
	}
	fd, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	if err := handOut(fd); err != nil {
		return err
	}
	path, err := exec.LookPath(args[2])
	if err != nil {
		return err
	}
	return syscall.Exec(path, args[2:], os.Environ())
}

// handOut listens, and sends the socket over the one with descriptor fd, which is closed then.
func handOut(fd int) error {
	l, err := net.Listen("tcp", proxyAddress)
	if err != nil {
		return err
	}
	socket, err := l.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	err = unix.Sendmsg(fd, []byte{1}, unix.UnixRights(int(socket.Fd())), nil, 0)
	return errors.Join(err, unix.Close(fd), socket.Close(), l.Close())
}

// lend makes the pair of sockets over which a sandbox hands out its own, and serves what comes. The caller
// gives theirs to the sandbox, and calls stop when that is gone.
func lend(d dial) (theirs *os.File, stop func(), err error) {
	both, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	theirs = os.NewFile(uintptr(both[1]), "sandbox")
	served := serveProxy(os.NewFile(uintptr(both[0]), "proxy"), d)
	return theirs, func() { theirs.Close(); served() }, nil
}

// take receives the socket that handOut sent; it ends when the other side does.
func take(from *os.File) (net.Listener, error) {
	defer from.Close()
	conn, err := net.FileConn(from)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	word, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := conn.(*net.UnixConn).ReadMsgUnix(word, rights)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) == 0 {
		return nil, fmt.Errorf("no socket came out of the sandbox: %w", err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, err
	}
	socket := os.NewFile(uintptr(fds[0]), "proxy")
	defer socket.Close()
	return net.FileListener(socket)
}

// dial opens a connection to where a program wants to.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

// serveProxy serves what takes of the sandbox's proxy until the returned function is called, which waits.
func serveProxy(from *os.File, d dial) (stop func()) {
	srv := newProxy(d)
	ctx, cancel := context.WithCancel(context.Background())
	srv.BaseContext = func(net.Listener) context.Context { return ctx }
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if l, err := take(from); err == nil {
			_ = srv.Serve(netutil.LimitListener(l, proxyMost))
		}
	}()
	return func() { // every other end of from is closed
		cancel() // ends tunnels, which the server knows nothing of
		srv.Close()
		<-ended
	}
}

func newProxy(d dial) *http.Server {
	over := &http.Transport{DialContext: d, DisableKeepAlives: true, DisableCompression: true}
	quiet := log.New(io.Discard, "", 0) // the program is told what failed
	plain := &httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}, Transport: over, ErrorLog: quiet}
	plain.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
	return &http.Server{Handler: proxy{d, plain}, ErrorLog: quiet, ReadHeaderTimeout: proxyHeader, IdleTimeout: proxyIdle}
}

// proxy passes requests on.
type proxy struct {
	dial  dial
	plain http.Handler
}

func (p proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "" && r.URL.Port() != "" && r.URL.Port() != "80":
		http.Error(w, "this proxy passes requests to port 80 (HTTP) alone, not to "+r.URL.Host, http.StatusForbidden)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.plain.ServeHTTP(w, r)
	default:
		http.Error(w, "this is a proxy for http and https", http.StatusBadRequest)
	}
}

// tunnel joins the program with the host that it names, until one of them ends or the sandbox does. Nobody
// sees what goes through it, so the port alone says that it is HTTPS.
func (p proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	if _, port, err := net.SplitHostPort(r.Host); err != nil || port != "443" {
		http.Error(w, "this proxy opens tunnels to port 443 (HTTPS) alone, not to "+r.Host, http.StatusForbidden)
		return
	}
	out, err := p.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	defer out.Close()
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	defer context.AfterFunc(r.Context(), func() { in.Close(); out.Close() })()
	if _, err := io.WriteString(in, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	back := make(chan struct{})
	go func() {
		defer close(back)
		_, _ = io.Copy(in, out)
		in.Close()
	}()
	_, _ = io.Copy(out, buffered)
	if half, ok := out.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	} else {
		out.Close()
	}
	<-back
}
