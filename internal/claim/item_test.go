package claim_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
)

func TestItem(t *testing.T) {
	for _, tt := range []struct {
		item claim.Item
		body string
	}{
		{claim.Item{Activation: 7}, "7"},
		{claim.Item{Activation: 1 << 60, Session: "s-abc"}, "1152921504606846976 s-abc"},
	} {
		got, err := claim.ParseItem(tt.item.Body())
		if string(tt.item.Body()) != tt.body || got != tt.item || err != nil {
			t.Errorf("%+v travels as %q and comes back as %+v, %v", tt.item, tt.item.Body(), got, err)
		}
	}
	for _, bad := range []string{"", " ", "x", "-1", "s-abc 7"} {
		if _, err := claim.ParseItem([]byte(bad)); akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
