package feishu

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func drawFrame(t *rapid.T) frame {
	text := rapid.StringN(0, 20, 40)
	f := frame{
		seq: rapid.Uint64().Draw(t, "seq"), log: rapid.Uint64().Draw(t, "log"), service: rapid.Int32().Draw(t, "service"), method: rapid.Int32().Draw(t, "method"),
		encoding: text.Draw(t, "encoding"), kind: text.Draw(t, "kind"), logNew: text.Draw(t, "logNew"),
	}
	for range rapid.IntRange(0, 5).Draw(t, "headers") {
		f.headers = append(f.headers, header{text.Draw(t, "key"), text.Draw(t, "value")})
	}
	if rapid.Bool().Draw(t, "payload?") {
		f.payload = append([]byte{}, rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(t, "payload")...)
	}
	return f
}

// What is written is read back.
func TestFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFrame(t)
		got, err := decodeFrame(f.encode())
		if err != nil || !reflect.DeepEqual(got, f) {
			t.Fatalf("got %+v (%v), want %+v", got, err, f)
		}
	})
}

// The bytes of a ping, as the service's own programs write it.
func TestFrameBytes(t *testing.T) {
	f := frame{service: 33, headers: []header{{"type", "ping"}}}
	want := []byte("\x08\x00\x10\x00\x18\x21\x20\x00\x2a\x0c\x0a\x04type\x12\x04ping")
	if got := f.encode(); !bytes.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzFrame(f *testing.F) {
	ping := frame{service: 33, headers: []header{{"type", "ping"}}, payload: []byte("{}")}
	f.Add(ping.encode())
	f.Add([]byte("\x2a\xff\xff\xff\xff\x0f"))
	f.Add([]byte("\x0b\x0c"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := decodeFrame(b)
		if err != nil {
			return
		}
		again, err := decodeFrame(got.encode())
		if err != nil || !reflect.DeepEqual(normal(got), normal(again)) {
			t.Errorf("%q: %+v became %+v (%v)", b, got, again, err)
		}
	})
}

// normal makes empty and missing payloads alike.
func normal(f frame) frame {
	if len(f.payload) == 0 {
		f.payload = nil
	}
	return f
}

func FuzzEvent(f *testing.F) {
	for _, seed := range []string{
		`{"schema":"2.0","header":{"event_id":"e","event_type":"im.message.receive_v1"},"event":{"sender":{"sender_id":{"open_id":"ou"}},"message":{"message_id":"om","chat_id":"oc","message_type":"post","content":"{\"content\":[[{\"tag\":\"at\",\"user_id\":\"@_user_1\"}]]}","mentions":[{"key":"@_user_1","id":{"open_id":"ou_bot"},"name":"x"}]}}}`,
		`{"header":{"event_type":"card.action.trigger"},"event":{"action":{"value":{"choice":"a"}}}}`,
		`{"uuid":"u","type":"event_callback","event":{"type":"message","open_message_id":"om","open_chat_id":"oc","text":"x"}}`,
		`{"open_id":"o","open_message_id":"om","action":{"value":{}}}`,
		`{"header":{"event_type":"im.message.receive_v1"},"event":{"message":{"message_id":"om","chat_id":"oc","message_type":"interactive","content":"{\"elements\":[[[[]]]]}","mentions":[{"key":""}]}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := decodeEvent(b)
		if err != nil || e.message == nil {
			return
		}
		m := e.message
		for _, kind := range []string{string(m.Type), "text", "post", "interactive", "todo", "system", "file"} {
			r := reader{message: string(m.ID), mentions: m.Mentions}
			named(r.read(kind, []byte(m.Content)), m.Mentions, "ou_bot")
			for _, file := range r.files {
				if file.Name == "" || file.Name == "." || file.Name == ".." || bytes.ContainsAny([]byte(file.Name), "/\\\x00") || len(file.Name) > 140 {
					t.Errorf("a file is called %q", file.Name)
				}
			}
		}
		_ = m.at()
		if _, err := json.Marshal(m); err != nil {
			t.Error(err)
		}
	})
}

// A content that is wrapped thousands of times is read in no time.
func TestDeepContents(t *testing.T) {
	for _, open := range []string{`{"post":`, `{"zh_cn":`, `{"content":[`, `{"elements":[`, `{"summary":`} {
		closing := map[bool]string{true: "]}", false: "}"}[strings.HasSuffix(open, "[")]
		content := []byte(strings.Repeat(open, 9000/len(closing)) + "1" + strings.Repeat(closing, 9000/len(closing)))
		allocs := testing.AllocsPerRun(1, func() {
			for _, kind := range []string{"post", "interactive", "todo", "system"} {
				(&reader{message: "om"}).read(kind, content)
			}
		})
		if allocs > 200_000 {
			t.Errorf("%s: %.0f allocations", open, allocs)
		}
	}
}

func fragment(id string, sum, seq int, payload string) *frame {
	return &frame{payload: []byte(payload), headers: []header{{"message_id", id}, {"sum", strconv.Itoa(sum)}, {"seq", strconv.Itoa(seq)}}}
}

// Fragments are joined in whatever order they come, within five seconds; what makes no sense is dropped.
func TestJoin(t *testing.T) {
	at := time.Unix(1000, 0)
	type step struct {
		after time.Duration
		f     *frame
		want  string // "": not whole
	}
	for name, steps := range map[string][]step{
		"one":                    {{0, fragment("a", 1, 0, "x"), "x"}},
		"no headers":             {{0, &frame{payload: []byte("x")}, "x"}},
		"in order":               {{0, fragment("a", 2, 0, "x"), ""}, {time.Second, fragment("a", 2, 1, "y"), "xy"}},
		"turned around":          {{0, fragment("a", 2, 1, "y"), ""}, {time.Second, fragment("a", 2, 0, "x"), "xy"}},
		"twice":                  {{0, fragment("a", 2, 0, "x"), ""}, {0, fragment("a", 2, 0, "x"), ""}, {0, fragment("a", 2, 1, "y"), "xy"}},
		"two at once":            {{0, fragment("a", 2, 0, "x"), ""}, {0, fragment("b", 2, 0, "1"), ""}, {0, fragment("a", 2, 1, "y"), "xy"}, {0, fragment("b", 2, 1, "2"), "12"}},
		"too late":               {{0, fragment("a", 2, 0, "x"), ""}, {6 * time.Second, fragment("a", 2, 1, "y"), ""}, {0, fragment("a", 2, 0, "x"), "xy"}},
		"another number":         {{0, fragment("a", 2, 0, "x"), ""}, {0, fragment("a", 3, 1, "y"), ""}, {0, fragment("a", 3, 0, "1"), ""}, {0, fragment("a", 3, 2, "3"), "1y3"}},
		"an empty one":           {{0, fragment("a", 2, 0, ""), ""}, {0, fragment("a", 2, 1, "y"), "y"}},
		"beyond the end":         {{0, fragment("a", 2, 2, "x"), ""}, {0, fragment("a", 2, -1, "x"), ""}},
		"without a name":         {{0, fragment("", 2, 0, "x"), ""}, {0, fragment("", 2, 1, "y"), ""}},
		"more than anybody has":  {{0, fragment("a", 1_000_000_000, 0, "x"), ""}},
		"a number that is none":  {{0, &frame{payload: []byte("x"), headers: []header{{"sum", "many"}}}, "x"}},
		"a fragment without seq": {{0, &frame{payload: []byte("x"), headers: []header{{"sum", "2"}, {"message_id", "a"}}}, ""}},
	} {
		j, now := newJoiner(), at
		for i, s := range steps {
			now = now.Add(s.after)
			if got, ok := j.add(now, s.f); string(got) != s.want && ok || ok != (s.want != "") {
				t.Errorf("%s: step %d gave %q (%v), want %q", name, i, got, ok, s.want)
			}
		}
	}
}

// What is held is bounded.
func TestJoinIsBounded(t *testing.T) {
	j, now := newJoiner(), time.Unix(1000, 0)
	big := string(make([]byte, 1<<20))
	for i := range 1000 {
		j.add(now.Add(time.Duration(i)*time.Millisecond), fragment(fmt.Sprint(i), 2, 0, big))
		if len(j.open) > maxJoins || j.size > maxJoined {
			t.Fatalf("after %d: %d events, %d bytes", i, len(j.open), j.size)
		}
	}
	for i := range 1000 {
		j.add(now.Add(2*time.Second), fragment("s"+fmt.Sprint(i), 2, 0, "x"))
	}
	if len(j.open) > maxJoins {
		t.Errorf("%d events are held", len(j.open))
	}
	j.add(now.Add(time.Minute), fragment("last", 2, 0, "x"))
	if len(j.open) != 1 || j.size != 1 {
		t.Errorf("a minute later %d events with %d bytes are held", len(j.open), j.size)
	}
}

func TestSignature(t *testing.T) {
	const raw = `{"encrypt":"MDEyMzQ1Njc4OWFiY2RlZlewAqB0fzEz9CT3hGVD62myRWdy5DgvtAQ6BNv3XCA3SKzIM7cVbUA3l9ibVhMZnqxp9zz4XmWxJRECAqXERrqoIhwserKAzSuuBXXu1lI8"}`
	if got, want := signature("1700000000", "n-1", "akita-test-key", []byte(raw)), "055d87542929440b1a0a4324dc585ef9b5244f4248137642cc9fc9c1c46b0664"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var sealed struct {
		Encrypt string `json:"encrypt"`
	}
	if err := json.Unmarshal([]byte(raw), &sealed); err != nil {
		t.Fatal(err)
	}
	if plain, err := decrypt("akita-test-key", sealed.Encrypt); err != nil || !json.Valid(plain) {
		t.Errorf("decrypted: %q (%v)", plain, err)
	}
}

// The newest are remembered, and no more than that.
func TestMemo(t *testing.T) {
	m := newMemo()
	for i := range 3 * maxOwn {
		m.put(fmt.Sprint(i), i%2 == 0)
		m.put(fmt.Sprint(i), i%2 == 0)
	}
	if len(m.own) != maxOwn {
		t.Errorf("%d are remembered", len(m.own))
	}
	for i, want := range map[int]bool{3*maxOwn - 1: true, 2 * maxOwn: true, 2*maxOwn - 1: false} {
		if _, known := m.get(fmt.Sprint(i)); known != want {
			t.Errorf("%d is known: %v", i, known)
		}
	}
}
