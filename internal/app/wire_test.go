package app_test

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
)

// wire stands between a house and its NATS server, and shows a test what the house says before the server has it,
// and what the server says before the house has it: so what is seen first was first.
type wire struct {
	ln   net.Listener
	to   string
	look func(m wired)
	wg   sync.WaitGroup

	mu    sync.Mutex // held while it looks
	conns []net.Conn
}

// wired is a message on its way.
type wired struct {
	sent           bool // by the house
	subject, reply string
	body           []byte
}

// newWire leads to the server at host:port.
func newWire(t *testing.T, to string, look func(m wired)) (url string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{ln: ln, to: to, look: look}
	w.wg.Go(w.serve)
	t.Cleanup(func() {
		_ = ln.Close()
		w.mu.Lock()
		for _, c := range w.conns {
			_ = c.Close()
		}
		w.mu.Unlock()
		w.wg.Wait()
	})
	return "nats://" + ln.Addr().String()
}

func (w *wire) serve() {
	for {
		in, err := w.ln.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", w.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		w.mu.Lock()
		w.conns = append(w.conns, in, out)
		w.mu.Unlock()
		w.wg.Go(func() { w.relay(out, in, true) })
		w.wg.Go(func() { w.relay(in, out, false) })
	}
}

// relay passes on what is said in one direction, until either side ends.
func (w *wire) relay(to, from net.Conn, sent bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	in, out := bufio.NewReader(from), bufio.NewWriter(to)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		m, header, size := parseWired(line)
		if size > 0 {
			body := make([]byte, size)
			if _, err := io.ReadFull(in, body); err != nil {
				return
			}
			m.sent, m.body = sent, bytes.TrimSuffix(body[header:], []byte("\r\n"))
			w.mu.Lock()
			w.look(m)
			w.mu.Unlock()
			line = append(line, body...)
		}
		if _, err := out.Write(line); err != nil || in.Buffered() == 0 && out.Flush() != nil {
			return
		}
	}
}

// parseWired reads the line before a message, and how many bytes come of header and in all; none if it is no
// message.
func parseWired(line []byte) (m wired, header, size int) {
	f := bytes.Fields(line)
	if len(f) < 3 {
		return m, 0, 0
	}
	sizes, before := 1, 1 // numbers at its end; words before the reply
	switch string(f[0]) {
	case "PUB":
	case "HPUB":
		sizes = 2
	case "MSG":
		before = 2
	case "HMSG":
		sizes, before = 2, 2
	default:
		return m, 0, 0
	}
	m.subject = string(f[1])
	if len(f) > 1+before+sizes {
		m.reply = string(f[1+before])
	}
	if sizes == 2 {
		header, _ = strconv.Atoi(string(f[len(f)-2]))
	}
	size, _ = strconv.Atoi(string(f[len(f)-1]))
	return m, header, size + len("\r\n")
}
