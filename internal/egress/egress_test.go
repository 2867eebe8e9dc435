package egress_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/egress"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func dialer(t *testing.T, opts egress.Options) *egress.Dialer {
	t.Helper()
	d, err := egress.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func client(t *testing.T, d *egress.Dialer) *http.Client {
	c := d.Client(egress.Timeouts{Total: time.Minute})
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// get gives what a GET of url ended with: the body, or the kind of its error.
func get(c *http.Client, url string) string {
	resp, err := c.Get(url)
	if err != nil {
		return string(akitad.KindOf(err))
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return string(body)
}

// Every way to write an address that is not public, as a URL that an attacker would give.
func TestPrivateAddressesAreRefused(t *testing.T) {
	c := client(t, dialer(t, egress.Options{}))
	for _, host := range []string{
		"127.0.0.1", "localhost", "localhost.", "LOCALHOST", "a.localhost", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
		"[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:1:2::7f00:1]", "169.254.169.254", "[fd00:ec2::254]", "100.64.0.1", "100.100.100.200", "168.63.129.16",
		"0.0.0.0", "0.1.2.3", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "127.1", "127.0.0.1.", "0x", "1.2.3.4.5", "[fe80::1%25eth0]", "[fe80::1]", "[fec0::1]", "[fc00::1]", "[ff02::1]",
		"192.0.0.192", "198.18.0.1", "198.19.255.255", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.2.1", "192.88.99.1", "198.51.100.1", "203.0.113.1",
		"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "[2001:db8::1]", "[3fff::1]", "[::ffff:10.0.0.1]", "[::ffff:0:127.0.0.1]", "[100::1]", "[5f00::1]", "[4000::1]",
	} {
		if got := get(c, "http://"+host+"/"); got != string(akitad.PermissionDenied) {
			t.Errorf("%s: %q", host, got)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, public := range []string{
		"1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.0", "192.0.1.1", "198.17.0.1", "198.20.0.1", "168.63.129.17",
		"2606:4700::1111", "2a00:1450::1", "2400:cb00::1", "::ffff:1.1.1.1", "2001:4860:4860::8888",
	} {
		if err := egress.Check(netip.MustParseAddr(public)); err != nil {
			t.Errorf("%s: %v", public, err)
		}
	}
	for _, name := range []string{"example.org", "Example.ORG.", "xn--fiqs8s.cn", "a-1.b2.c3d", "0x.example", "1.example", "deadbeef", "localhost.example.org"} {
		if err := egress.CheckHost(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "..", "localhost..", "127.1..", ".org", "example..org", "a b", "a/b", "user@host", "a:b", "host%00", "a\nb", "x.1", "x.0x1f"} {
		if err := egress.CheckHost(name); akitad.KindOf(err) != akitad.PermissionDenied {
			t.Errorf("%q: %v", name, err)
		}
	}
	err := egress.Check(netip.Addr{})
	if e, ok := errors.AsType[*akitad.Error](err); !ok || e.Hint == "" {
		t.Errorf("no address: %v", err)
	}
}

func server(t *testing.T, h http.HandlerFunc) (*httptest.Server, *atomic.Int32) {
	var hits atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s, &hits
}

func hello(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }

func TestOnlyWhatIsAllowedIsReached(t *testing.T) {
	s, hits := server(t, hello)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	mapped := "http://[::ffff:127.0.0.1]:" + u.Port() + "/"
	for _, tt := range []struct {
		name  string
		allow []string
		url   string
		ok    bool
	}{
		{"nothing", nil, s.URL, false},
		{"by URL with a path", []string{s.URL + "/v1"}, s.URL, true},
		{"by host and port", []string{u.Host}, s.URL, true},
		{"the same address in another form", []string{u.Host}, mapped, true},
		{"another port", []string{"127.0.0.1:1"}, s.URL, false},
		{"another name for it", []string{u.Host}, "http://localhost:" + u.Port(), false},
		{"by that name", []string{"http://LOCALHOST.:" + u.Port()}, "http://localhost:" + u.Port(), true},
	} {
		d := dialer(t, egress.Options{Allow: tt.allow})
		before := hits.Load()
		got := get(client(t, d), tt.url)
		if want := map[bool]string{true: "hello", false: string(akitad.PermissionDenied)}[tt.ok]; got != want || (hits.Load() > before) != tt.ok {
			t.Errorf("%s: %q, %d requests", tt.name, got, hits.Load()-before)
		}
		if got := get(client(t, d.Strict()), tt.url); got != string(akitad.PermissionDenied) {
			t.Errorf("%s, strict: %q", tt.name, got)
		}
	}
}

func TestAllowEntriesAreChecked(t *testing.T) {
	for entry, ok := range map[string]bool{
		"http://h": true, "https://h/x": true, "wss://h": true, "h:1": true, "[::1]:1": true, "http://[::1]:1/": true,
		"": false, "h": false, ":1": false, "h:": false, "nats://h": false, "http://": false, "http://%zz": false,
	} {
		_, err := egress.New(egress.Options{Allow: []string{entry}})
		if (err == nil) != ok || err != nil && akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%q: %v", entry, err)
		}
	}
}

// A page that an allowed server sends elsewhere is checked like the first address.
func TestRedirects(t *testing.T) {
	inside, hits := server(t, hello)
	mux := http.NewServeMux()
	start := httptest.NewServer(mux)
	t.Cleanup(start.Close)
	to := func(path, target string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Location", target); w.WriteHeader(302) })
	}
	to("/inside", inside.URL)
	to("/metadata", "http://169.254.169.254/latest")
	to("/file", "file:///etc/passwd")
	to("/number", "http://2130706433/")
	for i := range 7 {
		to(fmt.Sprintf("/hop%d", i+1), fmt.Sprintf("/hop%d", i))
	}
	mux.HandleFunc("/hop0", hello)

	c := client(t, dialer(t, egress.Options{Allow: []string{start.URL}}))
	for path, want := range map[string]string{
		"/inside": "permission_denied", "/metadata": "permission_denied", "/number": "permission_denied", "/file": "permission_denied",
		"/hop5": "hello", "/hop6": "invalid_request",
	} {
		if got := get(c, start.URL+path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if hits.Load() != 0 {
		t.Error("the server inside was reached by a redirect")
	}
	both := client(t, dialer(t, egress.Options{Allow: []string{start.URL, inside.URL}}))
	if got := get(both, start.URL+"/inside"); got != "hello" {
		t.Errorf("redirect between two allowed servers: %q", got)
	}
}

// What is meant for one server is told to no other one that it names.
func TestRedirectsTellNothing(t *testing.T) {
	var heard atomic.Value
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard.Store(fmt.Sprint(r.Method, r.Header["X-Api-Key"], r.Header["User-Agent"], string(body)))
	}))
	t.Cleanup(other.Close)
	start := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		fmt.Fprint(w, r.Method, r.Header["X-Api-Key"])
	}))
	t.Cleanup(start.Close)
	c := client(t, dialer(t, egress.Options{Allow: []string{start.URL, other.URL}}))
	send := func(method, to string) (string, error) {
		var sent io.Reader
		if method == "POST" {
			sent = strings.NewReader("prompt")
		}
		req, _ := http.NewRequest(method, start.URL+"?to="+url.QueryEscape(to), sent)
		req.Header.Set("X-Api-Key", "k1")
		req.Header.Set("User-Agent", "akitad")
		resp, err := c.Do(req)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		return string(body), err
	}
	if got, err := send("GET", other.URL); err != nil || heard.Load() != "GET[] [akitad]" {
		t.Errorf("the other server heard %v; %q, %v", heard.Load(), got, err)
	}
	heard.Store("nothing")
	if _, err := send("POST", other.URL); akitad.KindOf(err) != akitad.PermissionDenied || heard.Load() != "nothing" {
		t.Errorf("a body for another server: %v; it heard %v", err, heard.Load())
	}
	for _, method := range []string{"GET", "POST"} {
		if got, err := send(method, "/there"); got != method+"[k1]" || err != nil {
			t.Errorf("%s on the same server: %q, %v", method, got, err)
		}
	}
}

