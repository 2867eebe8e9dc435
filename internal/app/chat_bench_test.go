package app_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server/ats"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

const (
	benchChats   = 200
	benchRounds  = 5 // of tools, before the answer
	benchLatency = 50 * time.Millisecond
)

// served is the program itself, run as "akitad serve" with a Telegram bot and a model, both fakes in this
// process.
type served struct {
	b     *testing.B
	chats *telegramtest.Server
	cmd   *exec.Cmd
	said  int64
}

// serve starts the program: the one that BENCH_PROGRAM names, or one that is built for it.
func serve(b *testing.B) *served {
	b.Helper()
	s := &served{b: b, chats: telegramtest.Start(b, telegramtest.Options{})}
	script := llmtest.New(b).Rounds(llmtest.Any, append(benchTurns(), llmtest.Text("answered"))...)
	model := llmtest.NewServer(b, script, llmtest.Options{Latency: benchLatency, Forget: true})
	addr := freeAddr(b)
	s.cmd = exec.Command(benchProgram(b), "serve")
	s.cmd.Env = append(os.Environ(), "AKITA_HOME="+b.TempDir(), "AKITA_ADMIN_LISTEN="+addr,
		"OPENAI_API_KEY=sk-bench-0123456789abcdef", "OPENAI_BASE_URL="+model.URL(), "OPENAI_MODEL=m", "ANTHROPIC_API_KEY=", "GEMINI_API_KEY=",
		"TELEGRAM_BOT_TOKEN="+s.chats.Token, "TELEGRAM_API_URL="+s.chats.URL, "TELEGRAM_ALLOW=*", "AKITA_CHANNELS_TELEGRAM_RATE=0")
	s.cmd.Stderr = os.Stderr
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	awaitServing(b, "http://"+addr+"/readyz")
	return s
}

func (s *served) stop() {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.b.Error(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.b.Error(err)
	}
}

func benchTurns() (out []llmtest.Turn) {
	for i := range benchRounds {
		out = append(out, llmtest.Calls(llmtest.Call("glob", map[string]any{"pattern": fmt.Sprintf("%d*.txt", i)})))
	}
	return out
}

func benchProgram(b *testing.B) string {
	b.Helper()
	if program := os.Getenv("BENCH_PROGRAM"); program != "" {
		return program
	}
	program := filepath.Join(b.TempDir(), "akitad")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/akitad/akitad/cmd/akitad").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return program
}

// awaitServing returns once a daemon says that all is well, its channel too.
func awaitServing(b *testing.B, url string) {
	b.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(5 * time.Millisecond) {
		resp, err := http.Get(url)
		if err != nil {
			continue
		}
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			http.DefaultClient.CloseIdleConnections()
			return
		}
	}
	b.Fatal("the program does not get ready")
}

// took is how long one person waited for the first sign of life, and for the answer.
type took struct{ first, answer time.Duration }

// ask has n people write one message each, at once, and returns when all have their answer.
func (s *served) ask(n int) (all []took, wall time.Duration) {
	s.b.Helper()
	began := time.Now()
	for i := range n {
		s.chats.Say(1000+s.said+int64(i), 0, "look for files", telegramtest.Said{})
	}
	for i := range n {
		chat, err := s.chats.WaitChat(s.b.Context(), 1000+s.said+int64(i), func(all []telegramtest.Message) bool {
			return len(all) > 1 && all[1].Text == "answered"
		})
		if err != nil || len(chat) != 2 {
			s.b.Fatalf("%d messages in a chat (%v)", len(chat), err)
		}
		said, first := chat[0], chat[1]
		all = append(all, took{first.At.Sub(said.At), first.Edits[len(first.Edits)-1].At.Sub(said.At)})
	}
	s.said += int64(n)
	return all, time.Since(began)
}

