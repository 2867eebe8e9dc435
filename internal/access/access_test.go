package access_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// from is a message of sender in a private chat.
func from(sender string) akitad.Message {
	return akitad.Message{ID: "m-" + sender, Origin: akitad.Origin{Channel: "x", Chat: sender, Sender: sender, Name: "Name of " + sender}}
}

// in is a message of sender in a group, to the bot.
func in(group, sender string) akitad.Message {
	m := from(sender)
	m.Origin.Chat, m.Origin.Group, m.Addressed = group, true, true
	return m
}

func with(m akitad.Message, change func(*akitad.Message)) akitad.Message {
	change(&m)
	return m
}

// What is for an owner alone goes to their private chat, never to a group they wrote in, and to no owner who is shut out.
func TestWhereOwnersAreWrittenTo(t *testing.T) {
	d := access.New(bustest.New(t), "x", access.Options{Owners: []string{"7", "8"}, Groups: []string{"g"}})
	judge(t, d, in("g", "7"))
	if chats, err := d.OwnerChats(t.Context()); err != nil || len(chats) != 2 || chats["7"] != "" {
		t.Errorf("after a word in a group: %v, %v", chats, err)
	}
	judge(t, d, from("7"))
	judge(t, d, in("g", "7"))
	ok(t, d.Deny(t.Context(), "8", "x:7"))
	if chats, err := d.OwnerChats(t.Context()); err != nil || len(chats) != 1 || chats["7"] != "7" {
		t.Errorf("after a private word: %v, %v", chats, err)
	}
}

// An owner who is named by a further id of theirs can be written to all the same.
func TestOwnerByAFurtherID(t *testing.T) {
	d := access.New(bustest.New(t), "x", access.Options{Owners: []string{"on_1"}})
	m := from("ou_1")
	m.Aliases, m.Origin.Chat = []string{"u", "on_1"}, "oc_9"
	if v := judge(t, d, m); !v.Owner {
		t.Errorf("%+v", v)
	}
	if chats, err := d.OwnerChats(t.Context()); err != nil || len(chats) != 1 || chats["on_1"] != "oc_9" {
		t.Errorf("%v, %v", chats, err)
	}
}

