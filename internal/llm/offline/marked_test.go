package offline_test

import (
	"strings"
	"testing"
)

const mailLog = `2026-04-02T08:00:01Z INFO scheduler: tick 1
2026-04-02T08:00:05Z WARN cache: miss ratio 0.41
2026-04-02T08:01:12Z ERROR mailer: smtp timeout for order 8812
2026-04-02T08:01:44Z ERROR mailer: smtp timeout for order 8815
2026-04-02T08:02:10Z INFO mailer: reconnected
2026-04-02T08:05:33Z ERROR billing: card declined for user 77
2026-04-02T08:06:00Z WARN cache: miss ratio 0.55
2026-04-02T08:07:21Z ERROR billing: card declined for user 91
2026-04-02T08:09:59Z FATAL billing: gateway unreachable
2026-04-02T08:10:30Z INFO billing: gateway back
`

const parcels = `id,sent_at,carrier,fee,status
P1,2026-03-01 09:12,Swift,6.5,delivered
P2,2026-03-02 08:05,Swift,14.5,lost
P3,2026-03-02 17:55,Blue,7,delivered
P4,2026-03-05 21:10,Blue,4,lost
`

// TestMarked asks what came before or after an event: its time bounds the rows, and its words are no filter of them.
func TestMarked(t *testing.T) {
	files := map[string]string{"mail.log": mailLog, "parcels.csv": parcels}
	for _, tt := range []struct {
		file, words string
		want        []string
	}{
		{"mail.log", "What's the last error before the gateway became unreachable?", []string{"mail.log:9: `billing: gateway unreachable`", "- mail.log:8"}},
		{"mail.log", "How many errors were there before the mailer reconnected?", []string{"**2 rows**"}},
		{"mail.log", "How many errors came after the mailer reconnected?", []string{"**3 rows**", "first mail.log:6"}},
		{"mail.log", "After the mailer reconnected, how many errors were there per component?", []string{"billing: **3**"}},
		{"mail.log", "How many cards were declined since the mailer reconnected?", []string{"**2 rows**"}},
		{"mail.log", "What happened right before the gateway became unreachable?", []string{"The last 5 of the 8 rows", "- mail.log:4", "- mail.log:8"}},
		{"mail.log", "Errors until the last smtp timeout", []string{"**1 row**", "mail.log:3"}},
		{"mail.log", "How many errors came after the mailer exploded?", []string{"I cannot tell which rows are meant", "`exploded`"}},
		{"mail.log", "How many errors came after a card was declined?", []string{"I cannot tell which rows are meant", "say the first or the last of them"}},
		{"mail.log", "mailer reconnected 之后有几个错误？", []string{"**3** 行"}},
		{"mail.log", "gateway unreachable 之前的最后一个错误是什么？", []string{"- mail.log:8"}},
		{"mail.log", "mailer reconnected 之后发生了什么？", []string{"- mail.log:6", "- mail.log:10"}},
		{"parcels.csv", "Which parcels were sent after the first lost parcel?", []string{"**2 rows**", "parcels.csv:4", "parcels.csv:5"}},
		{"parcels.csv", "How much did we pay in fees before the last lost parcel?", []string{"**28**"}},

		{"mail.log", "How many errors came after 08:05?", []string{"**3 rows**"}},
		{"parcels.csv", "How many parcels were sent after 2 March 2026?", []string{"**1 row**"}},
	} {
		t.Run(strings.ReplaceAll(tt.words, " ", "_"), func(t *testing.T) {
			has(t, newKit(t, map[string]string{tt.file: files[tt.file]}).ask(tt.words), tt.want...)
		})
	}
}

// Bounds of time that are said beside an event hold too.
func TestMarkedOnADay(t *testing.T) {
	const log = `2026-04-01T08:00:00Z INFO mailer: reconnected
2026-04-01T09:00:00Z ERROR billing: card declined for user 1
2026-04-01T10:00:00Z ERROR billing: card declined for user 2
2026-04-02T09:00:00Z ERROR billing: card declined for user 3
2026-04-03T09:00:00Z ERROR billing: card declined for user 4
`
	has(t, newKit(t, map[string]string{"m.log": log}).ask("How many errors were there on 2026-04-02 after the mailer reconnected?"), "**1 row**")
}

// What has the same second as an event, and stands behind it, came after it.
func TestMarkedInTheSameSecond(t *testing.T) {
	const log = `2026-04-02T08:02:10Z INFO mailer: reconnected
2026-04-02T08:02:10Z ERROR billing: card declined for user 77
2026-04-02T08:02:10Z ERROR billing: card declined for user 78
2026-04-02T08:05:33Z ERROR billing: card declined for user 79
`
	has(t, newKit(t, map[string]string{"m.log": log}).ask(`How many errors came before "user 78"?`), "**1 row**")
	has(t, newKit(t, map[string]string{"m.log": log}).ask("How many errors came after the mailer reconnected?"), "**3 rows**")
}

// A month or a last span beside an event is a bound too, and so is the event.
func TestMarkedInAMonth(t *testing.T) {
	const log = `2026-03-30T09:00:00Z ERROR billing: card declined for user 0
2026-04-01T09:00:00Z ERROR billing: card declined for user 1
2026-04-05T10:00:00Z ERROR billing: card declined for user 2
2026-04-10T08:00:00Z INFO mailer: reconnected
2026-04-12T09:00:00Z ERROR billing: card declined for user 3
2026-05-03T09:00:00Z ERROR billing: card declined for user 4
2026-05-03T09:30:00Z ERROR billing: card declined for user 5
`
	for _, tt := range [][2]string{
		{"How many errors in April came after the mailer reconnected?", "**1 row**"},
		{"How many errors in the last hour came after the mailer reconnected?", "**2 rows**"},
		{"4月里 mailer reconnected 之后有几个错误？", "**1** 行"},
	} {
		t.Run(tt[0], func(t *testing.T) { has(t, newKit(t, map[string]string{"m.log": log}).ask(tt[0]), tt[1]) })
	}
}
