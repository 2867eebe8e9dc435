package markdown

import (
	"encoding/json"
	"strings"
)

// pile is a Feishu message in the making: items of a JSON array that share one message's room.
type pile struct {
	room  int // bytes on the wire
	items []json.RawMessage
	plain []string
	used  int
	done  func(items json.RawMessage, plain string)
}

// turn ends a message.
func (p *pile) turn() {
	if len(p.items) > 0 {
		p.done(p.array(), strings.Join(p.plain, "\n\n"))
	}
	p.items, p.plain, p.used = nil, nil, 0
}

func (p *pile) array() json.RawMessage {
	b := []byte{'['}
	for i, item := range p.items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item...)
	}
	return append(b, ']')
}

// add puts an item on the message, or on a new one if it has no room there.
func (p *pile) add(item json.RawMessage, plain string) {
	n := wireSize(item) + 1
	if p.used+n > p.room {
		p.turn()
	}
	p.items, p.plain, p.used = append(p.items, item), append(p.plain, plain), p.used+n
}

// pour puts a flow on as many messages as it takes. What is left of a message is used if that is worth
// it. item makes an item of a piece of the flow, or none.
func (p *pile) pour(f *flow, item func(from, to int) json.RawMessage) {
	for from := 0; from < len(f.runes); {
		if p.room-p.used < p.room/4 {
			p.turn()
		}
		to, made := f.fit(from, p.room-p.used-1, wireCost, func(from, to int) string { return string(item(from, to)) },
			func(s string) int { return wireSize([]byte(s)) })
		if made != "" {
			p.add(json.RawMessage(made), strings.Trim(f.plain(from, to), "\n"))
		}
		if from = to; from < len(f.runes) {
			p.turn()
		}
	}
}
