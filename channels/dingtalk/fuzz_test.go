package dingtalk

import (
	"strings"
	"testing"
)

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"msgId":"1","msgtype":"text","conversationType":"1","senderStaffId":"a","text":{"content":"x"}}`))
	f.Add([]byte(`{"msgId":"1","msgtype":"file","conversationType":"2","conversationId":"c","senderId":"a","content":"{\"fileName\":\"../..\",\"downloadCode\":\"c\"}"}`))
	f.Add([]byte(`{"msgId":"1","msgtype":"richText","conversationType":"1","senderId":"a","content":{"richText":[{},{"downloadCode":"c"}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := decode(raw)
		if err != nil {
			return
		}
		m, ok := e.message()
		if ok && (m.ID == "" || m.Origin.Chat == "" || m.Origin.Sender == "") {
			t.Errorf("%+v", m)
		}
		for _, file := range m.Files {
			if file.Name == "" || strings.Contains(file.Name, "/") || file.Remote == "" {
				t.Errorf("%+v", file)
			}
		}
	})
}
