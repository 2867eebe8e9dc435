package wecom

import (
	"strings"
	"testing"
)

var fuzzApp = App{CorpID: "ww1", AgentID: "1", Secret: "s", AESKey: strings.Repeat("a", 43), Token: "t"}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`<xml><FromUserName>a</FromUserName><MsgType>text</MsgType><MsgId>1</MsgId><Content>x</Content></xml>`))
	f.Add([]byte(`<xml><FromUserName>a</FromUserName><MsgType>file</MsgType><MsgId>1</MsgId><Title>../..</Title></xml>`))
	f.Add([]byte(`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><xml><FromUserName>&e;</FromUserName></xml>`))
	w, err := New(fuzzApp, Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, ok := w.decode(raw)
		if ok && (m.ID == "" || m.Origin.Chat == "" || m.Origin.Sender == "") {
			t.Errorf("%+v", m)
		}
		for _, file := range m.Files {
			if file.Name == "" || strings.Contains(file.Name, "/") || file.Size < 0 {
				t.Errorf("%+v", file)
			}
		}
	})
}

func FuzzOpen(f *testing.F) {
	f.Add("")
	f.Add(strings.Repeat("A", 64))
	c, err := newCrypt(fuzzApp)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, sealed string) {
		if text, err := c.open(sealed); err == nil && len(text) > len(sealed) {
			t.Errorf("%d bytes out of %d", len(text), len(sealed))
		}
	})
}
