// Package egress is the one dialer through which everything leaves the process. It refuses
// addresses inside the machine, the local network and the cloud's metadata services, whatever name
// led there; it does not judge what is sent or where on the public internet it goes.
package egress

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/akitad/akitad"
)

// Options are what a Dialer may be told; the zero value works and reaches public addresses only.
type Options struct {
	// Allow lists what the owner configured by hand, as URLs or host:port: these may be private. An
	// entry fits a connection if host and port are the same, before any name is resolved.
	Allow    []string
	Resolver *net.Resolver // default is the system's
	Connect  time.Duration // how long one connection may take; default 10 s

	// Own gives the addresses of this machine, asked at each connection; default net.InterfaceAddrs.
	Own func() ([]net.Addr, error)
}

// Dialer opens guarded TCP connections. It is safe for concurrent use.
type Dialer struct {
	allow   map[string]bool
	open    net.Dialer // for what is allowed
	guarded net.Dialer
}

// New makes a dialer; an entry of Allow that is neither a URL nor host:port is an error.
func New(opts Options) (*Dialer, error) {
	if opts.Connect <= 0 {
		opts.Connect = 10 * time.Second
	}
	if opts.Own == nil {
		opts.Own = net.InterfaceAddrs
	}
	d := &Dialer{allow: map[string]bool{}, open: net.Dialer{Timeout: opts.Connect, Resolver: opts.Resolver}}
	d.guarded = d.open
	d.guarded.ControlContext = guard(opts.Own)
	for _, entry := range opts.Allow {
		key, err := target(entry)
		if err != nil {
			return nil, err
		}
		d.allow[key] = true
	}
	return d, nil
}

// Strict returns a dialer that allows nothing private at all, for addresses that a model, a page or a
// person chose: what the owner allowed is meant for akitad's own clients.
func (d *Dialer) Strict() *Dialer { return &Dialer{guarded: d.guarded} }

// DialContext connects to host:port over "tcp", "tcp4" or "tcp6". The address is checked after its
// name is resolved, at the moment of connecting, so a name that changes its mind gains nothing. A
// refusal is of kind permission_denied.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil, refused(address, "only TCP leaves this process")
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &akitad.Error{Kind: akitad.InvalidRequest, Op: "connect", Err: err, Hint: "write the address as host:port"}
	}
	if d.allow[key(host, port)] {
		return d.open.DialContext(ctx, network, address)
	}
	if err := CheckHost(host); err != nil {
		return nil, err
	}
	return d.guarded.DialContext(ctx, network, address)
}

// guard returns what runs between resolving and connecting, once for each address that is tried.
func guard(own func() ([]net.Addr, error)) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, network, address string, _ syscall.RawConn) error {
		if network != "tcp4" && network != "tcp6" {
			return refused(address, "only TCP leaves this process")
		}
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return refused(address, "it is not an IP address")
		}
		if err := Check(ap.Addr()); err != nil {
			return err
		}
		return checkOwn(ap.Addr(), own)
	}
}

// target returns the key of an Allow entry.
func target(entry string) (string, error) {
	bad := akitad.Errorf(akitad.InvalidRequest, "allowed address %q is neither a URL nor host:port", entry).WithHint("write it like http://10.0.0.5:8000/v1 or 10.0.0.5:8000")
	if !strings.Contains(entry, "://") {
		host, port, err := net.SplitHostPort(entry)
		if err != nil || host == "" || port == "" {
			return "", bad
		}
		return key(host, port), nil
	}
	u, err := url.Parse(entry)
	if err != nil || u.Hostname() == "" {
		return "", bad
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}[u.Scheme]
	}
	if port == "" {
		return "", bad
	}
	return key(u.Hostname(), port), nil
}

// key names host and port in one form: lower case, no final dot, addresses as netip writes them.
func key(host, port string) string {
	host = plainHost(host)
	if addr, err := netip.ParseAddr(host); err == nil {
		host = addr.Unmap().String()
	}
	return net.JoinHostPort(host, port)
}

func plainHost(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

func refused(what, why string) error {
	return &akitad.Error{
		Kind: akitad.PermissionDenied, Op: "connect", Err: fmt.Errorf("%s is refused: %s", what, why),
		Hint: "only public addresses may be reached; an owner allows a private one by configuring it as an endpoint or channel URL",
	}
}
