package app_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/text"
)

// chatDrillProcess is a whole house with a Telegram channel, for as long as it is let live.
func chatDrillProcess(home, url, token string) error {
	cfg, err := drillConfig(home)
	if err != nil {
		return err
	}
	chatConfig(&cfg, url, token)
	cfg.Channels.Telegram.Allow = []string{"*"}
	ctx := context.Background()
	a, err := app.New(ctx, cfg, app.Options{Parts: app.Parts{Orchestrate: true, Work: true, Serve: true}, Model: drillModel{}})
	if err != nil {
		return err
	}
	fmt.Println("up")
	return a.Run(ctx)
}

// chatDrill kills houses.
type chatDrill struct {
	t    *testing.T
	home string
	srv  *telegramtest.Server
	rng  *rand.Rand
}

func (d *chatDrill) start() *exec.Cmd {
	d.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CHAT_DRILL_HOME="+d.home, "CHAT_DRILL_URL="+d.srv.URL, "CHAT_DRILL_TOKEN="+d.srv.Token)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	if lines := bufio.NewScanner(out); !lines.Scan() || lines.Text() != "up" {
		d.t.Fatalf("the house did not start: %q", lines.Text())
	}
	return cmd
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// Messages of eight chats come in while the house is killed again and again. At the end each has
// exactly one answer, and the answers of a chat stand in the order of its messages.
func TestDrillChatKillNine(t *testing.T) {
	const chats = 8
	kills, messages := envInt("AKITA_DRILL_KILLS", 15), envInt("AKITA_DRILL_TASKS", 60)
	seed := envInt("SEED", int(time.Now().UnixNano()%1e6))
	t.Logf("%d kills, %d messages, SEED=%d", kills, messages, seed)
	d := &chatDrill{t: t, home: t.TempDir(), srv: telegramtest.Start(t, telegramtest.Options{}), rng: rand.New(rand.NewPCG(uint64(seed), 1))}
	want := map[int64][]string{}
	said := 0
	say := func(until int) {
		for ; said < until; said++ {
			chat := int64(1 + said%chats)
			name := fmt.Sprintf("c%d-%d", chat, len(want[chat]))
			words := fmt.Sprintf("job %s rounds=%d", name, said%3)
			if said%10 == 9 {
				words = fmt.Sprintf("job %s rounds=1 split=2", name)
			}
			d.srv.Say(chat, 0, words, telegramtest.Said{})
			want[chat] = append(want[chat], "done "+name)
		}
	}
	for k := range kills {
		say(messages * (2*k + 1) / (2 * kills)) // some while it is down
		cmd := d.start()
		time.AfterFunc(time.Duration(50+d.rng.IntN(450))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		say(messages * (k + 1) / kills)
		_ = cmd.Wait()
	}
	d.live(want)
	say(messages + chats) // behind one more kill; with its answer, all before it is settled
	d.live(want)
	orphans := 0
	for chat, answers := range want {
		if got := d.answers(chat); fmt.Sprint(got) != fmt.Sprint(answers) {
			t.Errorf("chat %d has the answers %q, want %q", chat, got, answers)
		}
		for _, m := range d.srv.FromBot(chat) {
			if m.Text == text.En.Received() {
				orphans++
			}
		}
	}
	t.Logf("%d placeholders were left behind by a kill between the sending and the record", orphans)
}

// live lets a house live until every message has an answer.
func (d *chatDrill) live(want map[int64][]string) {
	d.t.Helper()
	house := d.start()
	defer kill(house)
	ctx, cancel := context.WithTimeout(d.t.Context(), 90*time.Second)
	defer cancel()
	for chat, answers := range want {
		if err := d.srv.Wait(ctx, func() bool { return len(d.answers(chat)) >= len(answers) }); err != nil {
			d.t.Fatalf("chat %d has %q, want %q", chat, d.answers(chat), answers)
		}
	}
}

// answers are a chat's final answers in the order in which they stand.
func (d *chatDrill) answers(chat int64) []string {
	var out []string
	for _, m := range d.srv.FromBot(chat) {
		if strings.Contains(m.Text, "done ") {
			out = append(out, m.Text)
		}
	}
	return out
}