// resolver answers every name with the addresses in turn, one a question, like a name server whose
// owner changes its mind between check and use.
func resolver(t *testing.T, answers ...string) *net.Resolver {
	var asked atomic.Int32
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { conn.Close(); <-done })
	go func() {
		defer close(done)
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			m.Response, m.Authoritative, m.Additionals = true, true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				ip := netip.MustParseAddr(answers[min(int(asked.Add(1)), len(answers))-1]).As4()
				m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}, Body: &dnsmessage.AResource{A: ip}}}
			}
			if out, err := m.Pack(); err == nil {
				conn.WriteTo(out, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// A harmless name that resolves to this machine reaches nothing, at the first and at any later try.
func TestNamesThatResolveInside(t *testing.T) {
	s, hits := server(t, hello)
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	d := dialer(t, egress.Options{Resolver: resolver(t, "127.0.0.1", "10.0.0.1", "127.0.0.1")})
	c := client(t, d)
	for range 3 {
		if got := get(c, "http://rebind.example"+port); got != string(akitad.PermissionDenied) {
			t.Errorf("got %q", got)
		}
	}
	if hits.Load() != 0 {
		t.Error("the server on loopback was reached")
	}
	allowed := dialer(t, egress.Options{Allow: []string{"rebind.example" + port}, Resolver: resolver(t, "127.0.0.1")})
	if got := get(client(t, allowed), "http://rebind.example"+port); got != "hello" {
		t.Errorf("allowed by name: %q", got)
	}
}

// A public address is no way back in if it is this machine's own, by whatever name.
func TestOwnAddresses(t *testing.T) {
	own := func() ([]net.Addr, error) {
		return []net.Addr{&net.IPNet{IP: net.ParseIP("8.8.4.4"), Mask: net.CIDRMask(24, 32)}}, nil
	}
	d := dialer(t, egress.Options{Own: own, Resolver: resolver(t, "8.8.4.4")})
	for _, address := range []string{"8.8.4.4:9", "[::ffff:8.8.4.4]:9", "me.example:9"} {
		for _, d := range []*egress.Dialer{d, d.Strict()} {
			conn, err := d.DialContext(t.Context(), "tcp", address)
			if err == nil {
				conn.Close()
			}
			if akitad.KindOf(err) != akitad.PermissionDenied || !strings.Contains(err.Error(), "8.8.4.4 is refused: it is this machine") {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}

func TestOnlyTCP(t *testing.T) {
	d := dialer(t, egress.Options{Allow: []string{"127.0.0.1:1"}})
	for _, network := range []string{"udp", "unix", "ip", ""} {
		if _, err := d.DialContext(t.Context(), network, "127.0.0.1:1"); akitad.KindOf(err) != akitad.PermissionDenied {
			t.Errorf("%q: %v", network, err)
		}
	}
	if _, err := d.DialContext(t.Context(), "tcp", "no port"); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("no port: %v", err)
	}
}

// A proxy in the environment would connect for us, unguarded.
func TestNoProxy(t *testing.T) {
	p, hits := server(t, hello)
	t.Setenv("HTTP_PROXY", p.URL)
	t.Setenv("http_proxy", p.URL)
	c := client(t, dialer(t, egress.Options{Allow: []string{p.URL}}))
	if got := get(c, "http://169.254.169.254/"); got != string(akitad.PermissionDenied) || hits.Load() != 0 {
		t.Errorf("%q, %d requests through the proxy", got, hits.Load())
	}
	if c.Transport.(*http.Transport).Proxy != nil {
		t.Error("the client asks for a proxy")
	}
}

func TestFirstByteIsBounded(t *testing.T) {
	release := make(chan struct{})
	s, _ := server(t, func(http.ResponseWriter, *http.Request) { <-release })
	defer close(release)
	d := dialer(t, egress.Options{Allow: []string{s.URL}})
	c := d.Client(egress.Timeouts{FirstByte: 20 * time.Millisecond})
	defer c.CloseIdleConnections()
	if _, err := c.Get(s.URL); err == nil {
		t.Error("a silent server was waited for")
	}
}

// Whatever bytes make an address: what carries a private IPv4 address inside is refused, and an
// IPv4 address is judged the same in its mapped form.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"::ffff:7f00:1", "2002:7f00:1::", "64:ff9b::7f00:1", "::127.0.0.1", "2606:4700::1111", "fe80::1"} {
		b := netip.MustParseAddr(s).As16()
		f.Add(b[:])
	}
	f.Add([]byte{127, 0, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		err := egress.Check(addr)
		if plain := addr.Unmap(); err == nil && (plain.IsLoopback() || plain.IsPrivate() || plain.IsLinkLocalUnicast() || plain.IsMulticast() || plain.IsUnspecified() || !plain.IsGlobalUnicast()) {
			t.Errorf("%s is let through", addr)
		}
		if addr.Is4() && (err == nil) != (egress.Check(netip.AddrFrom16(addr.As16())) == nil) {
			t.Errorf("%s and its mapped form differ", addr)
		}
		if (err == nil) != (egress.CheckHost(addr.String()) == nil) {
			t.Errorf("%s as a host is judged differently", addr)
		}
		if addr.Is4() && err != nil {
			a := addr.As4()
			for _, carrier := range []string{"::", "64:ff9b::", "::ffff:0:0:0"} {
				c := netip.MustParseAddr(carrier).As16()
				copy(c[12:], a[:])
				if egress.Check(netip.AddrFrom16(c)) == nil {
					t.Errorf("%s carries %s through", netip.AddrFrom16(c), addr)
				}
			}
			six := [16]byte{0x20, 0x02, a[0], a[1], a[2], a[3]}
			if egress.Check(netip.AddrFrom16(six)) == nil {
				t.Errorf("%s carries %s through", netip.AddrFrom16(six), addr)
			}
		}
	})
}

// Whatever is written as a host, a number is never left to a resolver to read as an address.
func FuzzCheckHost(f *testing.F) {
	for _, s := range []string{"0x7f.1", "127.1", "2130706433", "0177.0.0.01", "localhost.", "..", "example.org", "①②⑦.1", "%31"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, host string) {
		if egress.CheckHost(host) != nil {
			return
		}
		host = strings.TrimSuffix(host, ".")
		if addr, err := netip.ParseAddr(host); err == nil {
			if egress.Check(addr) != nil {
				t.Errorf("%q is let through", host)
			}
			return
		}
		last := host[strings.LastIndexByte(host, '.')+1:]
		if last == "" || strings.Trim(last, "0123456789") == "" || strings.EqualFold(last, "localhost") {
			t.Errorf("%q is let through", host)
		}
	})
}
