package wire

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/akitad/akitad"
)

type saying struct {
	status int
	body   string
}

// What servers say, by what they mean. A status of 0 is an answer that was to be a success.
var said = map[akitad.Kind][]saying{
	akitad.ContextOverflow: {
		{400, `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130021 tokens (129000 in the messages, 1021 in the functions). Please reduce the length of the messages or functions.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		{400, `{"error":{"message":"Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.","code":"context_length_exceeded"}}`},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 215000 tokens > 200000 maximum"}}`},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 197000 + 8192 > 200000, decrease input length or ` + "`max_tokens`" + ` and try again"}}`},
		{413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`},
		{400, `{"error":{"code":400,"message":"The input token count (1200001) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}`},
		{400, `{"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (131808 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","code":"invalid_request_error"}}`},
		{400, `{"error":{"code":"invalid_parameter_error","message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"}}`},
		{400, `{"object":"error","message":"This model's maximum context length is 32768 tokens. However, your request has 40000 input tokens. Please reduce the length of the input messages.","type":"BadRequestError","code":400}`},
		{400, `{"object":"error","message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that ` + "`max_model_len`" + ` is no smaller than the number of text tokens.","code":400}`},
		{400, `{"error":{"type":"invalid_request_error","message":"Invalid request: Your request exceeded model token limit: 262144 (requested: 270000)"}}`},
		{400, `{"error":{"code":"1261","message":"Prompt 超长"}}`},
		{400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`},
		{422, `{"error":"Input validation error: ` + "`inputs`" + ` tokens + ` + "`max_new_tokens`" + ` must be <= 4096. Given: 4000 ` + "`inputs`" + ` tokens and 200 ` + "`max_new_tokens`" + `","error_type":"validation"}`},
		{400, `{"message":"too many total text bytes: total tokens 140000 exceeds the model's limit of 128000 tokens"}`},
		{400, `{"object":"error","message":"Prompt contains 140212 tokens and 0 draft tokens, too large for model with 131072 maximum context length","type":"invalid_request_prompt","code":3051}`},
		{400, `{"error":{"message":"This endpoint's maximum context length is 163840 tokens. However, you requested about 200000 tokens (180000 of text input, 20000 in the output). Please reduce the length of either one, or use the \"middle-out\" transform.","code":400}}`},
		{400, `{"message":"Input is too long for requested model."}`},
		{400, `{"error":{"message":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}}`},
		{400, `{"error":{"message":"prompt token count of 140000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}`},
		{400, `{"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit (2013)"}}`},
		{400, `{"error":{"message":"输入内容超过模型最大上下文长度"}}`},
		{500, `{"error":{"message":"input length exceeds the context length","type":"api_error"}}`},
		{0, `{"error":{"message":"maximum context length is 8192 tokens","code":400}}`},
		{0, `{"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit"}}`},
	},
	akitad.RateLimited: {
		{429, `{"error":{"message":"Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 8s. Visit https://platform.openai.com/account/rate-limits to learn more.","type":"tokens","code":"rate_limit_exceeded"}}`},
		{429, `{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 61000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}`},
		{413, `{"error":{"message":"Request too large for model ` + "`llama`" + ` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}`},
		{400, `{"error":{"message":"tokens per minute limit exceeded: requested 130000 tokens"}}`},
		{400, `{"message":"Too many tokens, please wait before trying again.","__type":"ThrottlingException"}`},
		{400, `{"error":{"code":"Throttling.AllocationQuota","message":"Allocated quota exceeded, please increase your quota limit."}}`},
		{429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 40,000 input tokens per minute. Reduce the prompt length or the maximum tokens requested, or try again later."}}`},
		{429, `{"error":{"code":"1302","message":"您当前使用该API的并发数过高，请降低并发"}}`},
		{429, `{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}`},
		{429, ``},
		{429, `slow down`},
		{0, `{"error":{"code":429,"message":"Rate limited upstream"}}`},
		{0, `{"error":"Too many requests, please slow down"}`},
		{0, `{"code":429,"message":"slow down"}`},
		{0, `{"code":"429","msg":"请求过于频繁"}`},
		{0, `{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}`},
		{0, `{"base_resp":{"status_code":1002,"status_msg":"rate limit"}}`},
		{0, `{"base_resp":{"status_code":1039,"status_msg":"tokens limit"}}`},
		{200, `{"error_code":18,"error_msg":"Open api qps request limit reached: rate limit"}`},
		{0, `{"error":{"message":"max input tokens per minute exceeded: context too large for your tier"}}`},
	},
	akitad.Quota: {
		{429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}`},
		{402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","code":"invalid_request_error"}}`},
		{402, `{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 65535 tokens, but can only afford 2000.","code":402}}`},
		{403, `{"error":{"message":"账户余额不足"}}`},
		{429, `{"error":{"code":"1113","message":"您的账户已欠费，请充值后重试"}}`},
		{400, `{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}`},
		{429, `{"error":{"type":"exceeded_current_quota_error","message":"Your account org-x is suspended due to insufficient balance, please recharge your account or check your plan and billing details"}}`},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}`},
		{403, `{"code":30001,"message":"Sorry, your account balance is insufficient"}`},
		{403, `{"error":{"message":"Your team has either used all available credits or reached its monthly spending limit."}}`},
		{429, `{"error":{"message":"You have exceeded your monthly included credits"}}`},
		{0, `{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`},
		{0, `{"error":{"code":402,"message":"Insufficient credits"}}`},
		{0, `{"error":{"message":"insufficient_quota"}}`},
	},
	akitad.Auth: {
		{401, `{"error":{"message":"Incorrect API key provided: sk-x. You can find your API key at https://platform.openai.com/account/api-keys.","code":"invalid_api_key"}}`},
		{401, ``},
		{403, `{"error":{"message":"You are not allowed to sample from this model"}}`},
		{400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`},
		{400, `{"error":{"message":"Invalid token"}}`},
		{0, `{"base_resp":{"status_code":1004,"status_msg":"login fail: Please carry the API secret key"}}`},
		{0, `{"error":{"code":"invalid_api_key","message":"no"}}`},
		{0, `{"error":"Unauthorized"}`},
	},
	akitad.NotFound: {
		{404, `{"error":{"message":"The model ` + "`gpt-9`" + ` does not exist or you do not have access to it.","code":"model_not_found"}}`},
		{404, `{"error":{"message":"model \"llama9\" not found, try pulling it first","type":"api_error"}}`},
		{400, `{"error":{"message":"Model Not Exist","type":"invalid_request_error"}}`},
		{400, `{"error":{"message":"x is not a valid model ID","code":400}}`},
		{400, `{"error":{"message":"Invalid model: nope","type":"invalid_model"}}`},
		{400, `{"error":{"code":"1211","message":"模型不存在，请检查模型代码。"}}`},
		{404, `404 page not found`},
		{404, `{"detail":"Not Found"}`},
		{0, `{"error":{"code":"model_not_found","message":"nope"}}`},
	},
	akitad.ContentFiltered: {
		{400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`},
		{400, `{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}}`},
		{400, `{"error":{"message":"Content Exists Risk","type":"invalid_request_error"}}`},
		{400, `{"contentFilter":[{"level":1,"role":"user"}],"error":{"code":"1301","message":"系统检测到输入或生成内容可能包含不安全或敏感内容"}}`},
		{400, `{"error":{"message":"The request was rejected because it was considered high risk","type":"content_filter"}}`},
		{403, `{"error":{"message":"Your input was flagged","code":403,"metadata":{"reasons":["violence"]}}}`},
		{400, `{"error":{"message":"Your request was rejected as a result of our safety system."}}`},
		{0, `{"base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}`},
		{0, `{"error":{"code":"content_filter","message":"no"}}`},
	},
	akitad.Overloaded: {
		{503, `{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}`},
		{429, `{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}`},
		{529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		{503, `{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}`},
		{503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`},
		{500, ``},
		{0, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		{0, `{"error":{"message":"Internal server error","type":"server_error"}}`},
		{0, `{"error":{"code":503,"message":"no instances"}}`},
		{0, `{"base_resp":{"status_code":1000,"status_msg":"unknown error"}}`},
		{0, `{"code":500,"message":"x"}`},
	},
	akitad.Timeout: {
		{408, ``},
		{504, `<html>504</html>`},
		{524, ``},
		{0, `{"error":{"code":504,"message":"upstream"}}`},
		{0, `{"base_resp":{"status_code":1001,"status_msg":"timeout"}}`},
		{0, `{"error":{"message":"Request timed out"}}`},
	},
	akitad.Transport: {{502, `<html>Bad Gateway</html>`}, {520, ``}, {0, `{"error":{"code":502,"message":"Provider returned error"}}`}},
	akitad.InvalidRequest: {
		{400, `{"error":{"message":"max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.","type":"invalid_request_error","param":"max_tokens"}}`},
		{400, `{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]","type":"invalid_request_error"}}`},
		{400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}`},
		{400, `{"error":{"message":"messages: at least one message is required"}}`},
		{400, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}`},
		{400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}`},
		{400, `{"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."}}`},
		{400, `{"error":{"message":"The reasoning_content in the thinking mode must be passed back to the API.","code":"invalid_request_error"}}`},
		{422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","code":null}`},
		{422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`},
		{400, `{"error":{"message":"Field names are case-sensitive"}}`},
		{400, `{"error":{"message":"Invalid 'tools[0].function.name': string does not match pattern"}}`},
		{0, `{"error":{"message":"bad field","type":"invalid_request_error"}}`},
		{0, `{"base_resp":{"status_code":2013,"status_msg":"invalid params, tool call id is invalid"}}`},
	},
	akitad.Unknown: {{0, `{"error":{"message":"something odd"}}`}, {0, `{"error":true,"message":"something odd"}`}},
}

func TestKinds(t *testing.T) {
	for want, all := range said {
		for _, tt := range slices.Concat(all, saidElsewhere[want]) {
			told := readTold([]byte(tt.body))
			if got := kindOf(tt.status, told); got != want {
				t.Errorf("%d %s: %s, want %s (read as %+v)", tt.status, tt.body, got, want, told)
			}
		}
	}
}

func TestWaitInText(t *testing.T) {
	for body, want := range map[string]time.Duration{
		`{"error":{"message":"Rate limit reached. Please try again in 1.5s. Visit x"}}`: 1500 * time.Millisecond,
		`{"error":{"message":"Please try again in 6m0s."}}`:                             6 * time.Minute,
		`{"error":{"message":"Please try again in 1m26.4s"}}`:                           86400 * time.Millisecond,
		`{"error":{"message":"Please try again in 1h2m3s"}}`:                            time.Hour + 2*time.Minute + 3*time.Second,
		`{"error":{"message":"Please try again in 350ms."}}`:                            350 * time.Millisecond,
		`{"error":{"message":"Please retry in 20.5s."}}`:                                20500 * time.Millisecond,
		`{"error":{"message":"Please retry after 30 seconds."}}`:                        30 * time.Second,
		`{"error":{"message":"Retry after 2 minutes"}}`:                                 2 * time.Minute,
		`{"error":{"details":[{"@type":"x/google.rpc.RetryInfo","retryDelay":"34s"}]}}`: 34 * time.Second,
		`{"error":{"message":"slow down","retry_after": 7}}`:                            7 * time.Second,
		`{"error":{"message":"Please wait 5 seconds"}}`:                                 5 * time.Second,
		`{"error":{"message":"try again in 99999999999h0m1s"}}`:                         24 * time.Hour,
		`{"error":{"message":"Rate limit reached: Limit 30000, Requested 31000"}}`:      0,
		`{"error":{"message":"please try again later"}}`:                                0,
		`{"error":{"message":"Weekly limit reached. Resets in 6hr 29min."}}`:            6*time.Hour + 29*time.Minute,
		`{"error":{"message":"quota will reset after 1h15m30s"}}`:                       time.Hour + 15*time.Minute + 30*time.Second,
		`{"detail":"Request was throttled. Expected available in 13 seconds."}`:         13 * time.Second,
		`{"error":{"message":"请求过于频繁，请在 30 秒后重试"}}`:                                     30 * time.Second,
		`{"error":{"message":"请 5 分钟后再试"}}`:                                             5 * time.Minute,
		`{"error":{"message":"Retry in approximately 8 seconds"}}`:                      8 * time.Second,
		`{"error":{"message":"Model is currently loading","estimated_time":20.5}}`:      20500 * time.Millisecond,
		`{"error":{"message":"Try again in 1 minute and 5 seconds"}}`:                   65 * time.Second,
		`{"error":{"message":"limit","retry-after-ms":"1500"}}`:                         1500 * time.Millisecond,
		`{"error":{"message":"limit","retry_after":"2m30s"}}`:                           150 * time.Second,
		`{"error":{"message":"limit","retry_after_ms":1500}}`:                           1500 * time.Millisecond,
		`{"error":{"message":"请稍后再试"}}`:                                                 0,
		`{"error":{"message":"请在 3 个地区重试"}}`:                                            0,
		`{"error":{"metadata":{"raw":"busy","retry_after_seconds":17}}}`:                17 * time.Second,
		`{"error":{"message":"limit reached","resets_in_seconds":7200}}`:                2 * time.Hour,
		`{"error":{"metadata":{"headers":{"Retry-After":"17"}}}}`:                       17 * time.Second,
		`{"error":{"metadata":{"raw":"{\"retry_after\":\"17\"}"}}}`:                     17 * time.Second,
		`{"error":{"message":"Retry. Then try again in 4 minutes and tell us"}}`:        4 * time.Minute,
		`{"error":{"message":"Please try again in 20 stations"}}`:                       0,
		``: 0,
	} {
		if got := waitIn([]byte(body)); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}

// What a gateway was told itself, in words that are JSON or in headers, counts as if it had come from there.
func TestPassedOn(t *testing.T) {
	reset := strconv.FormatInt(time.Now().Add(time.Hour).UnixMilli(), 10)
	for body, want := range map[string]time.Duration{
		`{"error":{"code":429,"message":"Rate limit exceeded","metadata":{"headers":{"X-RateLimit-Limit":"20","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"` + reset + `"}}}}`: 59 * time.Minute,
		`{"error":{"code":429,"message":"{\"error\":{\"code\":429,\"message\":\"no\",\"details\":[{\"retryDelay\":\"37s\"}]}}"}}`:                                                  37 * time.Second,
		`{"error":{"code":429,"message":"Rate limit exceeded","metadata":{"headers":"none"}}}`:                                                                                     0,
	} {
		if got := readTold([]byte(body)).wait; got < want || got > want+time.Minute || want == 0 && got != 0 {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
	if told := readTold([]byte(`{"error":{"code":400,"message":"{\"error\":{\"message\":\"bad field\",\"type\":\"x\"}}"}}`)); told.message != "bad field" {
		t.Errorf("the words are %q", told.message)
	}
}
