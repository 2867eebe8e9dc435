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
	if inner := statusIn(t.code); status == 500 && inner > 0 && inner < 500 { // of a proxy that passes on another's
		status = inner
	}
	all := quotedOutput.ReplaceAllString(strings.ToLower(coded(t.code)+t.message), "")
	switch status {
	case 401:
		return either(all, akitad.Auth, wordsQuota, wordsOverflow)
	case 402:
		return akitad.Quota
	case 403:
		return either(all, akitad.Auth, wordsQuota, wordsSpent, wordsThrottle, wordsFilter, wordsNoModel)
	case 404, 410:
		return akitad.NotFound
	case 408, 504, 524:
		return akitad.Timeout
	case 413:
		return either(all, akitad.ContextOverflow, wordsThrottle)
	case 429:
		if t.spent {
			return akitad.Quota
		}
		if t.soon {
			return either(all, akitad.RateLimited, wordsSpent)
		}
		return either(all, akitad.RateLimited, wordsSpent, wordsSoon, wordsQuota, wordsBusy)
	case 500, 501, 505:
		return either(all, akitad.Overloaded, wordsOverflow, wordsNoPath)
	case 499, 502, 520, 521, 522, 523, 525, 526:
		return akitad.Transport
	case 503:
		return either(all, akitad.Overloaded, wordsNoModel)
	case 409, 424, 425, 529:
		return akitad.Overloaded
	case 446, 451: // the first is of a gateway whose own rules refuse what is said
		return akitad.ContentFiltered
	}
	if status > 500 {
		return akitad.Overloaded
	}
	return byWords(all, status)
}

// quotedOutput is where a server quotes what the model wrote, which says nothing of what failed.
var quotedOutput = pattern.New(`(?s)failed to parse input at pos \d+:.*`)

