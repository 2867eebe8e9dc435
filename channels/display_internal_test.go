package channels

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestDisplayShowsTheNewestLineOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var shown []string
		d := newDisplay(func(line string) { shown = append(shown, fmt.Sprint(time.Since(began).Milliseconds(), " ", line)) })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); d.run(ctx) }()
		synctest.Wait()
		for _, line := range []string{"one", "two", "three"} {
			d.set(line)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		d.set("four")
		time.Sleep(100 * time.Millisecond)
		d.set("too late")
		cancel()
		<-ended
		if want := []string{"0 one", "1000 three", "2300 four"}; !slices.Equal(shown, want) {
			t.Errorf("shown was %q, want %q", shown, want)
		}
	})
}

func TestSessionsAreKnownUntilTheEnd(t *testing.T) {
	s := newSessions()
	s.begin("t_1", "lane")
	if a, b, c := s.of("t_1", false), s.of("t_1", true), s.of("t_1", true); a != "lane" || b != "lane" || c != "" || len(s.by) != 0 {
		t.Errorf("a task's lane is %q, at its end %q, after it %q", a, b, c)
	}
}
