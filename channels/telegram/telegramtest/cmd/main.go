// Command cmd is a chat service in a terminal, without Telegram: it serves a Bot API on loopback for a
// daemon, passes on what is typed as what people say, send and press, and shows what the bot does. It
// needs no account and no network.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/faketest"
)

// settings are the flags.
type settings struct {
	listen, token string
	person        int64
	privacy       bool
	first         int
	save          string
	color         bool
}

func main() {
	var set settings
	flag.StringVar(&set.listen, "listen", "127.0.0.1:8081", "address of the Bot API")
	flag.StringVar(&set.token, "token", "4242:test-token", "the bot's token")
	flag.Int64Var(&set.person, "as", 7, "numeric id of the person who types first")
	flag.BoolVar(&set.privacy, "privacy", false, "the bot does not get the plain messages of groups")
	flag.IntVar(&set.first, "first", faketest.Fresh(), "number from which ids are counted; by default none is given twice")
	flag.StringVar(&set.save, "save", "", "folder for the files that the bot sends")
	flag.BoolVar(&set.color, "color", isTerminal(os.Stdout), "show bold, italic and code as a terminal can")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, set, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "telegram:", err)
		os.Exit(1)
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""
}

// run serves until the input or ctx ends.
func run(ctx context.Context, set settings, in io.Reader, out io.Writer) error {
	if set.save != "" {
		if err := os.MkdirAll(set.save, 0o700); err != nil {
			return fmt.Errorf("folder for files: %w", err)
		}
	}
	ln, err := net.Listen("tcp", set.listen)
	if err != nil {
		return fmt.Errorf("%w; choose another address with -listen", err)
	}
	s := telegramtest.New(set.token, telegramtest.Options{Privacy: set.privacy, First: set.first, HTTP: &http.Client{Timeout: 30 * time.Second}})
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- web.Serve(ln) }()
	fmt.Fprintf(out, "start the daemon in another terminal:\n\n  export TELEGRAM_API_URL=http://%s TELEGRAM_BOT_TOKEN=%s\n  export TELEGRAM_ALLOW=%d TELEGRAM_ALLOW_GROUPS='*'\n  bin/akitad serve\n\n", ln.Addr(), set.token, set.person)
	fmt.Fprintf(out, "then type here as person %d; :help tells what else there is; the end of the input stops.\n", set.person)
	c := &console{Server: s, out: out, person: set.person, color: set.color, save: set.save}
	ctx, cancel := context.WithCancel(ctx)
	var shows sync.WaitGroup
	shows.Go(func() { c.show(ctx) })
	c.read(ctx, in)
	cancel()
	shows.Wait()
	s.Close()
	err = web.Close()
	<-served
	return err
}

// read does what is typed until there is no more of it.
func (c *console) read(ctx context.Context, in io.Reader) {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scan := bufio.NewScanner(in); scan.Scan(); {
			select {
			case lines <- scan.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case line, ok := <-lines:
			if !ok || !c.do(line) {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
