package openai

import (
	"net/url"
	"slices"
	"strings"
)

// thoughts is what a vendor wants of the reasoning in its own messages when they are sent back.
type thoughts int

const (
	echoed  thoughts = iota // as it came
	dropped                 // the field is refused
	needed                  // as it came, and on a message with calls the field must be there
)

// A vendor is how one service differs from the protocol, as far as its documentation says. What is not
// here, or has changed since, a Provider learns from refusals.
type vendor struct {
	name     string
	hosts    []string // what host names end in
	port     string   // of a server that runs anywhere; "" if it has none of its own
	newLimit bool     // max_completion_tokens in place of max_tokens
	noUsage  bool     // stream_options is refused; usage comes unasked
	strict   bool     // function schemas may be strict
	files    bool     // takes PDF documents as file parts
	local    bool     // has a small context of its own, and cuts what is longer without a word
	thoughts thoughts
}

// vendors are the services whose habits are known.
//
//   - OpenAI and Azure deprecated max_tokens with their reasoning models, have strict schemas and file parts.
//   - DeepSeek demands reasoning_content of messages with calls in its thinking mode, and ignores it elsewhere.
//   - Moonshot demands the same of Kimi, and documents max_completion_tokens.
//   - Zhipu (GLM) and Alibaba (Qwen) take reasoning_content back; GLM thinks better with it.
//   - Mistral refuses every field that it does not know: stream_options and reasoning among them.
//   - Groq and Cerebras refuse reasoning_content, but take back the reasoning that they send.
//   - OpenRouter wants reasoning_details back as they came, and passes file parts on.
//   - Ollama has 4,096 tokens of context unless its owner says otherwise, and no field for it in this protocol.
func vendors() []vendor {
	return []vendor{
		{name: "openai", hosts: []string{"api.openai.com"}, newLimit: true, strict: true, files: true},
		{name: "azure", hosts: []string{".openai.azure.com"}, newLimit: true, strict: true, files: true},
		{name: "deepseek", hosts: []string{"api.deepseek.com"}, thoughts: needed},
		{name: "moonshot", hosts: []string{"api.moonshot.cn", "api.moonshot.ai"}, newLimit: true, thoughts: needed},
		{name: "zhipu", hosts: []string{"open.bigmodel.cn", "api.z.ai"}},
		{name: "qwen", hosts: []string{"dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"}},
		{name: "mistral", hosts: []string{"api.mistral.ai"}, noUsage: true, thoughts: dropped},
		{name: "groq", hosts: []string{"api.groq.com"}},
		{name: "cerebras", hosts: []string{"api.cerebras.ai"}},
		{name: "openrouter", hosts: []string{"openrouter.ai"}, files: true},
		{name: "ollama", port: "11434", local: true},
		{name: "vllm"},
	}
}

// vendorOf gives the vendor of a name, or of a base URL if the name is none of a vendor; the zero vendor
// follows the protocol.
func vendorOf(name, base string) vendor {
	all := vendors()
	if at := slices.IndexFunc(all, func(v vendor) bool { return v.name == name }); at >= 0 {
		return all[at]
	}
	u, err := url.Parse(base)
	if err != nil || name != "" {
		return vendor{}
	}
	at := slices.IndexFunc(all, func(v vendor) bool { return v.isAt(u) })
	if at < 0 {
		return vendor{}
	}
	return all[at]
}

func (v vendor) isAt(u *url.URL) bool {
	host := u.Hostname()
	return v.port != "" && u.Port() == v.port || slices.ContainsFunc(v.hosts, func(end string) bool {
		return host == end || strings.HasPrefix(end, ".") && strings.HasSuffix(host, end)
	})
}

// Advice gives what the owner of an endpoint should know of its server; "" if nothing. window is what is
// configured, in tokens; 0 is nothing.
func Advice(name, base string, window int) string {
	if v := vendorOf(name, base); v.local && window == 0 {
		return "Ollama reads 4,096 tokens unless told otherwise, and drops the beginning of what is longer without a word: " +
			"start it with OLLAMA_CONTEXT_LENGTH=32768 or more, and set the endpoint's window to the same"
	}
	return ""
}
