package claim

import (
	"strconv"
	"strings"

	"github.com/akitad/akitad"
)

// Item is what a work item says: which activation of its task it serves, and the task's session, so
// that a worker can lend the instance that served the session last.
type Item struct {
	Activation uint64 // sequence of the ready event
	Session    akitad.SessionKey
}

// Body gives the item as it travels: "activation session", or the activation alone.
func (i Item) Body() []byte {
	return []byte(strings.TrimSuffix(strconv.FormatUint(i.Activation, 10)+" "+string(i.Session), " "))
}

// ParseItem reads a body; one that is no item is an error of kind invalid_request.
func ParseItem(body []byte) (Item, error) {
	number, session, _ := strings.Cut(string(body), " ")
	activation, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return Item{}, akitad.Errorf(akitad.InvalidRequest, "work item %q names no activation", body)
	}
	return Item{Activation: activation, Session: akitad.SessionKey(session)}, nil
}
