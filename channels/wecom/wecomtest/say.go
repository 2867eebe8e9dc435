package wecomtest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // WeCom's signatures are what they are
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Event is what the service tells of a person; its XML is what is sealed.
type Event struct {
	XMLName  xml.Name `xml:"xml"`
	To       string   `xml:"ToUserName"`
	From     string   `xml:"FromUserName"`
	Created  int64    `xml:"CreateTime"`
	Type     string   `xml:"MsgType"`
	ID       string   `xml:"MsgId,omitempty"`
	Agent    string   `xml:"AgentID"`
	Content  string   `xml:"Content,omitempty"`
	MediaID  string   `xml:"MediaId,omitempty"`
	Title    string   `xml:"Title,omitempty"`
	Size     int      `xml:"FileTotalLen,omitempty"`
	Event    string   `xml:"Event,omitempty"`
	EventKey string   `xml:"EventKey,omitempty"`
	TaskID   string   `xml:"TaskId,omitempty"`
	CardType string   `xml:"CardType,omitempty"`
	Response string   `xml:"ResponseCode,omitempty"`
}

// Say has a person write a text and gives the event by which the application is told.
func (s *Server) Say(from, text string) Event {
	return s.SayEvent(from, Event{Type: "text", Content: text})
}

// SayEvent has a person send anything.
func (s *Server) SayEvent(from string, e Event) Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	s.next++
	e.To, e.From, e.Created, e.Agent, e.ID = s.App.CorpID, from, s.clock, s.App.AgentID, strconv.Itoa(7_000_000+s.next)
	s.chats[from] = append(s.chats[from], &Message{ID: e.ID, From: from, Type: e.Type, Text: e.Content})
	return e
}

// Keep stores a file that a person sends, and gives its media id.
func (s *Server) Keep(name string, data []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := "media-" + s.id()
	s.media[id] = File{Name: name, Bytes: data}
	return id
}

// Press has a person press a button of a card and gives the event; false if there is no such button.
func (s *Server) Press(from, task, label string) (Event, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.chats[from] {
		for _, b := range m.Buttons {
			if m.ID == task && b.Text == label {
				s.clock++
				code := "response-" + s.id()
				s.codes[code] = m
				return Event{
					To: s.App.CorpID, From: from, Created: s.clock, Type: "event", Event: "template_card_event", EventKey: b.Key,
					TaskID: task, CardType: "button_interaction", Response: code, Agent: s.App.AgentID,
				}, true
			}
		}
	}
	return Event{}, false
}

// Call returns the request by which an event is told, signed now.
func (s *Server) Call(e Event) *http.Request { return s.CallAt(e, time.Now()) }

// CallAt is Call with a time of its own.
func (s *Server) CallAt(e Event, at time.Time) *http.Request {
	text, err := xml.Marshal(e)
	if err != nil {
		panic(err)
	}
	return s.CallText(text, at)
}

// CallText tells any text.
func (s *Server) CallText(text []byte, at time.Time) *http.Request {
	sealed := s.Seal(text, s.App.CorpID)
	body := fmt.Sprintf("<xml><ToUserName><![CDATA[%s]]></ToUserName><AgentID><![CDATA[%s]]></AgentID><Encrypt><![CDATA[%s]]></Encrypt></xml>", s.App.CorpID, s.App.AgentID, sealed)
	return httptest.NewRequest(http.MethodPost, "/hooks/wecom?"+s.Query(sealed, at).Encode(), strings.NewReader(body))
}

// Query are the parameters of a call with what is sealed.
func (s *Server) Query(sealed string, at time.Time) url.Values {
	timestamp, nonce := strconv.FormatInt(at.Unix(), 10), rand.Text()
	parts := []string{s.App.Token, timestamp, nonce, sealed}
	sort.Strings(parts)
	sum := sha1.Sum([]byte(strings.Join(parts, ""))) //nolint:gosec // see above
	return url.Values{"msg_signature": {hex.EncodeToString(sum[:])}, "timestamp": {timestamp}, "nonce": {nonce}}
}

// Seal encrypts a text for a company with the application's key.
func (s *Server) Seal(text []byte, corp string) string {
	key, err := base64.StdEncoding.DecodeString(s.App.AESKey + "=")
	if err != nil {
		panic(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	var data bytes.Buffer
	data.WriteString(rand.Text()[:16])
	_ = binary.Write(&data, binary.BigEndian, uint32(len(text)))
	data.Write(text)
	data.WriteString(corp)
	pad := 32 - data.Len()%32
	data.Write(bytes.Repeat([]byte{byte(pad)}, pad))
	out := data.Bytes()
	cipher.NewCBCEncrypter(block, key[:16]).CryptBlocks(out, out)
	return base64.StdEncoding.EncodeToString(out)
}
