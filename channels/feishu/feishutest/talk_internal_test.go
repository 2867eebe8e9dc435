package feishutest

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// paper is what a terminal shows.
type paper struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

// A file goes with words behind it, and its path may have spaces.
func TestTalkSendsFiles(t *testing.T) {
	s := Start(t, Options{First: 500})
	note := filepath.Join(t.TempDir(), "my note.txt")
	if err := os.WriteFile(note, []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.talk(t.Context(), strings.NewReader(":file \""+note+"\" my list\n:photo \""+note+"\"\n"), io.Discard)
	got := s.Chat(Private(You))
	if len(got) != 3 || got[0].File == nil || got[0].File.Name != "my note.txt" || got[0].File.Kind != "file" || got[1].Text != "my list" || got[2].File == nil || got[2].File.Kind != "image" {
		t.Errorf("in the chat stands %+v", got)
	}
	if id := strings.TrimPrefix(got[0].ID, "om_"); len(id) != 3 || id < "501" {
		t.Errorf("the first message is %s, want ids after 500", got[0].ID)
	}
}

// Who sits at the terminal is whoever they say, where they say, and sees what the bot writes.
func TestTalk(t *testing.T) {
	s := Start(t, Options{})
	out := &paper{}
	in, typed := io.Pipe()
	ended := make(chan struct{})
	go func() { s.talk(t.Context(), in, out); close(ended) }()
	for _, line := range []string{
		"hello", ":as ou_2", "hi there", ":in oc_group omt_1", "go", ":in", ":reply om_1 and more", ":file /nowhere", ":press No", ":press Yes", ":chat", ":nonsense", ":drop",
	} {
		if line == ":press Yes" {
			s.mu.Lock()
			card := `{"schema":"2.0","body":{"elements":[{"tag":"button","text":{"content":"Yes"},"behaviors":[{"type":"callback","value":{}}]},{"tag":"markdown","content":"sure?"}]}}`
			_, bad := s.write(s.chat(Private("ou_2")), nil, outgoing{Type: "interactive", Content: card}, len(card))
			s.mu.Unlock()
			if bad != nil {
				t.Fatal(bad.msg)
			}
		}
		_, _ = io.WriteString(typed, line+"\n")
	}
	_, _ = io.WriteString(typed, ":quit\n")
	<-ended
	if got := s.Chat("oc_group"); len(got) != 1 || got[0].From != "ou_2" || got[0].Thread != "omt_1" || !strings.Contains(got[0].Text, "@_user_1 go") {
		t.Errorf("in the group stands %+v", got)
	}
	if got := s.Chat(Private("ou_2")); len(got) != 3 || got[0].Text != "hi there" || got[1].Parent != "om_1" || got[1].Text != "and more" {
		t.Errorf("in the second person's chat stands %+v", got)
	}
	for _, want := range []string{"FEISHU_BASE_URL=" + s.URL, "no such file", "no such button", "sure?\n  [Yes]", "ou_2: hi there", ":as ou_2"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the terminal does not show %q:\n%s", want, out)
		}
	}
	if n := strings.Count(out.String(), "no such button"); n != 1 {
		t.Errorf("%d buttons were not there, want one", n)
	}
}
