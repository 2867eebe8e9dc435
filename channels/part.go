package channels

import "net/http"

// As gives what a channel can besides, such as Fetcher or Asker: its own, or that of the channel that it
// wraps. A wrapper says what it wraps by a method Unwrap() Channel.
func As[T any](ch Channel) (T, bool) {
	for ch != nil {
		if part, ok := ch.(T); ok {
			return part, true
		}
		wrapper, ok := ch.(interface{ Unwrap() Channel })
		if !ok {
			break
		}
		ch = wrapper.Unwrap()
	}
	var none T
	return none, false
}

// Hooks gives what chat services call over HTTP, by the channel's name.
func (g *Gateway) Hooks() map[string]http.Handler {
	out := map[string]http.Handler{}
	for _, d := range g.desks {
		if h, ok := As[Hooked](d.ch); ok {
			if hook := h.Hook(); hook != nil {
				out[d.ch.Name()] = hook
			}
		}
	}
	return out
}
