package wecom

import (
	"encoding/xml"
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

// What the elements say is what encoding/xml reads into a struct.
func FuzzElements(f *testing.F) {
	for _, text := range []string{
		`<xml><Content>a</Content></xml>`, `<xml><Content><![CDATA[1 < 2]]> &amp; b<!-- c --></Content><Other/></xml>`,
		`<?xml version="1.0"?> <a xmlns="x"><Content>a<b>no</b>c</Content> <Content>last</Content></a> more <`,
		`<xml><In><Content>no</Content></In></xml>`, `<xml><Content>&nbsp;</Content></xml>`, `<xml><Content>a</xml>`, ``, `a`,
		`<xml><Content>a</Content><Content/></xml>`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want struct{ Content string }
		werr := xml.Unmarshal([]byte(text), &want)
		got, err := elements([]byte(text))
		if (err == nil) != (werr == nil) || (err == nil && got["Content"] != want.Content) {
			t.Errorf("%q: %q, %v; want %q, %v", text, got["Content"], err, want.Content, werr)
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
