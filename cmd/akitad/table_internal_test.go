package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/client"
)

// Columns stand below one another also where Chinese is in them.
func TestTableWithChinese(t *testing.T) {
	var b bytes.Buffer
	if err := table(&b, []string{"A", "B"}, [][]string{{"中文", "x"}, {"abcdef", "y"}}); err != nil {
		t.Fatal(err)
	}
	if want := "A       B\n中文    x\nabcdef  y\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestEndpointState(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	for want, e := range map[string]client.Endpoint{
		"resting until ": {Healthy: true, Failures: 2, RestsUntil: &at}, "healthy, 1 failure lately": {Healthy: true, Failures: 1}, "healthy, 2 failures lately": {Healthy: true, Failures: 2},
	} {
		if got := endpointState(e); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := channelStates(map[string]string{"telegram": "ok", "feishu": "down"}); got != "; feishu down; telegram ok" {
		t.Errorf("channels: %q", got)
	}
}
