// Command cmd is a Feishu on loopback, so that a person can try the bot without an account:
//
//	go run ./channels/feishu/feishutest/cmd
package main

import (
	"context"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/akitad/akitad/channels/feishu/feishutest"
	"github.com/akitad/akitad/internal/faketest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fresh := []string{"-first", strconv.Itoa(faketest.Fresh())}
	os.Exit(feishutest.ServeMain(ctx, append(fresh, os.Args[1:]...)))
}
