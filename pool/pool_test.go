package pool_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/pool"
	"github.com/akitad/akitad/workspace"
)

// counted is a factory that counts what it opened and what was shut.
type counted struct {
	mu           sync.Mutex
	opened, shut int
}

func (c *counted) open(context.Context, akitad.Profile) ([]tool.Tool, func(context.Context) error, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened++
	return nil, func(context.Context) error { c.mu.Lock(); defer c.mu.Unlock(); c.shut++; return nil }, nil
}

func (c *counted) closed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shut
}

func newPool(t *testing.T, opts pool.Options) (*pool.Pool, *counted) {
	t.Helper()
	profiles, err := pool.LoadProfiles("")
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{}
	return pool.New(profiles, c.open, opts), c
}

func acquire(t *testing.T, p *pool.Pool, profile string, session akitad.SessionKey) *pool.Instance {
	t.Helper()
	i, err := p.Acquire(t.Context(), profile, session)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestReleasedInstancesAreLentAgain(t *testing.T) {
	p, c := newPool(t, pool.Options{})
	for n := range 100 {
		i := acquire(t, p, "analyst", "")
		if i.Reused() != (n > 0) {
			t.Errorf("loan %d: reused %v", n, i.Reused())
		}
		p.Release(t.Context(), i)
	}
	if s := p.Stats(); c.opened != 1 || s[0].Opened != 1 || s[0].Reused != 99 || s[0].Idle != 1 || s[0].Busy != 0 {
		t.Errorf("%d opened, %+v", c.opened, s)
	}
}

func TestTheInstanceOfTheSessionComesBackToIt(t *testing.T) {
	p, _ := newPool(t, pool.Options{})
	a, b := acquire(t, p, "analyst", "s-a"), acquire(t, p, "analyst", "s-b")
	idA := a.ID
	p.Release(t.Context(), a)
	p.Release(t.Context(), b) // the last used
	if got := acquire(t, p, "analyst", "s-a"); got.ID != idA {
		t.Errorf("session a got %s, want its own %s", got.ID, idA)
	}
}

func TestUnknownProfileNamesTheKnown(t *testing.T) {
	p, _ := newPool(t, pool.Options{})
	_, err := p.Acquire(t.Context(), "poet", "")
	var e *akitad.Error
	if !errors.As(err, &e) || e.Kind != akitad.NotFound || !strings.Contains(e.Hint, "analyst, assistant") {
		t.Errorf("%v (%+v)", err, e)
	}
}

// With one place for all, an idle instance of another profile gives way; a busy one never does.
func TestIdleInstancesGiveWayToOtherProfiles(t *testing.T) {
	p, c := newPool(t, pool.Options{Max: 1})
	i := acquire(t, p, "analyst", "")
	if _, err := p.Acquire(t.Context(), "writer", ""); !errors.Is(err, pool.ErrFull) {
		t.Fatalf("with a busy instance: %v, want ErrFull", err)
	}
	p.Release(t.Context(), i)
	w := acquire(t, p, "writer", "")
	if c.opened != 2 || c.shut != 1 {
		t.Errorf("%d opened, %d shut; want 2, 1", c.opened, c.shut)
	}
	p.Release(t.Context(), w)
}

func TestWaitingEndsWithARelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := newPool(t, pool.Options{Max: 1})
		held := acquire(t, p, "analyst", "")
		waited := make(chan error, 1)
		go func() { waited <- p.WaitFree(t.Context(), "analyst") }()
		synctest.Wait()
		if len(waited) != 0 {
			t.Fatal("nothing was free, and the wait ended")
		}
		p.Release(t.Context(), held)
		if err := <-waited; err != nil {
			t.Error(err)
		}
		acquire(t, p, "analyst", "")
	})
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := newPool(t, pool.Options{Max: 1})
		acquire(t, p, "analyst", "")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := p.WaitFree(ctx, "analyst"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}

func TestReaperClosesWhatIsIdleTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, c := newPool(t, pool.Options{})
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := p.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		busy := acquire(t, p, "analyst", "")
		p.Release(t.Context(), acquire(t, p, "writer", ""))
		time.Sleep(29 * time.Minute)
		if n := c.closed(); n != 0 {
			t.Errorf("%d were closed after 29 minutes", n)
		}
		time.Sleep(3 * time.Minute)
		if n := c.closed(); n != 1 {
			t.Errorf("%d were closed after 32 minutes, want the idle one", n)
		}
		p.Release(t.Context(), busy)
		stop()
		wg.Wait()
		if err := p.Close(t.Context()); err != nil || c.shut != 2 {
			t.Errorf("after Close: %d shut (%v)", c.shut, err)
		}
	})
}

// Nothing of a task is left for the next one, which is given the same instance.
func TestReleaseLeavesNothingBehind(t *testing.T) {
	ws, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, err := ws.Dir("s-secret")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := newPool(t, pool.Options{})
	i := acquire(t, p, "operator", "s-secret")
	i.Dir = dir
	p.Release(t.Context(), i)
	again := acquire(t, p, "operator", "s-other")
	if again != i {
		t.Fatal("another instance was lent: nothing is shown")
	}
	if left := fmt.Sprintf("%+v", *again); again.Dir != nil || strings.Contains(left, "s-secret") {
		t.Errorf("left behind: %s", left)
	}
	if _, err := dir.ReadFile("x"); err == nil || akitad.KindOf(err) == akitad.NotFound {
		t.Errorf("the folder of the task before can still be read: %v", err)
	}
}

func TestAnEditedProfileClosesIdleInstances(t *testing.T) {
	dir := t.TempDir()
	write := func(prompt string) {
		text := "---\nname: helper\ndescription: helps\n---\n" + prompt + "\n"
		if err := os.WriteFile(filepath.Join(dir, "helper.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	profiles, err := pool.LoadProfiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{}
	p := pool.New(profiles, c.open, pool.Options{})
	p.Release(t.Context(), acquire(t, p, "helper", ""))
	write("two")
	if i := acquire(t, p, "helper", ""); i.Profile.Prompt != "two" || c.shut != 1 {
		t.Errorf("prompt %q, %d shut", i.Profile.Prompt, c.shut)
	}
}

func TestProfileFiles(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"good", "---\nname: a\ndescription: d\n---\nprompt", ""},
		{"windows line ends and BOM", "\xef\xbb\xbf---\r\nname: a\r\ndescription: d\r\n---\r\nprompt", ""},
		{"a window of its own", "---\nname: a\ndescription: d\ncontext: {strategy: mask}\n---\nprompt", ""},
		{"no such window", "---\nname: a\ndescription: d\ncontext: {strategy: forget}\n---\nprompt", "hybrid"},
		{"no front matter", "prompt", "front matter"},
		{"not closed", "---\nname: a\n", "front matter"},
		{"unknown key", "---\nname: a\ndescription: d\ntemper: mild\n---\np", "temper"},
		{"bad name", "---\nname: A B\ndescription: d\n---\np", "name"},
		{"no description", "---\nname: a\n---\np", "description"},
		{"no prompt", "---\nname: a\ndescription: d\n---\n \n", "prompt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := pool.ParseProfile("a.md", []byte(tt.text))
			switch {
			case tt.want == "" && (err != nil || p.Prompt != "prompt"):
				t.Errorf("%+v, %v", p, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "a.md")):
				t.Errorf("error %v, want one about %q that names the file", err, tt.want)
			}
		})
	}
}

func TestOwnProfilesWinOverBuiltInOnes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "analyst.md"), []byte("---\nname: analyst\ndescription: mine\n---\nmine"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := pool.LoadProfiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Find("analyst"); err != nil || got.Description != "mine" {
		t.Errorf("%+v, %v", got, err)
	}
	if names := strings.Join(p.Names(), " "); names != "analyst assistant operator researcher writer" {
		t.Errorf("known: %s", names)
	}
}

func BenchmarkIdleInstance(b *testing.B) {
	profiles, err := pool.LoadProfiles("")
	if err != nil {
		b.Fatal(err)
	}
	c := &counted{}
	p := pool.New(profiles, c.open, pool.Options{Max: 1 << 20, PerProfile: 1 << 20})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Acquire(context.Background(), "analyst", ""); err != nil {
			b.Fatal(err)
		}
	}
}
