package app

import "testing"

// Each value is what was allocated up to the next look, in MB.
func TestMemoryIsGivenBackOnceAfterWork(t *testing.T) {
	for _, tt := range []struct {
		name string
		grew []uint64
		want []bool
	}{
		{"a start", []uint64{30, 1, 1, 1, 1}, []bool{false, false, false, false, false}},
		{"work, then rest", []uint64{30, 200, 150, 1, 1, 1, 1}, []bool{false, false, false, false, false, true, false}},
		{"work without rest", []uint64{60, 60, 1, 1, 60, 1}, []bool{false, false, false, false, false, false}},
		{"work again", []uint64{100, 1, 1, 1, 100, 1, 1, 1}, []bool{false, false, false, true, false, false, false, true}},
		{"little by little", []uint64{45, 1, 1, 1, 1, 1}, []bool{false, false, false, false, true, false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r rest
			var all uint64
			for i, grew := range tt.grew {
				all += grew << 20
				if got := r.due(all); got != tt.want[i] {
					t.Errorf("look %d: due = %v, want %v", i, got, tt.want[i])
				}
			}
		})
	}
}