// clock is a time that the test sets.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func judge(t *testing.T, d *access.Door, m akitad.Message) access.Verdict {
	t.Helper()
	v, err := d.Judge(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhoMayTalk(t *testing.T) {
	b := bustest.New(t)
	closed := access.Options{Allow: []string{"7", " 8 ", ""}, Owners: []string{"5"}, Groups: []string{"g"}}
	open := access.Options{Allow: []string{"9", "*"}, Owners: []string{"5", "*"}, Groups: []string{"*"}}
	plain := func(m *akitad.Message) { m.Addressed = false }
	for i, tt := range []struct {
		name    string
		opts    access.Options
		m       akitad.Message
		why     access.Why
		allowed bool
		owner   bool
	}{
		{"the first of the list", closed, from("7"), access.Listed, true, true},
		{"another of the list", closed, from("8"), access.Listed, true, false},
		{"an owner who is not of the list", closed, from("5"), access.Listed, true, true},
		{"a stranger", closed, from("6"), access.Stranger, false, false},
		{"a name that is like an id", closed, with(from("6"), func(m *akitad.Message) { m.Origin.Name = "7" }), access.Stranger, false, false},
		{"another id of an allowed person", closed, with(from("6"), func(m *akitad.Message) { m.Aliases = []string{"", "7"} }), access.Listed, true, true},
		{"a star for an id", closed, from("*"), access.Nobody, false, false},
		{"nobody", closed, from(""), access.Nobody, false, false},
		{"nobody where anyone may", open, from(""), access.Nobody, false, false},
		{"anyone", open, from("6"), access.Listed, true, false},
		{"the first where anyone may", open, from("9"), access.Listed, true, false},
		{"an owner where anyone may", open, from("5"), access.Listed, true, true},
		{"an allowed group", closed, in("g", "7"), access.Listed, true, true},
		{"a stranger in an allowed group", closed, in("g", "6"), access.Stranger, false, false},
		{"another group", closed, in("h", "7"), access.OtherGroup, false, false},
		{"the group itself writes", closed, in("g", "g"), access.Stranger, false, false},
		{"any group", open, in("h", "6"), access.Listed, true, false},
		{"not to the bot", closed, with(in("g", "7"), plain), access.NotToUs, false, false},
		{"a stranger, not to the bot", closed, with(in("g", "6"), plain), access.Stranger, false, false},
		{"a press", closed, with(in("g", "7"), func(m *akitad.Message) { plain(m); m.Press = &akitad.Press{} }), access.Listed, true, true},
		{"a part of an album", closed, with(in("g", "8"), func(m *akitad.Message) { plain(m); m.Album = "a" }), access.Listed, true, false},
		{"the zero options", access.Options{}, from("7"), access.Stranger, false, false},
		{"the zero options in a group", access.Options{}, in("g", "7"), access.OtherGroup, false, false},
	} {
		v := judge(t, access.New(b, fmt.Sprint("c", i), tt.opts), tt.m)
		if v.Why != tt.why || v.Allowed != tt.allowed || v.Owner != tt.owner || v.Code != "" || v.Chat != tt.m.Origin.Chat {
			t.Errorf("%s: %+v, want %s, allowed %v, owner %v", tt.name, v, tt.why, tt.allowed, tt.owner)
		}
	}
}

var codeForm = regexp.MustCompile(`^[A-HJ-NP-Z2-9]{8}$`)

func TestPairing(t *testing.T) {
	b, c := bustest.New(t), newClock()
	opts := access.Options{Allow: []string{"7"}, Groups: []string{"g"}, Pairing: true, Now: c.Now}
	d := access.New(b, "x", opts)
	first := judge(t, d, from("6"))
	if first.Allowed || !codeForm.MatchString(first.Code) {
		t.Fatalf("a stranger: %+v", first)
	}
	if again := judge(t, d, from("6")); again.Code != first.Code {
		t.Errorf("the same message again: %q, want %q", again.Code, first.Code)
	}
	next := with(from("6"), func(m *akitad.Message) { m.ID = "another" })
	if v := judge(t, d, next); v.Code != "" {
		t.Errorf("another message within the hour got %q", v.Code)
	}
	if v := judge(t, d, in("g", "5")); v.Code != "" {
		t.Errorf("a stranger in a group got %q", v.Code)
	}
	if v := judge(t, d, with(from("4"), func(m *akitad.Message) { m.Press = &akitad.Press{} })); v.Code != "" {
		t.Errorf("a stranger who pressed a button got %q", v.Code)
	}
	typed := " " + strings.ToLower(first.Code[:4]) + "-" + first.Code[4:] + "\n"
	p, err := access.New(b, "x", opts).Pair(t.Context(), typed, "cli")
	if err != nil || p.ID != "6" || p.Name != "Name of 6" || p.By != "cli" || !p.At.Equal(c.Now()) {
		t.Fatalf("Pair = %+v, %v", p, err)
	}
	if v := judge(t, d, next); !v.Allowed || v.Owner || v.Why != access.Paired {
		t.Errorf("after pairing: %+v", v)
	}
	if v := judge(t, d, in("g", "6")); !v.Allowed {
		t.Errorf("after pairing, in a group: %+v", v)
	}
	if _, err := d.Pair(t.Context(), first.Code, "cli"); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("the code again: %v", err)
	}
}

func TestCodesEndAndAreFew(t *testing.T) {
	c := newClock()
	d := access.New(bustest.New(t), "x", access.Options{Allow: []string{"7"}, Pairing: true, Now: c.Now})
	seen := map[string]bool{}
	for _, who := range []string{"1", "2", "3"} {
		seen[judge(t, d, from(who)).Code] = true
	}
	if len(seen) != 3 || seen[""] {
		t.Fatalf("three strangers got %v", seen)
	}
	if v := judge(t, d, from("4")); v.Code != "" {
		t.Errorf("a fourth stranger got %q", v.Code)
	}
	c.pass(time.Hour)
	if l, err := d.List(t.Context()); err != nil || len(l.Waiting) != 0 {
		t.Errorf("who had a code an hour ago waits still: %+v, %v", l.Waiting, err)
	}
	for old := range seen {
		if _, err := d.Pair(t.Context(), old, "cli"); akitad.KindOf(err) != akitad.Expired {
			t.Errorf("an old code: %v", err)
		}
	}
	if v := judge(t, d, from("4")); v.Code == "" || seen[v.Code] {
		t.Errorf("after the hour: %+v", v)
	}
	c.pass(23 * time.Hour)
	for old := range seen {
		if _, err := d.Pair(t.Context(), old, "cli"); akitad.KindOf(err) != akitad.NotFound {
			t.Errorf("a code of yesterday, which nobody remembers: %v", err)
		}
	}
	c.pass(-23 * time.Hour)
	if _, err := d.Pair(t.Context(), "", "cli"); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("no code: %v", err)
	}
	if l, err := d.List(t.Context()); err != nil || len(l.Waiting) != 1 || l.Waiting[0].ID != "4" || !l.Waiting[0].Until.Equal(c.Now().Add(time.Hour)) {
		t.Errorf("List = %+v, %v", l, err)
	}
}

