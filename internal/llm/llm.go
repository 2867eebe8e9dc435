// Package llm is the port to language models: what a request holds, what a reply holds, and which
// endpoints serve which role. It speaks no wire protocol itself.
package llm

import (
	"context"
	"encoding/json"
	"time"

	"github.com/akitad/akitad"
)

// Provider turns one request into one reply. Implementations keep no state between requests,
// honour ctx, and return errors whose akitad.KindOf is the failure's kind. Of a reply beside an error only
// Usage counts: what the server has told that the failed call used.
type Provider interface {
	Generate(ctx context.Context, req Request) (Reply, error)
}

// Role is what a model is used for; each role has its own ordered endpoints.
type Role string

// The roles of the contract.
const (
	RoleMain       Role = "main"
	RoleCompiler   Role = "compiler"
	RolePlanner    Role = "planner"
	RoleSummarizer Role = "summarizer"
	RoleJudge      Role = "judge"
)

// Speaker says whose message it is.
type Speaker string

// The speakers. The system prompt is a field of Request, not a message.
const (
	User      Speaker = "user"
	Assistant Speaker = "assistant"
	ToolReply Speaker = "tool"
)

// Message is one entry of the conversation. A tool message answers every call of the assistant
// message before it, in call order.
type Message struct {
	Speaker Speaker
	Text    string
	Parts   []Part               // user only: images and files, which stand before the text
	Calls   []akitad.Call        // assistant only
	Results []akitad.Observation // tool only
	Raw     json.RawMessage      // assistant only: the message as its provider sent it
	RawBy   string               // the protocol that Raw is in ("openai"); others rebuild it from the fields
}

// Part is an image or a file that a person's message holds beside its text. A protocol that has no form
// for its type sends the reason in its place, never nothing.
type Part struct {
	Name string // "scan.png"
	MIME string // "image/png", "application/pdf"
	Data []byte // as it is, not encoded
}

// Tool is a tool as a model is told of it.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

// ToolChoice limits what the reply may be.
type ToolChoice string

// The choices. None keeps the tools in the prompt and forbids calls.
const (
	ChoiceAuto ToolChoice = ""
	ChoiceNone ToolChoice = "none"
)

// Request is everything one model call is made from.
type Request struct {
	Task      akitad.TaskID // sent as header X-Akita-Task
	Role      Role          // sent as header X-Akita-Role
	System    string
	Messages  []Message
	Tools     []Tool
	Beside    []string // names of tools that may be called though they are not in Tools; not sent
	Choice    ToolChoice
	MaxOutput int               // tokens; 0 leaves it to the endpoint
	OnText    func(text string) // called with each piece of text as it streams; may be nil
	OnReset   func()            // called when the text given to OnText so far is void, since another attempt begins; may be nil
	Offline   bool              // the caller wants the offline engine and no other; not a degradation
	Endpoint  string            // an endpoint that is tried before the others of the role; see Use
	Tags      []string          // that an endpoint of the role must have
	Avoid     string            // an endpoint to try after the others of its role, since its answers led nowhere
}

// OfflineModel is the model that replies of the offline engine name.
const OfflineModel = "offline"

// Finish says why a reply ended.
type Finish string

// The reasons for an end. A reply cut by FinishLength is never complete.
const (
	FinishStop     Finish = "stop"
	FinishCalls    Finish = "tool_calls"
	FinishLength   Finish = "length"
	FinishFiltered Finish = "content_filter"
	FinishPartly   Finish = "partly" // the text itself says that it is no answer, or not to all of the question
)

// Reply is one assistant message.
type Reply struct {
	Text     string
	Calls    []akitad.Call
	Finish   Finish
	Usage    akitad.Usage
	Bills    akitad.Bills    // of the same calls as Usage, those that failed before this answer included
	Lost     akitad.Usage    // what the calls that failed used, of Usage
	Raw      json.RawMessage // the assistant message as the provider sent it
	RawBy    string
	Endpoint string // name of the endpoint that answered
	Model    string
	Degraded []akitad.Degradation // endpoints that were passed over before this one answered

	FirstByte time.Duration // from the request to the first byte of its answer; 0 if not known
}

// Message gives the reply as the next message of the conversation.
func (r Reply) Message() Message {
	return Message{Speaker: Assistant, Text: r.Text, Calls: r.Calls, Raw: r.Raw, RawBy: r.RawBy}
}
