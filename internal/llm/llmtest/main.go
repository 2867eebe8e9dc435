package llmtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// ServeMain is the main function of a fake model server as a process: it serves on a loopback
// address that the system chooses until it is interrupted, and gives the exit code. args are the
// command line without the program's name:
//
//	-addr-file FILE  the base URL is written here once the server listens (required)
//	-latency D       how long the model thinks before each answer, a Go duration
//	-script FILE     the script; see Load. Without one every request is answered "ok".
func ServeMain(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, args, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "llmtest:", err)
		if errors.Is(err, errUsage) {
			return 2
		}
		return 1
	}
	return 0
}

var errUsage = errors.New("usage: llmtest -addr-file FILE [-latency D] [-script FILE]")

func serve(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("llmtest", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addrFile := flags.String("addr-file", "", "where the base URL is written")
	latency := flags.Duration("latency", 0, "how long the model thinks")
	script := flags.String("script", "", "script file")
	if err := flags.Parse(args); err != nil || *addrFile == "" || flags.NArg() > 0 {
		return errUsage
	}
	s, err := load(*script, Options{Latency: *latency})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.url = "http://" + l.Addr().String()
	if err := publish(*addrFile, s.URL()); err != nil {
		return errors.Join(err, l.Close())
	}
	return s.run(ctx, l)
}

func load(script string, opts Options) (*Server, error) {
	if script == "" {
		return newServer(New(nil).Always(Any, Text("ok")), opts), nil
	}
	played, once, always, err := Load(script)
	if err != nil {
		return nil, err
	}
	return newServer(played, opts).Next(once...).Always(always...), nil
}

// publish writes the file in one step, so that whoever waits for it never reads half of it.
func publish(file, text string) error {
	part := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".part")
	if err := os.WriteFile(part, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(part, file)
}

func (s *Server) run(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() {
		close(s.gone)
		_ = server.Close()
	})
	defer stopped()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
