package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func BenchmarkZZ(b *testing.B) {
	s := &served{b: b, chats: telegramtest.Start(b, telegramtest.Options{})}
	script := llmtest.New(b).Rounds(llmtest.Any, append(benchTurns(), llmtest.Text("answered"))...)
	model := llmtest.NewServer(b, script, llmtest.Options{Latency: benchLatency, Forget: true})
	cfg, err := config.Load(b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	chatConfig(&cfg, s.chats.URL, s.chats.Token)
	cfg.Channels.Telegram.Allow = []string{"*"}
	useModel(&cfg, model.URL(), 64)
	a, err := app.New(b.Context(), cfg, app.Options{Parts: allParts})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	s.ask(1)
	var firsts, answers []time.Duration
	c := now()
	for b.Loop() {
		all, _ := s.ask(benchChats)
		for _, t := range all {
			firsts, answers = append(firsts, t.first), append(answers, t.answer)
		}
	}
	got := c.since()
	b.ReportMetric(quantile(answers, 50)/1000, "p50-s")
	b.ReportMetric(quantile(answers, 99)/1000, "p99-s")
	b.ReportMetric(median(firsts), "first-ms")
	b.ReportMetric(1000*got.cpu.Seconds()/float64(benchChats*b.N), "cpu-ms/reply")
	cancel()
	<-ran
	_ = a.Close(context.Background())
}
