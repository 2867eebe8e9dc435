package feishu_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/channeltest"
)

// TestAChannelOfTheServiceIsTheOnlyOne: the service still counts a connection of the channel before when the next
// one is made. What people write until that one is connected waits for it, and goes to nobody else.
func TestAChannelOfTheServiceIsTheOnlyOne(t *testing.T) {
	svc := setup().Start(t).(*service)
	address := "ws" + strings.TrimPrefix(svc.URL, "http") + "/callback/ws?service_id=33&ticket=ticket-of-" + svc.AppID
	old, _, err := websocket.Dial(t.Context(), address, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer old.CloseNow()
	soon, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := svc.Wait(soon, func() bool { return svc.Connected() == 1 }); err != nil {
		t.Fatal(err)
	}
	ch := svc.Channel(t, nil)
	if n := svc.Connected(); n != 0 {
		t.Errorf("%d connections are left", n)
	}
	want := []string{"one", "two", "three", "four", "five"}
	for _, words := range want {
		svc.Say(channeltest.Said{From: anna, Text: words})
	}
	var got []string
	err = ch.Run(soon, func(_ context.Context, m akitad.Message) error {
		if got = append(got, m.Text); len(got) == len(want) {
			cancel()
		}
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("handed over: %q (%v), want %q", got, err, want)
	}
}
