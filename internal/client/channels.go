package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/akitad/akitad"
)

// Channel is a chat service and who may talk to the bot through it. It holds no secret.
type Channel struct {
	Name    string   `json:"name"`
	Enabled bool     `json:"enabled"`
	Mode    string   `json:"mode,omitempty" doc:"How messages come: poll, webhook, websocket, reverse or forward."`
	Health  string   `json:"health" doc:"ok, off, or what is wrong."`
	Allow   []string `json:"allow" nullable:"false" doc:"People whom the configuration lists."`
	Owners  []string `json:"owners" nullable:"false"`
	Groups  []string `json:"groups" nullable:"false"`
	Pairing bool     `json:"pairing" doc:"Whether a stranger in a private chat is told a code by which an owner lets them in."`
	People  []Known  `json:"people" nullable:"false" doc:"People who were let in since."`
	Denied  []Known  `json:"denied" nullable:"false" doc:"People who were shut out since."`
	Pending []Asking `json:"pending" nullable:"false" doc:"Who was told a pairing code that is still good. The code is theirs alone."`
}

// Known is a person whom an owner let in or shut out.
type Known struct {
	ID   string    `json:"id"`
	Name string    `json:"name,omitempty"`
	At   time.Time `json:"at"`
	By   string    `json:"by,omitempty" doc:"Who decided: cli, http, or a person."`
}

// Asking is a person who waits for being let in.
type Asking struct {
	ID    string    `json:"id"`
	Name  string    `json:"name,omitempty"`
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
}

// Paired is whom a pairing code let in, and where.
type Paired struct {
	Channel string `json:"channel"`
	Known
}

// Approval is a question by which a task waits for a person.
type Approval struct {
	ID      string        `json:"id"`
	Task    akitad.TaskID `json:"task"`
	Root    akitad.TaskID `json:"root"`
	Kind    string        `json:"kind" enum:"plan,step,budget,standstill,approval,question"`
	Text    string        `json:"text"`
	Choices []string      `json:"choices" nullable:"false" doc:"The words that settle it; none: any words do, as do approve and deny."`
	Until   *time.Time    `json:"until,omitempty" doc:"When the task goes on without an answer."`
	Who     []string      `json:"who" nullable:"false" doc:"Who may answer in a chat; none: anyone of the conversation. Who holds the token always may."`
	Asked   string        `json:"asked" doc:"What the task is about, in the person's words."`
}

// byCLI is noted as who decided: this client is the command line's.
const byCLI = "cli"

// Pair lets in whoever was told the code.
func (c *Client) Pair(ctx context.Context, code string) (p Paired, err error) {
	return p, c.do(ctx, http.MethodPost, "/v1/channels/pair", map[string]string{"code": code, "by": byCLI}, &p)
}

// AllowPerson lets a person talk through a channel.
func (c *Client) AllowPerson(ctx context.Context, channel, id string) (Channel, error) {
	return c.person(ctx, channel, "allow", id)
}

// DenyPerson shuts a person out of a channel.
func (c *Client) DenyPerson(ctx context.Context, channel, id string) (Channel, error) {
	return c.person(ctx, channel, "deny", id)
}

func (c *Client) person(ctx context.Context, channel, action, id string) (out Channel, err error) {
	return out, c.do(ctx, http.MethodPost, "/v1/channels/"+url.PathEscape(channel)+"/"+action, map[string]string{"id": id, "by": byCLI}, &out)
}

// Decide settles a question and gives the task as it then is.
func (c *Client) Decide(ctx context.Context, id, decision string) (t akitad.Task, err error) {
	return t, c.do(ctx, http.MethodPost, "/v1/approvals/"+url.PathEscape(id), map[string]string{"decision": decision}, &t)
}
