package llm_test

import (
	"reflect"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Every try is on the bill of the endpoint that was asked, the tokens on that of the one that answered;
// the sum is the usage of the reply.
func TestReplyBillsAndTallies(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := endpoint("b", kinds(akitad.Overloaded, ""))
		b.Price = llm.Price{Input: 10, Cached: 1, Output: 20}
		r := router(t, llm.RouterOptions{}, endpoint("a", kinds(akitad.Timeout)), b)
		reply, err := r.Generate(t.Context(), llm.Request{Role: llm.RolePlanner})
		if err != nil {
			t.Fatal(err)
		}
		used := akitad.Usage{Input: 1000, Cached: 400, Output: 100, Calls: 2, Cost: reply.Usage.Cost}
		want := akitad.Bills{{Endpoint: "a", Role: "planner", Usage: akitad.Usage{Calls: 3}}, {Endpoint: "b", Role: "planner", Usage: used}}
		if !reflect.DeepEqual(reply.Bills, want) || reply.Bills.Total() != reply.Usage || used.Cost <= 0 {
			t.Errorf("%+v, want %+v; usage %+v", reply.Bills, want, reply.Usage)
		}
		all, err := r.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := all[0].Tally; got != (llm.Tally{Failed: 3, Usage: akitad.Usage{Calls: 3}}) {
			t.Errorf("a: %+v", got)
		}
		if got := all[1].Tally; got != (llm.Tally{Failed: 1, Usage: used}) {
			t.Errorf("b: %+v, want %+v", got, used)
		}
	})
}
