package telegram

import "testing"

// The last updates are known, older ones are forgotten, and no more is kept than that.
func TestRecent(t *testing.T) {
	var r recent
	for id := int64(1); id <= 3*remembered; id++ {
		r.add(id)
		r.add(id) // twice counts once
	}
	r.add(0) // none
	for id, want := range map[int64]bool{0: false, 1: false, 2 * remembered: false, 2*remembered + 1: true, 3 * remembered: true} {
		if r.has(id) != want {
			t.Errorf("update %d is known: %v, want %v", id, !want, want)
		}
	}
	if len(r.ids) != remembered {
		t.Errorf("%d are kept, want %d", len(r.ids), remembered)
	}
}
