package app_test

import (
	"context"
	"os"
	"runtime/trace"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func TestZYIdle(t *testing.T) {
	out := os.Getenv("ZY_TRACE")
	if out == "" {
		return
	}
	chats := telegramtest.Start(t, telegramtest.Options{})
	script := llmtest.New(t).Rounds(llmtest.Any, append(benchTurns(), llmtest.Text("answered"))...)
	model := llmtest.NewServer(t, script, llmtest.Options{Latency: benchLatency, Forget: true})
	cfg, err := config.Load(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	chatConfig(&cfg, chats.URL, chats.Token)
	cfg.Channels.Telegram.Allow = []string{"*"}
	useModel(&cfg, model.URL(), 64)
	a, err := app.New(t.Context(), cfg, app.Options{Parts: allParts})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	chats.Say(1000, 0, "look", telegramtest.Said{})
	chats.WaitChat(t.Context(), 1000, func(all []telegramtest.Message) bool { return len(all) > 1 && all[1].Text == "answered" })
	time.Sleep(4 * time.Second)
	f, _ := os.Create(out)
	c := now()
	trace.Start(f)
	time.Sleep(20 * time.Second)
	trace.Stop()
	f.Close()
	t.Logf("cpu %v in 20 s", c.since().cpu)
	cancel()
	<-ran
	_ = a.Close(context.Background())
}
