package gemini_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// problem is the body of a refusal as Google writes it; details are JSON objects.
func problem(code, status, message string, details ...string) string {
	return `{"error":{"code":` + code + `,"message":"` + message + `","status":"` + status + `","details":[` + strings.Join(details, ",") + `]}}`
}

const (
	retryIn   = `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"20.5s"}`
	perMinute = `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"x","quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier","quotaValue":"10"}]}`
	perDay    = `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"250"}]}`
	ofNothing = `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateContentInputTokensPerModelPerMinute-FreeTier","quotaValue":"0"}]}`
	badKey    = `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}`
)

func TestRefusals(t *testing.T) {
	const quota = "You exceeded your current quota, please check your plan and billing details."
	for _, tt := range []struct {
		status     int
		body, name string
		want       akitad.Kind
		wait       time.Duration
	}{
		{400, problem("400", "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", badKey), "key", akitad.Auth, 0},
		{400, problem("400", "INVALID_ARGUMENT", "Nothing to say.", badKey), "key by its reason", akitad.Auth, 0},
		{400, problem("400", "INVALID_ARGUMENT", "API key expired. Please renew the API key."), "old key", akitad.Auth, 0},
		{400, problem("400", "FAILED_PRECONDITION", "User location is not supported for the API use."), "country", akitad.Auth, 0},
		{400, problem("400", "FAILED_PRECONDITION", "Gemini API free tier is not available in your country. Please enable billing on your project."), "billing", akitad.Quota, 0},
		{400, problem("400", "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."), "overflow", akitad.ContextOverflow, 0},
		{400, problem("400", "INVALID_ARGUMENT", "Unable to submit request because the input token count is 2000000 but model only supports up to 1048576."), "overflow elsewhere", akitad.ContextOverflow, 0},
		{400, problem("400", "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes."), "bytes", akitad.ContextOverflow, 0},
		{400, problem("400", "INVALID_ARGUMENT", "Please ensure that function call turn comes immediately after a user turn."), "request", akitad.InvalidRequest, 0},
		{400, "[" + problem("400", "INVALID_ARGUMENT", "Invalid value at 'contents'") + "]", "in a list", akitad.InvalidRequest, 0},
		{401, problem("401", "UNAUTHENTICATED", "Request had invalid authentication credentials."), "no key", akitad.Auth, 0},
		{403, problem("403", "PERMISSION_DENIED", "Your API key was reported as leaked. Please use another API key."), "leaked", akitad.Auth, 0},
		{403, problem("403", "PERMISSION_DENIED", "Generative Language API has not been used in project 1 before or it is disabled."), "switched off", akitad.Auth, 0},
		{403, problem("403", "PERMISSION_DENIED", "This API method requires billing to be enabled."), "no billing", akitad.Quota, 0},
		{404, problem("404", "NOT_FOUND", "models/x is not found for API version v1beta, or is not supported for generateContent."), "model", akitad.NotFound, 0},
		{429, problem("429", "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."), "rate", akitad.RateLimited, 0},
		{429, problem("429", "RESOURCE_EXHAUSTED", quota+" Please retry in 20.5s.", perMinute, retryIn), "a minute's", akitad.RateLimited, 20500 * time.Millisecond},
		{429, problem("429", "RESOURCE_EXHAUSTED", quota+" Please retry in 20.5s.", perDay, retryIn), "a day's", akitad.Quota, 20500 * time.Millisecond},
		{429, problem("429", "RESOURCE_EXHAUSTED", quota+" Please retry in 20.5s.", ofNothing, retryIn), "of nothing", akitad.Quota, 20500 * time.Millisecond},
		{429, problem("429", "RESOURCE_EXHAUSTED", quota+`\n* Quota exceeded for metric: x, limit: 0, model: y\nPlease retry in 3s.`), "of nothing, in words", akitad.Quota, 0},
		{429, problem("429", "RESOURCE_EXHAUSTED", quota), "no end in sight", akitad.Quota, 0},
		{429, problem("429", "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted. Please go to AI Studio."), "paid in advance", akitad.Quota, 0},
		{499, problem("499", "CANCELLED", "The operation was cancelled."), "cancelled", akitad.Transport, 0},
		{500, problem("500", "INTERNAL", "An internal error has occurred. Please retry."), "internal", akitad.Overloaded, 0},
		{503, problem("503", "UNAVAILABLE", "The model is overloaded. Please try again later."), "overloaded", akitad.Overloaded, 0},
		{504, problem("504", "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."), "deadline", akitad.Timeout, 0},
		{429, `{"error":{"code":429,"message":"slow down","details":"none"}}`, "details of another form", akitad.RateLimited, 0},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Status(tt.status, tt.body))
		_, err := provider(t, s, gemini.Options{}).Generate(t.Context(), ask("x"))
		if got := akitad.KindOf(err); got != tt.want {
			t.Errorf("%d %s: %s, want %s (%v)", tt.status, tt.name, got, tt.want, err)
		}
		if got := llm.RetryAfter(err); got != tt.wait {
			t.Errorf("%d %s: wait %v, want %v", tt.status, tt.name, got, tt.wait)
		}
		if n := len(s.Seen()); n != 1 {
			t.Errorf("%d %s: %d requests, want 1", tt.status, tt.name, n)
		}
		// The same inside of an answer means the same, but for what the status alone tells.
		s.Next(llmtest.Raw("data: " + strings.Trim(tt.body, "[]") + "\n\n"))
		if _, err := provider(t, s, gemini.Options{}).Generate(t.Context(), ask("x")); akitad.KindOf(err) != tt.want {
			t.Errorf("%s in a 200: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// An error in the middle of a stream may be an event of its own, or stand bare at the stream's end.
func TestErrorsInMidStream(t *testing.T) {
	spent := problem("429", "RESOURCE_EXHAUSTED", "You exceeded your current quota.", perDay)
	broken := "{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n"
	call := events(says(text("I look."), `{"functionCall":{"name":"now"}}`))
	for name, tt := range map[string]struct {
		sent string
		want akitad.Kind
	}{
		"an event":               {call + events(spent), akitad.Quota},
		"bare":                   {call + broken, akitad.Overloaded},
		"bare, CRLF":             {call + strings.ReplaceAll(broken, "\n", "\r\n"), akitad.Overloaded},
		"bare in a list":         {call + "[" + spent + "\n]\n", akitad.Quota},
		"bare, half of it":       {call + broken[:30], akitad.Transport},
		"bare behind the end":    {call + events(stop) + broken, ""},
		"something else is bare": {call + "{\"hello\":\n1}\n", akitad.Transport},
		"bare, then an event":    {broken + call, akitad.Transport},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Raw(": ping\n\n" + tt.sent))
		reply, err := provider(t, s, gemini.Options{}).Generate(t.Context(), ask("x"))
		if got := akitad.KindOf(err); err != nil && got != tt.want || err == nil && tt.want != "" || err != nil && len(reply.Calls) > 0 {
			t.Errorf("%s: %+v, %v; want %s", name, reply, err, tt.want)
		}
	}
}

func TestErrorsHoldNoSecret(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	s.Next(llmtest.Status(400, problem("400", "X "+key, "API key not valid: "+key+strings.Repeat(" and so on", 200))))
	_, err := provider(t, s, gemini.Options{}).Generate(t.Context(), ask("x"))
	if text := err.Error(); strings.Contains(text, key) || !strings.Contains(text, "API key not valid") || len(text) > 800 {
		t.Errorf("got %q", text)
	}
	if e := akitad.FailureOf(err); e.Hint == "" {
		t.Error("the error says nothing about what to do")
	}
}
