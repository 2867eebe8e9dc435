package llm_test

import (
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A request must fit whichever endpoint of its role answers it.
func TestLimits(t *testing.T) {
	model := llmtest.New(t)
	router, err := llm.NewRouter([]llm.Endpoint{
		{Name: "large", Provider: model, Window: 200_000, MaxOutput: 8_000},
		{Name: "small", Provider: model, Window: 32_000},
		{Name: "unknown", Provider: model},
		{Name: "offline", Provider: model, Offline: true, Window: 100},
	}, map[llm.Role][]string{llm.RoleMain: {"large", "small", "unknown"}, llm.RolePlanner: {"unknown"}}, llm.RouterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[llm.Role]llm.Limits{
		llm.RoleMain:       {Endpoint: "large", Window: 32_000, MaxOutput: 8_000},
		llm.RoleSummarizer: {Endpoint: "large", Window: 32_000, MaxOutput: 8_000},
		llm.RolePlanner:    {Endpoint: "unknown"},
	} {
		if got := router.Limits(role); got != want {
			t.Errorf("%s: %+v, want %+v", role, got, want)
		}
	}
}
