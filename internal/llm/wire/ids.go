package wire

import (
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// IDs gives the calls of one reply ids of their own: no two calls of a conversation share one.
type IDs struct {
	req   llm.Request
	used  map[string]bool
	calls int
}

// NewIDs makes the ids for the reply to the request; those of its conversation are taken.
func NewIDs(req llm.Request) *IDs {
	ids := &IDs{req: req, used: map[string]bool{}}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			ids.used[c.ID] = true
		}
	}
	return ids
}

// Own gives the id of the reply's next call: the one that the server gave, or, if it is empty or taken,
// one derived from the call's place, so that the same reply to the same request always gets the same.
func (ids *IDs) Own(given string) string {
	id := given
	for n := 0; id == "" || ids.used[id]; n++ {
		id = placeID(ids.req, ids.calls, n)
	}
	ids.used[id] = true
	ids.calls++
	return id
}

// placeID has the form that the strictest server asks for (Mistral): nine letters and digits.
func placeID(req llm.Request, call, n int) string {
	place := []string{string(req.Task), string(req.Role)}
	for _, k := range []int{len(req.Messages), call, n} {
		place = append(place, string(Marshal(k)))
	}
	return akitad.Digest(slices.Concat([]string{"call"}, place)...)[:9]
}
