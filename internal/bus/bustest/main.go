package bustest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// ServeMain is the main function of a program that is a NATS server and nothing else, so that a
// test has one in a process of its own, which it can kill. It takes -dir (data), -addr (host:port,
// or :0 for a free loopback port) and -addr-file (where to write host:port once it is ready), runs
// until SIGTERM or SIGINT, and gives the exit code.
func ServeMain(args []string) int {
	err := serve(args)
	if errors.Is(err, flag.ErrHelp) {
		return 2
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nats:", err)
		return 1
	}
	return 0
}

func serve(args []string) error {
	flags := flag.NewFlagSet("nats", flag.ContinueOnError)
	dir := flags.String("dir", "", "data `folder`")
	addr := flags.String("addr", ":0", "`host:port` to listen on")
	file := flags.String("addr-file", "", "`file` that gets host:port when the server is ready")
	room := flags.Int64("max-store", 0, "`bytes` that it may keep; 0: all that there is")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		return errors.New("say where the data goes: -dir FOLDER")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	opts := options(*dir)
	if *room > 0 {
		opts.JetStreamMaxStore = *room
	}
	n, err := start(opts, *addr)
	if err != nil {
		return err
	}
	defer n.Stop()
	if *file != "" {
		if err := writeAddr(*file, n.Addr); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return nil
}
