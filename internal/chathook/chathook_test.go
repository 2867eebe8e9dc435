package chathook_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestDoor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d chathook.Door
		if ctx, _, _ := d.Enter(); ctx != nil || d.Health() == nil {
			t.Error("it is open before Run")
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx, func(context.Context, akitad.Message) error { return nil }) }()
		synctest.Wait()
		if err := d.Run(ctx, nil); akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("a second Run = %v", err)
		}
		inside, receive, leave := d.Enter()
		if inside == nil || receive(inside, akitad.Message{}) != nil || d.Health() != nil {
			t.Fatal("it is shut while Run runs")
		}
		cancel()
		synctest.Wait()
		if len(ended) != 0 {
			t.Error("Run ended before who was inside had left")
		}
		if inside.Err() == nil {
			t.Error("who is inside is not told of the end")
		}
		if again, _, _ := d.Enter(); again != nil || d.Health() == nil {
			t.Error("it is open after Run's context")
		}
		leave()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, broken := 0, errors.New("broken")
		token := chathook.NewToken(func(context.Context) (string, time.Duration, error) {
			time.Sleep(time.Second)
			if n++; n == 3 {
				return "", 0, broken
			}
			return fmt.Sprint("token ", n), 2 * time.Hour, nil
		})
		get := func() string {
			value, err := token.Get(t.Context())
			if err != nil {
				return err.Error()
			}
			return value
		}
		var wg sync.WaitGroup
		for range 10 { // one of them fetches
			wg.Go(func() {
				if got := get(); got != "token 1" {
					t.Errorf("token %q", got)
				}
			})
		}
		wg.Wait()
		time.Sleep(2*time.Hour - 6*time.Minute)
		if got := get(); got != "token 1" {
			t.Errorf("long before its end: %q", got)
		}
		time.Sleep(2 * time.Minute)
		if got := get(); got != "token 2" {
			t.Errorf("shortly before its end: %q", got)
		}
		token.Drop("token 1") // who was slow
		if got := get(); got != "token 2" {
			t.Errorf("after the old one was refused: %q", got)
		}
		token.Drop("token 2")
		if got := get(); got != "broken" {
			t.Errorf("after it was refused: %q", got)
		}
		if got := get(); got != "token 4" {
			t.Errorf("after a failure: %q", got)
		}
		token.Drop("token 4")
		ctx, cancel := context.WithCancelCause(t.Context())
		wg.Go(func() { get() })
		synctest.Wait()
		cancel(broken)
		if _, err := token.Get(ctx); !errors.Is(err, broken) {
			t.Errorf("with an ended context: %v", err)
		}
		wg.Wait()
	})
}

// Those who wait for a token that cannot be had are told so at once, and do not ask one after the other. Who
// gives up decides nothing for the others.
func TestTokenThatCannotBeHad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, broken := 0, errors.New("broken")
		token := chathook.NewToken(func(ctx context.Context) (string, time.Duration, error) {
			n++
			select {
			case <-time.After(10 * time.Second):
				return "", 0, broken
			case <-ctx.Done():
				return "", 0, context.Cause(ctx)
			}
		})
		ask := func(ctx context.Context, want error, within time.Duration) func() {
			return func() {
				began := time.Now()
				if _, err := token.Get(ctx); !errors.Is(err, want) || time.Since(began) > within {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			}
		}
		var wg sync.WaitGroup
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		wg.Go(ask(ctx, context.DeadlineExceeded, time.Second))
		synctest.Wait()
		for range 20 {
			wg.Go(ask(t.Context(), broken, 11*time.Second))
		}
		wg.Wait()
		if n != 2 {
			t.Errorf("asked %d times", n)
		}
	})
}
