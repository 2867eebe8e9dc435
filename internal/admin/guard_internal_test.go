package admin

import (
	"fmt"
	"testing"
	"time"
)

func TestLockTakesAMinute(t *testing.T) {
	g := newGuard("token", "127.0.0.1:0")
	now := time.Now()
	for i := range maxWrong - 1 {
		if g.locked("a", now.Add(time.Duration(i)*6*time.Second)) {
			t.Fatalf("locked after %d", i+1)
		}
	}
	tenth := now.Add(59 * time.Second)
	for _, tt := range []struct {
		source string
		after  time.Duration
		want   bool
	}{{"a", 0, true}, {"b", 0, false}, {"a", 59 * time.Second, true}, {"a", 60 * time.Second, false}} {
		if got := g.locked(tt.source, tenth.Add(tt.after)); got != tt.want {
			t.Errorf("%s %s after the tenth: locked %v, want %v", tt.source, tt.after, got, tt.want)
		}
	}
	for i := range maxWrong {
		if g.locked("slow", now.Add(time.Duration(i)*7*time.Second)) {
			t.Errorf("ten in over a minute lock")
		}
	}
}

func TestManySourcesAreForgotten(t *testing.T) {
	g := newGuard("token", "127.0.0.1:0")
	now := time.Now()
	for i := range 3 * maxSeen {
		g.locked(fmt.Sprint(i), now)
	}
	if len(g.wrong) > maxSeen {
		t.Errorf("%d sources are remembered, at most %d wanted", len(g.wrong), maxSeen)
	}
}
