package llm

import (
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// TagVision is the tag of endpoints that see images. Other tags are the owner's own, such as code or long.
const TagVision = "vision"

// seeing are the names of models that are known to see, where an endpoint's tags say nothing.
var seeing = pattern.New(`(?i)gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt|\bo[134]\b|claude|gemini|gemma-?3|vision|[-_.]vl\b|-vl-|qvq|omni|llava|pixtral|llama-?4` +
	`|minicpm-v|internvl|glm-[\d.]+v|kimi-k2\.[5-9]|kimi-latest|grok-4|mistral-(?:small|medium)|nova-(?:lite|pro)|multimodal`)

var blind = pattern.New(`(?i)claude-(?:instant|2)|o1-mini|o3-mini|gpt-oss|embed|whisper|tts`)

// has reports whether the endpoint has a tag: one that its owner gave it, or, of an endpoint without
// any, vision by the name of its model.
func (e Endpoint) has(tag string) bool {
	if len(e.Tags) > 0 {
		return slices.Contains(e.Tags, tag)
	}
	return tag == TagVision && seeing.MatchString(e.Model) && !blind.MatchString(e.Model)
}

// preferred gives the endpoints that a request is for, in order; if it shows an image, those that see
// before the others.
func (r *Router) preferred(req Request) []*endpoint {
	list := r.chosen(req)
	if !req.HasImages() {
		return list
	}
	blind := func(e *endpoint) int {
		if e.has(TagVision) {
			return 0
		}
		return 1
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *endpoint) int { return blind(a) - blind(b) })
	return list
}

// unseen gives the request as an endpoint gets it that sees no images.
func (e *endpoint) unseen(req Request) Request {
	if !req.HasImages() || e.has(TagVision) {
		return req
	}
	req.Messages = slices.Clone(req.Messages)
	for i, m := range req.Messages {
		if len(m.Parts) > 0 {
			req.Messages[i] = m.withoutImages("the model " + e.Model + " sees no images")
		}
	}
	return req
}

// blindness is on record when an endpoint answered that could not see what the request showed.
func (e *endpoint) blindness(req Request) []akitad.Degradation {
	if !req.HasImages() || e.has(TagVision) {
		return nil
	}
	return []akitad.Degradation{{
		Layer: "input", From: e.Name, To: "text", Kind: akitad.Unavailable, Reason: "the model " + e.Model + " sees no images",
	}}
}
