// Command telegram is a chat with a bot in a terminal, without Telegram: it serves a Bot API on loopback
// for a daemon, passes on what is typed as messages of a person, and shows what the bot answers.
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
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

const token = "4242:test-token"

func main() {
	listen := flag.String("listen", "127.0.0.1:8081", "address of the Bot API")
	person := flag.Int64("as", 7, "numeric id of the person who types")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *listen, *person, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "telegram:", err)
		os.Exit(1)
	}
}

// run serves until the input or ctx ends.
func run(ctx context.Context, listen string, person int64, in io.Reader, out io.Writer) error {
	ln, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	s := telegramtest.New(token, telegramtest.Options{})
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- web.Serve(ln) }()
	fmt.Fprintf(out, "start the daemon in another terminal:\n\n  export TELEGRAM_API_URL=http://%s TELEGRAM_BOT_TOKEN=%s TELEGRAM_ALLOW=%d\n  bin/akitad serve\n\n", ln.Addr(), token, person)
	fmt.Fprintf(out, "then type here as person %d; \"12: words\" says words as person 12; the end of the input stops.\n", person)
	ctx, cancel := context.WithCancel(ctx)
	var shows sync.WaitGroup
	shows.Go(func() { show(ctx, s, out) })
	typed(ctx, s, person, in)
	cancel()
	shows.Wait()
	s.Close()
	err = web.Close()
	<-served
	return err
}

// typed passes lines on until there is none left.
func typed(ctx context.Context, s *telegramtest.Server, person int64, in io.Reader) {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scan := bufio.NewScanner(in); scan.Scan(); {
			lines <- scan.Text()
		}
	}()
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			from, words := author(line, person)
			if words != "" {
				s.Say(from, 0, words, telegramtest.Said{})
			}
		case <-ctx.Done():
			return
		}
	}
}

// author reads "12: words" as what person 12 says, and anything else as the usual person's words.
func author(line string, usual int64) (from int64, words string) {
	if id, rest, ok := strings.Cut(line, ":"); ok {
		if n, err := strconv.ParseInt(strings.TrimSpace(id), 10, 64); err == nil && n > 0 {
			return n, strings.TrimSpace(rest)
		}
	}
	return usual, strings.TrimSpace(line)
}

// show prints each message of the bot, and what becomes of it by edits.
func show(ctx context.Context, s *telegramtest.Server, out io.Writer) {
	seen := map[string]string{}
	for {
		fresh := false
		err := s.Wait(ctx, func() bool {
			for _, messages := range s.Chats() {
				for _, m := range messages {
					key := fmt.Sprint(m.Chat, "/", m.ID)
					if m.Bot && seen[key] != m.Text {
						fresh, seen[key] = true, m.Text
						fmt.Fprintf(out, "[%d] %s\n", m.Chat, m.Text)
					}
				}
			}
			return fresh
		})
		if err != nil {
			return
		}
	}
}
