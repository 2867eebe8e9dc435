package admin

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/journal/projection"
)

type usageIn struct {
	By     string `query:"by" example:"person,day" doc:"What to group by: day, person, endpoint, role, profile, task, or several of them with commas. One sum of all if empty."`
	Since  string `query:"since" format:"date" doc:"The first day."`
	Until  string `query:"until" format:"date" doc:"The last day."`
	Limit  int    `query:"limit" doc:"How many, at most 1000." default:"100" minimum:"1" maximum:"1000"`
	Cursor string `query:"cursor" doc:"The next of the answer before."`
}

func (s *Server) usage() {
	route(s, huma.Operation{
		OperationID: "sum-usage", Method: http.MethodGet, Path: "/v1/usage", Summary: "What models were used and what that cost, of all tasks that are kept",
	}, s.sumUsage)
}

func (s *Server) sumUsage(ctx context.Context, in *usageIn) (*page[client.Sum], error) {
	if in.Until != "" && in.Since > in.Until {
		return nil, problem(akitad.Errorf(akitad.InvalidRequest, "since %s is after until %s", in.Since, in.Until).WithHint("swap the two days"))
	}
	s.caughtUp(ctx)
	sums, next, err := s.Projection.Usage(ctx, projection.UsageFilter{
		By: words(in.By), Since: in.Since, Until: in.Until, Limit: in.Limit, Cursor: in.Cursor,
	})
	if err != nil {
		return nil, problem(err)
	}
	out := client.Page[client.Sum]{Items: make([]client.Sum, len(sums)), Next: next}
	for i, sum := range sums {
		out.Items[i] = client.Sum(sum)
	}
	return &page[client.Sum]{out}, nil
}

// words splits a list with commas.
func words(list string) []string {
	var out []string
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}