// Three strangers do not shut out all others for an hour: from ten minutes on, the oldest code makes place for
// somebody new. Whoever lost theirs is not prompted again within the hour.
func TestTheOldestCodeMakesPlace(t *testing.T) {
	c := newClock()
	d := access.New(bustest.New(t), "x", access.Options{Allow: []string{"7"}, Pairing: true, Now: c.Now})
	codes := map[string]string{}
	for _, who := range []string{"1", "2", "3"} {
		codes[who] = judge(t, d, from(who)).Code
		c.pass(time.Second)
	}
	c.pass(10*time.Minute - 4*time.Second)
	if v := judge(t, d, from("4")); v.Code != "" {
		t.Errorf("a fourth stranger got %q while all codes were young", v.Code)
	}
	c.pass(time.Second)
	first := judge(t, d, from("4")).Code
	if first == "" || judge(t, d, from("4")).Code != first {
		t.Errorf("a fourth stranger got %q", first)
	}
	if v := judge(t, d, from("5")); v.Code != "" {
		t.Errorf("a fifth one got %q, and the next oldest code is not ten minutes old", v.Code)
	}
	if _, err := d.Pair(t.Context(), codes["1"], "cli"); akitad.KindOf(err) != akitad.Expired {
		t.Errorf("the code that made place: %v", err)
	}
	c.pass(30 * time.Minute)
	for _, m := range []akitad.Message{from("1"), with(from("1"), func(m *akitad.Message) { m.ID = "another" })} {
		if v := judge(t, d, m); v.Code != "" {
			t.Errorf("the first stranger was prompted twice within an hour: %q", v.Code)
		}
	}
	c.pass(20 * time.Minute)
	if v := judge(t, d, from("1")); v.Code == "" {
		t.Error("the first stranger is not prompted after an hour")
	}
	if _, err := d.Pair(t.Context(), first, "cli"); err != nil {
		t.Errorf("the fourth stranger's code: %v", err)
	}
	if l, err := d.List(t.Context()); err != nil || len(l.Waiting) > 3 {
		t.Errorf("List = %+v, %v", l, err)
	}
}

// Whoever was given a code and is let in, by the code or by the id, can be told; nobody else.
func TestWhoIsLetInCanBeTold(t *testing.T) {
	d := access.New(bustest.New(t), "x", access.Options{Allow: []string{"7"}, Pairing: true})
	chinese := with(from("6"), func(m *akitad.Message) { m.Origin.Lang, m.Origin.Chat = "zh", "private-6" })
	_, err := d.Pair(t.Context(), judge(t, d, chinese).Code, "cli")
	ok(t, err)
	judge(t, d, from("8"))
	ok(t, d.Allow(t.Context(), "8", "cli"))
	ok(t, d.Allow(t.Context(), "9", "cli"))
	ok(t, d.Allow(t.Context(), "8", "cli"))
	for _, want := range []akitad.Origin{
		{Channel: "x", Chat: "private-6", Sender: "6", Name: "Name of 6", Lang: "zh"}, {Channel: "x", Chat: "8", Sender: "8", Name: "Name of 8"},
	} {
		if got := <-d.LetIn(); got.Chat != want.Chat || got.Sender != want.Sender || got.Lang != want.Lang || got.Channel != "x" || got.Name != want.Name {
			t.Errorf("told %+v, want %+v", got, want)
		}
	}
	select {
	case got := <-d.LetIn():
		t.Errorf("told %+v too", got)
	default:
	}
}

// Deny is stronger than every list, and Allow takes it back.
func TestAllowAndDeny(t *testing.T) {
	b := bustest.New(t)
	opts := access.Options{Allow: []string{"7", "8"}, Pairing: true}
	d := access.New(b, "x", opts)
	code := judge(t, d, from("6")).Code
	ok(t, d.Deny(t.Context(), "8", "x:7"))
	ok(t, d.Deny(t.Context(), " 6 ", "x:7"))
	ok(t, d.Deny(t.Context(), "6", "x:7"))
	ok(t, d.Allow(t.Context(), "5", "cli"))
	d = access.New(b, "x", opts) // as after a restart
	for who, want := range map[string]access.Why{"7": access.Listed, "8": access.Denied, "6": access.Denied, "5": access.Paired} {
		if v := judge(t, d, from(who)); v.Why != want || v.Code != "" {
			t.Errorf("%s: %+v, want %s", who, v, want)
		}
	}
	if v := judge(t, d, with(from("7"), func(m *akitad.Message) { m.Aliases = []string{"8"} })); v.Allowed {
		t.Errorf("another id of who is shut out: %+v", v)
	}
	if _, err := d.Pair(t.Context(), code, "cli"); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("the code of who was shut out: %v", err)
	}
	ok(t, d.Allow(t.Context(), "8", "cli"))
	if v := judge(t, d, from("8")); v.Why != access.Listed {
		t.Errorf("taken back: %+v", v)
	}
	l, err := d.List(t.Context())
	if err != nil || len(l.People) != 2 || len(l.Denied) != 1 || l.Denied[0].By != "x:7" || fmt.Sprint(l.Allow, l.Owners) != "[7 8] [7]" {
		t.Errorf("List = %+v, %v", l, err)
	}
	ok(t, d.Deny(t.Context(), "5", "cli"))
	if l, err := d.List(t.Context()); err != nil || len(l.People) != 1 || len(l.Denied) != 2 {
		t.Errorf("who was let in and is shut out stands in both lists: %+v, %v", l, err)
	}
	for _, bad := range []string{"", " ", "*", "a b", strings.Repeat("x", 200), "a\nb"} {
		if err := d.Allow(t.Context(), bad, "cli"); akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("Allow(%q) = %v", bad, err)
		}
	}
}