// coded marks codes, so that words can tell them from numbers in a message.
func coded(codes string) string {
	var b strings.Builder
	for _, c := range strings.Fields(codes) {
		b.WriteString("code=" + c + " ")
	}
	return b.String()
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
		`insufficient_quota|insufficient (?:account )?balance|balance is (?:insufficient|too low)|exceeded your current quota|exceeded_current_quota` +
			`|billing.(?:hard|not)|check your plan|credit balance|insufficient credits|requires more credits|included credits|available credits` +
			`|payment required|requires billing|enable billing|billing_disabled|billing_error|余额不足|额度不足|额度已|欠费|arrear|overdue|unpaid|code=1(?:113|309) |setlimitexceeded|code=base_resp:(?:1008|2056)` +
			`|quota_?exceeded|insufficient_user_quota|quota.{0,20}(?:exhausted|used up)|exhausted its (?:free )?quota|free.?tier.{0,40}(?:only|exhausted)|usage.limit.{0,12}(?:for th|reached)|usage limits|(?:subscription|weekly|monthly) (?:usage |token )?(?:quota|limit|allowance)\b.{0,20}(?:exceeded|reached|exhausted)|regain access|使用上限|free-models-per-day|budget.?(?:limit |has been )?exceeded|extra usage|out of (?:usage|credits)|does(?:n't| not) have (?:any |enough )?credits|credit.{0,20}(?:exhausted|used up)|exceededbudget|over budget|key limit exceeded|daily request limit` +
			`|(?:reach|exceed|exhaust|us)(?:ed|ing)?\b[^.,;:]{0,30}\b(?:daily|weekly|monthly|premium|subscription)\b[^.,;:]{0,20}\b(?:limit|quota|allowance|allocation)\b|\d (?:api )?(?:calls|requests|tokens) ?(?:/|per) ?month`)}
	wordsSpent    = words{akitad.Quota, pattern.New(`limit: 0(?:,|\s|$)|credits are depleted|spending (?:cap|limit)`)}
	wordsSoon     = words{akitad.RateLimited, pattern.New(`retry in \d|try again in \d|retrydelay`)}
	wordsBusy     = words{akitad.Overloaded, pattern.New(`engine_overloaded|currently overloaded|is overloaded|overloaded_error|code=336100 |loading model|model (?:is |was )?(?:unloaded|still loading)`)}
	wordsThrottle = words{akitad.RateLimited, pattern.New(
		`rate.?limit|too.?many.?requests|throttl|tokens? per (?:min|day|hour|second)|requests? per (?:min|day|hour|second)|\b[tr]p[md]\b|please wait|slow down` +
			`|resource.?exhausted|request limit reached|too many connections|\bqps|burst|限流|限速|超频|饱和|频率|并发|请求过于频繁|code=130[2-5] |code=base_resp:(?:1002|1039|1041)`)}
	wordsOverflow = words{akitad.ContextOverflow, pattern.New(
		`context.?length|context.?window|context.?size|context.?limit|context.?shift|only [\d.]+ ?[km]? (?:tokens? of )?context|exceed_context|max_model_len|max_seq_len|model_max_prompt` +
			`|maximum (?:context|prompt|input|model) length|prompt is too long|prompt too long|input is too long|prompt exceeds|prompt 超长` +
			`|(?:input|prompt) token count.{0,40}(?:exceeds|only supports)|payload size exceeds|input tokens exceed|too many (?:input |prompt )?tokens|exceeded model token limit|tokens \d+ exceeds the model` +
			`|reduce the length of the (?:messages|prompt|input)|range of input length|too large for model|longest input` +
			"|`inputs` tokens|max_new_tokens` must be|上下文长度|输入长度|超出最大长度|超过.{0,12}长度|code=1261 |code=(?:336007|336103|10907) " +
			`|\b(?:prompt|input|messages?|conversation|context|content|tokens?)\b[^.]{0,20}too[ _]long|tokens?_too_long|context_too_long|messages\[\d+\].{0,20}too long` +
			`|\b(?:token|message|prompt|input|context|inputs)\b[^.]{0,20} (?:length|limit|count|size)\b[^.]{0,30}\b(?:exceed|over|above)|\btoken limit exceeded|exceeds? (?:the )?(?:model.{0,8} )?context` +
			`|max(?:imum)? (?:length of (?:the |current )*(?:question|input|prompt|message|text)|(?:input|prompt) length)|max_prompt_length|expected maxlength|must have (?:less|fewer) than \d+ tokens` +
			`|\b(?:prompt|inputs?|messages?)\b[^.]{0,40}\b(?:less|fewer|no more) than [\d,]{4,}|number of tokens\b[^.]{0,30} (?:greater|more|larger) than|prompt has [\d,]+ tokens|tokens must be at least 1, got -` +
			`|\btokens?\b[^.]{0,20}\bexceeds? (?:the |a |its )?(?:max|limit|total)|\bn_ctx\b|request too large: [\d,]+ tokens` +
			`|request is too long|no user query found in messages|reduce the number of messages|shorten (?:the|your) (?:prompt|input|messages|conversation|context)` +
			`|(?:上下文|对话|输入|提示词|tokens?).{0,10}(?:过长|太长|超限|超过|超出)`)}
	wordsFilter = words{akitad.ContentFiltered, pattern.New(
		`content.?filter|content.?policy|content management policy|responsibleai|moderation|flagged|data_inspection_failed|inappropriate content|content exists risk` +
			`|high risk|content.{0,30}not safe|(?:usage|content|safety|community) (?:polic|guidelin)|安全审核|审核不通过|违规|safety system|sensitive (?:content|words?|information)|new_sensitive|unsafe content|(?:prompt|content)_blocked|敏感|code=1301 |code=base_resp:102[67]`)}
	wordsAuth = words{akitad.Auth, pattern.New(
		`invalid.?api.?key|api.?key.?(?:not valid|invalid|expired|not found)|user location is not supported|incorrect api key|invalid_authentication|authentication|unauthorized|invalid token|permission_error|code=base_resp:(?:1004|2049)` +
			`|(?:access |security )?\btoken (?:is )?(?:invalid|expired)|certification failed|signature (?:expired|does not match)|invalidsignature|missing api.?key|no api.?key|\binvalid_key|api.?key.{0,12}(?:无效|错误|过期)|令牌|鉴权|认证失败|身份验证` +
			`|\b(?:organization|account|project|workspace) (?:has been|is|was) (?:disabled|suspended|deactivated|banned)`)}
	wordsNoModel  = words{akitad.NotFound, pattern.New(`model_not_found|无可用渠道`)}
	wordsNoPath   = words{akitad.NotFound, pattern.New(`^(?:code=\S+ )*404 (?:not.?found|page)`)} // of a gateway, of what is behind it
	wordsBadCall  = words{akitad.Transport, pattern.New(`tool_use_failed`)}                       // the model's own; another try may be better
	wordsNotFound = words{akitad.NotFound, pattern.New(
		`model_not_found|not_found_error|model.{0,80}(?:does not exist|not found|not exist|is not available|not supported on)|no such model|unknown model|invalid.model` +
			`|not a valid model|模型不存在|code=1211 |model identifier is invalid|model.{0,60}(?:been deprecated|no longer available|been retired|end of its life)|on-demand throughput isn.t supported|模型.{0,60}(?:未找到|不存在|无可用渠道|已下线)`)}
	wordsTimeout = words{akitad.Timeout, pattern.New(`timed? ?out|deadline.exceeded|timeout_error|超时|code=base_resp:1001`)}
	wordsBroken  = words{akitad.Transport, pattern.New(
		`peer closed|closed (?:the )?connection|connection (?:was )?(?:reset|closed|lost|refused|aborted|error|terminat)|disconnect/reset|disconnected before|socket hang up|econnre|epipe|broken pipe|\beof\b|incomplete chunked|network error`)}
	wordsInvalid    = words{akitad.InvalidRequest, pattern.New(`invalid_request|invalid params|code=base_resp:(?:1042|2013)`)}
	wordsOverloaded = words{akitad.Overloaded, pattern.New(
		`overloaded|server.?error|internal.?error|service.?unavailable|capacity|out of memory|queue (?:is )?full|try (?:again )?later|(?:is|too|model) busy|not ready|繁忙|过载|稍后|code=base_resp:(?:1000|1013|1024|1033)`)}
)

// byWords decides for the statuses that leave it open, and for errors inside of an answer. Throttling comes before
// overflow: "too many tokens per minute" is not a conversation that is too long. 400 and 422 are about the request, whatever
// else they name; what a server means by 498 its words alone can tell.
func byWords(all string, status int) akitad.Kind {
	order := []words{wordsBadCall, wordsSoon, wordsQuota, wordsBusy, wordsThrottle, wordsOverflow, wordsFilter, wordsAuth, wordsNotFound}
	inside := append(order, wordsTimeout, wordsBroken, wordsInvalid, wordsOverloaded)
	switch status {
	case 0:
		return either(all, akitad.Unknown, inside...)
	case 400, 422:
		return either(all, akitad.InvalidRequest, order...)
	}
	return either(all, akitad.InvalidRequest, inside...)
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
