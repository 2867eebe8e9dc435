// Command cmd is a Feishu on loopback, so that a person can try the bot without an account:
//
//	go run ./channels/feishu/feishutest/cmd
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/akitad/akitad/channels/feishu/feishutest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(feishutest.ServeMain(ctx, os.Args[1:]))
}
