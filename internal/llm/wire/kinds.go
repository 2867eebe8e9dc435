package wire

import (
	"strconv"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// kindOf gives the kind of what a server said. The status decides where vendors agree on it; codes
// and words decide where one status stands for several failures, or where there is none.
func kindOf(status int, t told) akitad.Kind {
	if status == 0 {
		status = statusIn(t.code)
	}
	all := strings.ToLower(t.code + " " + t.message)
	switch status {
	case 401:
		return akitad.Auth
	case 402:
		return akitad.Quota
	case 403:
		return either(all, akitad.Auth, wordsQuota, wordsFilter)
	case 404:
		return akitad.NotFound
	case 408, 504, 524:
		return akitad.Timeout
	case 413:
		return either(all, akitad.ContextOverflow, wordsThrottle)
	case 429:
		if t.spent {
			return akitad.Quota
		}
		return either(all, akitad.RateLimited, wordsSpent, wordsSoon, wordsQuota)
	case 500, 501, 505:
		return either(all, akitad.Overloaded, wordsOverflow)
	case 499, 502, 520, 521, 522, 523, 525, 526:
		return akitad.Transport
	case 409, 425, 503, 529:
		return akitad.Overloaded
	}
	if status > 500 {
		return akitad.Overloaded
	}
	return byWords(all, status)
}

// statusIn reads a code that is a status.
func statusIn(code string) int {
	for _, word := range strings.Fields(code) {
		if n, err := strconv.Atoi(word); err == nil && n >= 400 && n < 600 {
			return n
		}
	}
	return 0
}

// words is a kind and what servers say when they mean it.
type words struct {
	kind akitad.Kind
	find *pattern.Pattern
}

var (
	wordsQuota = words{akitad.Quota, pattern.New(
		`insufficient_quota|insufficient balance|exceeded your current quota|billing.(?:hard|not)|check your plan|credit balance|out of credits|requires more credits|payment required|requires billing|enable billing|billing_disabled|billing_error|余额不足|欠费|arrearage`)}
	wordsSpent    = words{akitad.Quota, pattern.New(`limit: 0(?:,|\s|$)|credits are depleted|spending (?:cap|limit)`)}
	wordsSoon     = words{akitad.RateLimited, pattern.New(`retry in \d|try again in \d|retrydelay`)}
	wordsThrottle = words{akitad.RateLimited, pattern.New(
		`rate.?limit|too many requests|throttl|tokens? per (?:min|day|hour|second)|requests? per (?:min|day|hour|second)|\b[tr]p[md]\b|please wait|resource.?exhausted|限流|频率|请求过于频繁`)}
	wordsOverflow = words{akitad.ContextOverflow, pattern.New(
		`context.?length|context.?window|context.?size|context limit|exceed_context|max_model_len|max_seq_len` +
			`|maximum (?:context|prompt|input) length|prompt is too long|prompt too long|input is too long|prompt exceeds` +
			`|(?:input|prompt) token count.{0,40}(?:exceeds|only supports)|payload size exceeds|too many (?:input |prompt )?tokens|exceeded model token limit` +
			`|reduce the length of the (?:messages|prompt|input)|range of input length|too large for model|longest input` +
			"|`inputs` tokens|max_new_tokens` must be|上下文长度|输入长度|超出最大长度|超过.{0,12}长度")}
	wordsFilter = words{akitad.ContentFiltered, pattern.New(
		`content.?filter|content.?policy|responsibleai|moderation|flagged|data_inspection_failed|inappropriate content|safety system|sensitive (?:content|words?|information)|敏感`)}
	wordsAuth = words{akitad.Auth, pattern.New(
		`invalid.?api.?key|api.?key.?(?:not valid|invalid|expired|not found)|user location is not supported|incorrect api key|invalid_authentication|authentication|unauthorized|invalid token|permission_error`)}
	wordsNotFound = words{akitad.NotFound, pattern.New(
		`model_not_found|not_found_error|model.{0,80}(?:does not exist|not found|is not available|not supported on)|no such model|unknown model`)}
	wordsTimeout    = words{akitad.Timeout, pattern.New(`timeout_error|deadline_exceeded`)}
	wordsOverloaded = words{akitad.Overloaded, pattern.New(
		`overloaded|server.?error|internal.?error|service.?unavailable|capacity|try again later|系统繁忙`)}
)

// byWords decides for 400 and 422, and for errors inside of an answer. Throttling comes before
// overflow: "too many tokens per minute" is not a conversation that is too long.
func byWords(all string, status int) akitad.Kind {
	rest := akitad.InvalidRequest
	order := []words{wordsSoon, wordsQuota, wordsThrottle, wordsOverflow, wordsFilter, wordsAuth, wordsNotFound}
	if status == 0 {
		order = append(order, wordsTimeout, wordsOverloaded)
		if !strings.Contains(all, "invalid_request") {
			rest = akitad.Unknown
		}
	}
	return either(all, rest, order...)
}

// either gives the first kind whose words occur, else rest.
func either(all string, rest akitad.Kind, order ...words) akitad.Kind {
	for _, w := range order {
		if w.find.MatchString(all) {
			return w.kind
		}
	}
	return rest
}
