package question_test

import (
	"testing"

	"github.com/akitad/akitad/internal/llm/offline/question"
)

// TestSlip tells slips of the fingers from other words.
func TestSlip(t *testing.T) {
	for typed, meant := range map[string]string{"averge": "average", "weigth": "weight", "budgett": "budget", "departmant": "department", "hieght": "height"} {
		if !question.Slip(typed, meant) {
			t.Errorf("%s is a slip of %s", typed, meant)
		}
	}
	for typed, meant := range map[string]string{"height": "weight", "stage": "state", "orders": "order", "cost": "coast", "total": "total", "brand": "grand", "prize": "price"} {
		if question.Slip(typed, meant) {
			t.Errorf("%s is no slip of %s", typed, meant)
		}
	}
}

// TestSlips asks in words with slips in them, and in words that only look like slips.
func TestSlips(t *testing.T) {
	q := question.Parse("waht is teh averge price", nil).Questions[0]
	if q.Fn != "avg" || q.Intent != question.Aggregate {
		t.Errorf("read as %s %q", q.Intent, q.Fn)
	}
	if q = question.Parse("list the three biggest prices", nil).Questions[0]; q.N != 3 || !q.Desc {
		t.Errorf("three is read as %d", q.N)
	}
}