// What is allowed in one channel is not in another.
func TestChannelsAreApart(t *testing.T) {
	b := bustest.New(t)
	opts := access.Options{Allow: []string{"7"}}
	ok(t, access.New(b, "x", opts).Allow(t.Context(), "6", "cli"))
	if v := judge(t, access.New(b, "y", opts), from("6")); v.Allowed {
		t.Errorf("%+v", v)
	}
}

func TestGroupThatMoves(t *testing.T) {
	b := bustest.New(t)
	opts := access.Options{Allow: []string{"7"}, Groups: []string{"old"}}
	d := access.New(b, "x", opts)
	for range 2 {
		ok(t, d.Moved(t.Context(), "old", "new"))
		ok(t, d.Moved(t.Context(), "new", "newer"))
	}
	ok(t, d.Moved(t.Context(), "newer", "old")) // a circle is none
	ok(t, d.Moved(t.Context(), "strange", "stranger"))
	d = access.New(b, "x", opts)
	for group, want := range map[string]bool{"old": true, "new": true, "newer": true, "strange": false, "stranger": false} {
		v := judge(t, d, in(group, "7"))
		if v.Allowed != want || want && v.Chat != "old" || !want && v.Chat != group {
			t.Errorf("%s: %+v, want allowed %v and the chat old", group, v, want)
		}
	}
}

// Changes at the same time all count.
func TestChangesAtTheSameTime(t *testing.T) {
	b := bustest.New(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if err := access.New(b, "x", access.Options{}).Allow(t.Context(), fmt.Sprint("p", i), "cli"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if l, err := access.New(b, "x", access.Options{}).List(t.Context()); err != nil || len(l.People) != 8 {
		t.Errorf("List = %+v, %v", l, err)
	}
}

// A bus that is away is an error, never a yes.
func TestWithoutABusNobodyIsLetIn(t *testing.T) {
	b, err := bus.Open(t.Context(), bus.Options{Dir: t.TempDir()})
	ok(t, err)
	d := access.New(b, "x", access.Options{Allow: []string{"*"}})
	ok(t, b.Close(t.Context()))
	if v, err := d.Judge(t.Context(), from("7")); err == nil || v.Allowed {
		t.Errorf("Judge = %+v, %v", v, err)
	}
}

// Nobody shuts out the only owner, a name stays on record, and what is no id of the service is refused.
func TestWhatDenyAndAllowKeep(t *testing.T) {
	b := bustest.New(t)
	d := access.New(b, "x", access.Options{Allow: []string{"7"}, Owners: []string{"6"}, Pairing: true, Person: func(id string) error {
		if id == "@ann" {
			return akitad.Errorf(akitad.InvalidRequest, "no id")
		}
		return nil
	}})
	if err := d.Allow(t.Context(), "@ann", "cli"); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("Allow of what is no id: %v", err)
	}
	ok(t, d.Deny(t.Context(), "6", "cli"))
	if err := d.Deny(t.Context(), "7", "cli"); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("Deny of the only owner: %v", err)
	}
	v, err := d.Judge(t.Context(), akitad.Message{ID: "m", Origin: akitad.Origin{Sender: "9", Chat: "9", Name: "Ann"}})
	ok(t, err)
	_, err = d.Pair(t.Context(), v.Code, "cli")
	ok(t, err)
	for range 2 {
		ok(t, d.Deny(t.Context(), "9", "cli"))
		ok(t, d.Allow(t.Context(), "9", "cli"))
	}
	l, err := d.List(t.Context())
	ok(t, err)
	if len(l.People) != 1 || l.People[0].Name != "Ann" {
		t.Errorf("on record: %+v", l.People)
	}
}
