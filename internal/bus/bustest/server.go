package bustest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server starts a plain NATS server with JetStream in this process, on a free loopback port and
// with its data in a folder of the test. It gives the server's URL.
func Server(t testing.TB) (url string) { return StartNode(t, t.TempDir(), "127.0.0.1:0").URL }

// Node is a NATS server in this process that a test can stop and start again.
type Node struct {
	URL  string // nats://host:port
	Addr string // host:port
	srv  *server.Server
}

// StartNode starts a server on addr (port 0 for a free one) with its data in dir. It is stopped
// when the test ends.
func StartNode(t testing.TB, dir, addr string) *Node {
	t.Helper()
	n, err := start(options(dir), addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Stop)
	return n
}

// Strange starts a server that is set up in another way than ours are, and gives its URL.
func Strange(t testing.TB, change func(*server.Options)) (url string) {
	t.Helper()
	opts := options(t.TempDir())
	change(opts)
	n, err := start(opts, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Stop)
	return n.URL
}

// Stop ends the server and waits for it; a second call does nothing.
func (n *Node) Stop() {
	n.srv.Shutdown()
	n.srv.WaitForShutdown()
}

func options(dir string) *server.Options {
	return &server.Options{JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, JetStreamMaxMemory: 64 << 20}
}

func start(opts *server.Options, addr string) (*Node, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen address: %w", err)
	}
	if opts.Host, opts.Port, err = hostPort(host, port); err != nil {
		return nil, err
	}
	srv, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("set up NATS server: %w", err)
	}
	srv.Start()
	if !srv.ReadyForConnections(patience) {
		srv.Shutdown()
		return nil, fmt.Errorf("NATS server is not ready on %s after %s", addr, patience)
	}
	at := srv.Addr().String()
	return &Node{URL: "nats://" + at, Addr: at, srv: srv}, nil
}

func hostPort(host, text string) (string, int, error) {
	port, err := strconv.Atoi(text)
	if err != nil {
		return "", 0, fmt.Errorf("listen port: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// Cluster starts n servers that form a cluster, and gives their URLs once they have a leader.
func Cluster(t testing.TB, n int) []*Node {
	t.Helper()
	routes := make([]*url.URL, n)
	for i, addr := range freeAddrs(t, n) {
		routes[i] = &url.URL{Scheme: "nats", Host: addr}
	}
	nodes := make([]*Node, n)
	for i := range nodes {
		nodes[i] = startMember(t, i, routes)
	}
	deadline := time.Now().Add(patience)
	for !hasLeader(nodes) {
		if time.Now().After(deadline) {
			t.Fatalf("cluster of %d has no leader after %s", n, patience)
		}
		time.Sleep(5 * time.Millisecond) // the server offers nothing to wait for
	}
	return nodes
}

func startMember(t testing.TB, i int, routes []*url.URL) *Node {
	t.Helper()
	opts := options(filepath.Join(t.TempDir(), "node"))
	opts.ServerName = "n" + strconv.Itoa(i)
	host, port, err := hostPort(routes[i].Hostname(), routes[i].Port())
	if err != nil {
		t.Fatal(err)
	}
	opts.Cluster = server.ClusterOpts{Name: "akitad-test", Host: host, Port: port}
	opts.Routes = routes
	n, err := start(opts, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Stop)
	return n
}

func hasLeader(nodes []*Node) bool {
	for _, n := range nodes {
		if n.srv.JetStreamIsLeader() && len(n.srv.JetStreamClusterPeers()) == len(nodes) {
			return true
		}
	}
	return false
}

// freeAddrs returns loopback addresses that nobody listens on now.
func freeAddrs(t testing.TB, n int) []string {
	t.Helper()
	addrs := make([]string, n)
	for i := range addrs {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		addrs[i] = l.Addr().String()
	}
	return addrs
}

// writeAddr makes addr appear in file all at once.
func writeAddr(file, addr string) error {
	tmp := file + ".tmp"
	if err := os.WriteFile(tmp, []byte(addr), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, file)
}