// BenchmarkChat has 200 people ask at once, each for five rounds of tools and an answer, a model that thinks for
// 50 ms. Processor time and memory are the program's own; the fakes of model and Telegram use the same processors.
func BenchmarkChat(b *testing.B) {
	s := serve(b)
	defer s.stop()
	s.ask(1)
	var firsts, answers []time.Duration
	var wall time.Duration
	before, fakes := cpuOf(b, s.cmd.Process.Pid), cpuOf(b, os.Getpid())
	for b.Loop() {
		all, w := s.ask(benchChats)
		wall += w
		for _, t := range all {
			firsts, answers = append(firsts, t.first), append(answers, t.answer)
		}
	}
	replies := float64(benchChats * b.N)
	b.ReportMetric(quantile(answers, 50)/1000, "p50-s")
	b.ReportMetric(quantile(answers, 99)/1000, "p99-s")
	b.ReportMetric(replies/wall.Seconds(), "replies/s")
	b.ReportMetric(median(firsts), "first-ms")
	b.ReportMetric(1000*(cpuOf(b, s.cmd.Process.Pid)-before).Seconds()/replies, "cpu-ms/reply")
	b.ReportMetric(1000*(cpuOf(b, os.Getpid())-fakes).Seconds()/replies, "fakes-cpu-ms/reply")
	b.ReportMetric(memory(b, s.cmd.Process.Pid, "VmRSS:"), "peak-MB")
	time.Sleep(30 * time.Second) // rest is what is measured
	b.ReportMetric(memory(b, s.cmd.Process.Pid, "VmRSS:"), "MB")
	b.ReportMetric(memory(b, s.cmd.Process.Pid, "RssAnon:"), "anon-MB")
}

// BenchmarkChatAlone has one person ask after the other.
func BenchmarkChatAlone(b *testing.B) {
	s := serve(b)
	defer s.stop()
	s.ask(1)
	var firsts, answers []time.Duration
	for b.Loop() {
		all, _ := s.ask(1)
		firsts, answers = append(firsts, all[0].first), append(answers, all[0].answer)
	}
	b.ReportMetric(median(firsts), "first-ms")
	b.ReportMetric(median(answers)-float64((benchRounds+1)*benchLatency.Milliseconds()), "ms/answer")
}

// BenchmarkChatIdle lets the program do nothing for 12 seconds at a time, when it has answered once and has given
// back, 15 seconds later, the memory that this took. Beside it stands a process that has nothing but a clock, as often
// as the broker reads its own: what a wake costs differs by a factor of two between machines.
func BenchmarkChatIdle(b *testing.B) {
	const idle = 12 * time.Second
	s := serve(b)
	defer s.stop()
	s.ask(1)
	alone := clockAlone(b)
	time.Sleep(25 * time.Second) // what follows an answer has come to its end
	var used, clock, of time.Duration
	for b.Loop() {
		before, clockBefore, began := cpuOf(b, s.cmd.Process.Pid), cpuOf(b, alone), time.Now()
		time.Sleep(idle) // idleness is what is measured
		used, clock, of = used+cpuOf(b, s.cmd.Process.Pid)-before, clock+cpuOf(b, alone)-clockBefore, of+time.Since(began)
	}
	b.ReportMetric(100*used.Seconds()/of.Seconds(), "%cpu")
	b.ReportMetric(100*clock.Seconds()/of.Seconds(), "%clock")
	b.ReportMetric(memory(b, s.cmd.Process.Pid, "VmRSS:"), "MB")
}

// clockAlone starts a process that reads the time as often as the broker does, and gives its id.
func clockAlone(b *testing.B) int {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), benchClock+"="+ats.TickInterval.String())
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd.Process.Pid
}

const benchClock = "BENCH_CLOCK"

// clockProcess is a process that does nothing but read the time, for ever.
func clockProcess(every string) error {
	d, err := time.ParseDuration(every)
	if err != nil {
		return err
	}
	var now atomic.Int64
	for t := range time.NewTicker(d).C {
		now.Store(t.UnixNano())
	}
	return nil
}

// cpuOf gives the processor time that a process has used so far, in steps of a nanosecond where the kernel
// counts in them, its own and the system's for it.
func cpuOf(b *testing.B, pid int) (all time.Duration) {
	b.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(files) == 0 {
		b.Skip("needs /proc: ", err)
	}
	for _, file := range files {
		text, _ := os.ReadFile(file) // a thread may have ended
		ns, _ := strconv.ParseInt(strings.Split(cmp.Or(string(text), "0"), " ")[0], 10, 64)
		all += time.Duration(ns)
	}
	return all
}
