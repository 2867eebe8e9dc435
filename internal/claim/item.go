package claim

import (
	"strconv"
	"strings"

	"github.com/akitad/akitad"
)

// Item is the content of a work item: the activation of its task that it is for, and the task's session,
// so that a worker can choose the instance that served the session last.
type Item struct {
	Activation uint64 // sequence of the ready event
	Session    akitad.SessionKey
}

// Body returns the item's wire form: "activation session", or the activation alone.
func (i Item) Body() []byte {
	return []byte(strings.TrimSuffix(strconv.FormatUint(i.Activation, 10)+" "+string(i.Session), " "))
}

// ParseItem parses the wire form. The error is of kind invalid_request.
func ParseItem(body []byte) (Item, error) {
	number, session, _ := strings.Cut(string(body), " ")
	activation, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return Item{}, akitad.Errorf(akitad.InvalidRequest, "work item %q names no activation", body)
	}
	return Item{Activation: activation, Session: akitad.SessionKey(session)}, nil
}
