package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
)

// proxyOf serves a proxy as that of a sandbox, on a socket of the file system, and gives how to reach it.
func proxyOf(t *testing.T, d dial) (reach func() net.Conn) {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	must(t, err)
	both, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	socket, err := l.(*net.UnixListener).File()
	must(t, err)
	must(t, unix.Sendmsg(both[1], []byte{1}, unix.UnixRights(int(socket.Fd())), nil, 0))
	must(t, errors.Join(unix.Close(both[1]), socket.Close()))
	stop := serveProxy(os.NewFile(uintptr(both[0]), "proxy"), d)
	t.Cleanup(func() { stop(); l.Close() })
	return func() net.Conn {
		conn, err := net.Dial("unix", l.Addr().String())
		must(t, err)
		t.Cleanup(func() { conn.Close() })
		must(t, conn.SetDeadline(time.Now().Add(time.Minute)))
		return conn
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// However many tunnels a program asks for, no more are open than may; the next is opened as one ends.
func TestProxyIsBounded(t *testing.T) {
	var dials atomic.Int32
	opened := make(chan struct{}, 3*proxyMost)
	reach := proxyOf(t, func(context.Context, string, string) (net.Conn, error) {
		dials.Add(1)
		opened <- struct{}{}
		here, there := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, there) }() // ends as the tunnel does
		return here, nil
	})
	var tunnels []net.Conn
	for range 2 * proxyMost {
		conn := reach()
		_, err := fmt.Fprint(conn, "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
		must(t, err)
		tunnels = append(tunnels, conn)
	}
	for i, conn := range tunnels {
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil {
			t.Fatalf("tunnel %d: %q, %v", i, line, err)
		}
		<-opened
		if open := int(dials.Load()) - i; open > proxyMost {
			t.Fatalf("%d tunnels at a time", open)
		}
		conn.Close()
	}
}

// Plain requests go to port 80 alone, as tunnels go to 443 alone: any other port could be any protocol.
func TestProxyPorts(t *testing.T) {
	var dialled atomic.Int32
	reach := proxyOf(t, func(context.Context, string, string) (net.Conn, error) {
		dialled.Add(1)
		return nil, errors.New("nobody there")
	})
	for request, want := range map[string]int{
		"GET http://a.example/": 502, "GET http://a.example:80/x": 502, "POST http://[2001:db8::1]/": 502, "CONNECT a.example:443": 403,
		"GET http://a.example:25/": 403, "GET http://a.example:8080/": 403, "GET http://a.example:443/": 403, "POST http://[2001:db8::1]:22/": 403,
		"GET http://a.example:080/": 403, "CONNECT a.example:80": 403, "CONNECT a.example:22": 403, "GET https://a.example/": 400, "GET ftp://a.example/": 400, "GET /": 400,
	} {
		before, passes := dialled.Load(), want == 502 || request == "CONNECT a.example:443"
		conn := reach()
		_, err := fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n", request)
		must(t, err)
		got, err := http.ReadResponse(bufio.NewReader(conn), nil)
		must(t, err)
		if got.StatusCode != want || dialled.Load() > before != passes {
			t.Errorf("%s gives %d, want %d; dialled: %v", request, got.StatusCode, want, dialled.Load() > before)
		}
		got.Body.Close()
		conn.Close()
	}
}

// A program that says nothing keeps no place.
func TestProxyWaitsForNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newProxy(func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no") })
		l := mouth{make(chan net.Conn), make(chan struct{})}
		ended := make(chan error)
		go func() { ended <- srv.Serve(l) }()
		silence := func(words string) time.Duration {
			theirs, ours := net.Pipe()
			l.conns <- ours
			began := time.Now()
			go func() { _, _ = io.WriteString(theirs, words) }()
			must(t, theirs.SetDeadline(began.Add(time.Hour)))
			_, _ = io.Copy(io.Discard, theirs)
			theirs.Close()
			return time.Since(began)
		}
		for words, want := range map[string]time.Duration{
			"": proxyHeader, "GET http://a.example/ HTTP/1.1\r\nHost:": proxyHeader,
			"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n": proxyIdle,
		} {
			if got := silence(words); got != want {
				t.Errorf("%q: closed after %v, want %v", words, got, want)
			}
		}
		srv.Close()
		<-ended
	})
}

// mouth is a listener whose connections are given.
type mouth struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p mouth) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p mouth) Close() error   { close(p.closed); return nil }
func (p mouth) Addr() net.Addr { return &net.UnixAddr{Net: "unix"} }
