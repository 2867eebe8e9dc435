package llm_test

import (
	"context"
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

// costly fails, and its server tells what that used.
type costly struct{ kind akitad.Kind }

func (c costly) Generate(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: "not an answer", Usage: akitad.Usage{Input: 100, Cached: 40, Output: 10, Calls: 1}}, akitad.Errorf(c.kind, "no")
}

// What a failed call used is on the bill of the endpoint that failed, at its price, and told apart from what
// the answer used, by which sizes are learnt.
func TestFailedCallsAreBilled(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b := endpoint("a", costly{akitad.Overloaded}), endpoint("b", kinds(""))
		a.Price = llm.Price{Input: 1_000_000}
		lost := akitad.Usage{Input: 300, Cached: 120, Output: 30, Calls: 3, Cost: 300}
		reply, err := router(t, llm.RouterOptions{}, a, b).Generate(t.Context(), main)
		want := akitad.Bills{{Endpoint: "a", Role: "main", Usage: lost}, {Endpoint: "b", Role: "main", Usage: akitad.Usage{Input: 1000, Cached: 400, Output: 100, Calls: 1}}}
		if err != nil || !reflect.DeepEqual(reply.Bills, want) || reply.Bills.Total() != reply.Usage || reply.Lost != lost {
			t.Errorf("%+v, want %+v; usage %+v, lost %+v, %v", reply.Bills, want, reply.Usage, reply.Lost, err)
		}
		_, err = router(t, llm.RouterOptions{}, a).Generate(t.Context(), main)
		if got := llm.Billed(err); !reflect.DeepEqual(got, want[:1]) {
			t.Errorf("all failed: %+v, want %+v (%v)", got, want[:1], err)
		}
	})
}
