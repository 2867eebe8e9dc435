package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/sandbox"
)

// A program that may use the network has a proxy and nothing else: what that refuses to dial is out of
// reach, the host's loopback and every direct way too. A tunnel ends with the program.
func TestNetworkByProxy(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %s %s", r.Host, r.URL.Path)
	}))
	defer srv.Close()
	at := srv.Listener.Addr().String()
	host, port, _ := net.SplitHostPort(at)
	for _, rung := range []string{sandbox.Bubblewrap, sandbox.Namespaces} {
		t.Run(rung, func(t *testing.T) {
			y := newYard(t, rung)
			closed := make(chan struct{}, 10)
			y.box = sandbox.New(sandbox.Options{Rungs: []string{rung}, Hidden: []string{y.home}, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
				if !strings.HasPrefix(address, "api.example:") {
					return nil, errors.New("not this one: " + address)
				}
				conn, err := new(net.Dialer).DialContext(ctx, network, at)
				return watched{conn, closed}, err
			}})
			if level, why := y.box.Level(); level == sandbox.Refused {
				t.Logf("this machine lacks it: %s", why)
				return
			}
			// say sends a request to the proxy and prints what comes back; -k keeps the connection open.
			script := `say() { exec 3<>/dev/tcp/127.0.0.1/3128 || exit 9; printf "$1" >&3; timeout 20 head -n "$2" <&3; exec 3<&-; }
echo "$http_proxy $https_proxy"
say 'GET http://api.example:80/plain HTTP/1.0\r\nHost: api.example\r\n\r\n' 99
echo
say 'CONNECT api.example:443 HTTP/1.1\r\nHost: api.example:443\r\n\r\nGET /tunnel HTTP/1.0\r\nHost: inner\r\n\r\n' 99
echo
say 'CONNECT 127.0.0.1:443 HTTP/1.0\r\n\r\n' 99
for to in api.example:25 api.example:80 api.example:4430 api.example:0443 api.example [::1]:22; do
	say "CONNECT $to HTTP/1.0\r\n\r\n" 99
done
say 'GET http://127.0.0.1:7717/v1/tasks HTTP/1.0\r\n\r\n' 99
say 'GET http://127.0.0.1/v1/tasks HTTP/1.0\r\n\r\n' 1
say 'GET /no/proxy HTTP/1.0\r\n\r\n' 1
(exec 4<>/dev/tcp/` + host + `/` + port + `) 2>/dev/null && echo "host loopback reached"
(exec 4<>/dev/tcp/192.0.2.1/80) 2>/dev/null && echo "direct way out"
exec 5<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT api.example:443 HTTP/1.1\r\nHost: a\r\n\r\n' >&5; head -n 1 <&5
`
			out, err := y.box.Run(t.Context(), sandbox.Command{Argv: []string{"bash", "-c", script}, Dir: y.dir, Network: true})
			if err != nil {
				t.Fatalf("%v: %s", err, out.Stderr)
			}
			got := string(out.Stdout)
			for _, want := range []string{
				"http://127.0.0.1:3128 http://127.0.0.1:3128\n", "hello api.example:80 /plain", "200 Connection established", "hello inner /tunnel",
				"403 Forbidden", "not this one: 127.0.0.1:443", "to port 80 (HTTP) alone, not to 127.0.0.1:7717\n", "502 Bad Gateway", "400 Bad Request",
			} {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s\n%s", want, got, out.Stderr)
				}
			}
			for _, to := range []string{"api.example:25", "api.example:80", "api.example:4430", "api.example:0443", "api.example", "[::1]:22"} {
				if want := "this proxy opens tunnels to port 443 (HTTPS) alone, not to " + to + "\n"; !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s\n%s", want, got, out.Stderr)
				}
			}
			if strings.Contains(got, "reached") || strings.Contains(got, "way out") {
				t.Errorf("%s", got)
			}
			for range 3 { // plain, tunnel, the one that was open at the end
				select {
				case <-closed:
				case <-time.After(time.Minute):
					t.Fatal("a connection is still open")
				}
			}
			if out := y.sh("echo $http_proxy; (exec 4<>/dev/tcp/127.0.0.1/3128) 2>/dev/null && echo open", sandbox.Limits{}); strings.TrimSpace(string(out.Stdout)) != "" {
				t.Errorf("a program without a network has %q", out.Stdout)
			}
		})
	}
}

// watched tells when a connection is closed.
type watched struct {
	net.Conn
	closed chan struct{}
}

func (w watched) Close() error {
	err := w.Conn.Close()
	if err == nil {
		w.closed <- struct{}{}
	}
	return err
}
