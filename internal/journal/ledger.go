package journal

import (
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// DayBill is the usage of one role of a task at one endpoint on one day of this machine's local time.
type DayBill struct {
	Day string // 2026-11-30
	akitad.Bill
}

// spend adds the model calls of an event to the task's usage and ledger. Events of older versions have no
// bills; for those, endpoint and role are given.
func (t *Task) spend(at time.Time, u akitad.Usage, bills akitad.Bills, endpoint, role string) {
	t.Usage = t.Usage.Add(u)
	if len(bills) == 0 && u != (akitad.Usage{}) {
		bills = akitad.Bills{{Endpoint: endpoint, Role: role, Usage: u}}
	}
	if len(bills) == 0 {
		return
	}
	day := at.Local().Format(time.DateOnly)
	t.Ledger = slices.Clone(t.Ledger)
	for _, b := range bills {
		t.enter(DayBill{day, b})
	}
}

func (t *Task) enter(b DayBill) {
	at := slices.IndexFunc(t.Ledger, func(o DayBill) bool {
		return o.Day == b.Day && o.Endpoint == b.Endpoint && o.Role == b.Role
	})
	if at < 0 {
		t.Ledger = append(t.Ledger, b)
		return
	}
	t.Ledger[at].Usage = t.Ledger[at].Usage.Add(b.Usage)
}

// Bills returns the task's own usage, without its children, summed over all days.
func (t *Task) Bills() akitad.Bills {
	var out akitad.Bills
	for _, b := range t.Ledger {
		out = out.Add(b.Bill)
	}
	return out
}
