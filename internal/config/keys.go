package config

import "time"

// Config is everything an owner can set. The yaml tags are the keys; a key's variable is AKITA_ and
// the key in upper snake case (pool.per_profile: AKITA_POOL_PER_PROFILE).
type Config struct {
	Admin      Admin  `yaml:"admin"`
	NATS       NATS   `yaml:"nats"`
	Durability string `yaml:"durability"` // process: survives kill -9; power: also power loss, ten times slower
	Pool       Pool   `yaml:"pool"`
	Claim      Claim  `yaml:"claim"`
	Stop       Stop   `yaml:"stop"`
	Rounds     Rounds `yaml:"rounds"`
	Queue      string `yaml:"queue"`    // what a message to a busy session does: followup or steer
	Compiler   string `yaml:"compiler"` // auto, always, twin
	// CompilerCache is how many specs that a model made are kept for the same words again; 0 for none.
	CompilerCache int `yaml:"compiler_cache"`

	Plan       string               `yaml:"plan"`    // auto, ask (a planner's plan waits for approval before it runs), off (no planner)
	Offline    string               `yaml:"offline"` // what happens when no model answers: answer or hold
	Endpoints  []Endpoint           `yaml:"endpoints"`
	LLM        LLM                  `yaml:"llm"` // time-outs and tries of every endpoint
	Roles      Roles                `yaml:"roles"`
	Channels   Channels             `yaml:"channels"`
	Hooks      Hooks                `yaml:"hooks"`
	Voice      Transcription        `yaml:"transcription"`
	Tools      Tools                `yaml:"tools"`
	Context    Context              `yaml:"context"`
	Policy     Policy               `yaml:"policy"`
	Budgets    Budgets              `yaml:"budgets"`
	Supervise  string               `yaml:"supervision"` // on, or off: agents that go in circles are left alone; budgets and rounds still end them
	Sandbox    Sandbox              `yaml:"sandbox"`
	Memory     Memory               `yaml:"memory"`
	MCPServers map[string]MCPServer `yaml:"mcpServers"`
	Tracing    Tracing              `yaml:"tracing"`
	Log        Log                  `yaml:"log"`
	Disk       Disk                 `yaml:"disk"`
	Retention  time.Duration        `yaml:"retention"` // how long settled tasks are kept

	Path    Paths             `yaml:"-"`
	sources map[string]string // dotted key -> where its value came from
	strays  []string          // files of the home that are not read, and look as if they were
}

// Admin is the HTTP API and dashboard.
type Admin struct {
	Listen   string `yaml:"listen"`   // host:port
	TLSCert  string `yaml:"tls_cert"` // PEM files; needed for an address that is not loopback
	TLSKey   string `yaml:"tls_key"`
	Insecure bool   `yaml:"insecure"` // the owner accepts plain HTTP beyond loopback
}

// NATS says which broker is used.
type NATS struct {
	URL      string `yaml:"url"`      // an external server or cluster; empty means the embedded one
	Listen   string `yaml:"listen"`   // where the embedded one listens as well; empty means nowhere
	Replicas int    `yaml:"replicas"` // of streams, on an external cluster: 1, 3 or 5
}

// Pool bounds live agents.
type Pool struct {
	Max        int           `yaml:"max"` // instances in this process; 0 makes a node that only coordinates
	PerProfile int           `yaml:"per_profile"`
	Idle       time.Duration `yaml:"idle"` // an idle instance is closed after this
}

// Claim times are the same for all nodes of a cluster.
type Claim struct {
	Renew time.Duration `yaml:"renew"`
	TTL   time.Duration `yaml:"ttl"`
}

// Stop says how long running rounds may take to end when the daemon stops.
type Stop struct {
	Grace time.Duration `yaml:"grace"`
}

// Rounds caps one agent's loop; the ceiling is 60.
type Rounds struct {
	Chat int `yaml:"chat"` // short-path tasks from chat
	Task int `yaml:"task"` // every other task
}

// Endpoint is one model behind one address.
type Endpoint struct {
	Name        string `yaml:"name"`
	Protocol    string `yaml:"protocol"` // openai, anthropic, gemini, offline
	BaseURL     string `yaml:"base_url"`
	APIKey      Secret `yaml:"api_key"`
	Model       string `yaml:"model"`
	Window      int    `yaml:"window"`     // tokens
	MaxOutput   int    `yaml:"max_output"` // tokens
	MaxInflight int    `yaml:"max_inflight"`

	// How long the endpoint may take, as in llm.timeouts, which is what 0 stands for.
	Connect   time.Duration `yaml:"connect"`
	FirstByte time.Duration `yaml:"first_byte"`
	Idle      time.Duration `yaml:"idle"`
	Whole     time.Duration `yaml:"whole"`
	Stream    string        `yaml:"stream"` // on (default), or off for servers that cannot

	// Thinking is how many tokens the model may think before it answers, or adaptive, which leaves that to
	// the model (anthropic, gemini), or low or high (gemini). Empty and 0, the default, ask for nothing.
	Thinking string `yaml:"thinking"`

	Price Price    `yaml:"price"`
	Tags  []string `yaml:"tags"` // vision, code, long ...; none leaves vision to the model's name

	// Of protocol openai: whose habits the server has ("" is by the address), whether schemas are strict,
	// and whether tools are told and called in the text, for models that know no other way.
	Vendor    string `yaml:"vendor"`
	Strict    string `yaml:"strict"` // auto (default), on, off
	TextTools bool   `yaml:"text_tools"`
}

// LLM is how models are called, whatever their endpoint.
type LLM struct {
	Timeouts Timeouts `yaml:"timeouts"`
	Retry    Retry    `yaml:"retry"`
	Health   Health   `yaml:"health"`
}

// Health is when an endpoint, or a kind of agent, counts as degraded: others are asked first until it has
// been tried again with success.
type Health struct {
	Failures int           `yaml:"failures"` // within Within, that degrade
	Within   time.Duration `yaml:"within"`
	Probe    time.Duration `yaml:"probe"` // until it is tried again; then after twice that, then ten times
}

// Timeouts bound one call of a model. An endpoint that takes longer has failed, and another is asked.
type Timeouts struct {
	Connect   time.Duration `yaml:"connect"`    // until there is a connection
	FirstByte time.Duration `yaml:"first_byte"` // until the answer begins
	Idle      time.Duration `yaml:"idle"`       // between two pieces of it
	Whole     time.Duration `yaml:"whole"`      // for all of an answer that does not stream
	Longest   time.Duration `yaml:"longest"`    // for all of any answer
}

// Retry is how often and how patiently one endpoint is asked again after a failure that may pass.
type Retry struct {
	Tries int           `yaml:"tries"` // the first included
	Base  time.Duration `yaml:"base"`  // the longest first wait; each one after it may be twice as long
	Cap   time.Duration `yaml:"cap"`   // the longest wait of our own; servers may ask for more
}

// Patience is twice the longest connect time of any endpoint. It is the bound of the shared dialer, so that a call,
// which knows the bound of its own endpoint, always gives up first.
func (c Config) Patience() time.Duration {
	slowest := c.LLM.Timeouts.Connect
	for _, e := range c.Endpoints {
		slowest = max(slowest, e.Connect)
	}
	return 2 * slowest
}

// ModelVendors are the values of an endpoint's vendor.
func ModelVendors() []string {
	return []string{"openai", "azure", "deepseek", "moonshot", "zhipu", "qwen", "mistral", "groq", "cerebras", "openrouter", "ollama", "vllm"}
}

// Price is what a million tokens cost, in the owner's currency.
type Price struct {
	Input  float64 `yaml:"input"`
	Cached float64 `yaml:"cached"`
	Output float64 `yaml:"output"`
}

// Roles maps each use of a model to endpoint names, best first. After Load every role ends in the
// offline engine.
type Roles struct {
	Main       []string `yaml:"main"`
	Compiler   []string `yaml:"compiler"`
	Planner    []string `yaml:"planner"`
	Summarizer []string `yaml:"summarizer"`
	Judge      []string `yaml:"judge"`
}

// Channels are the chat services.
type Channels struct {
	Telegram Channel `yaml:"telegram"`
	Feishu   Channel `yaml:"feishu"` // and Lark, by base_url
	OneBot   Channel `yaml:"onebot"` // QQ and others, by OneBot v11
	WeCom    Channel `yaml:"wecom"`
	DingTalk Channel `yaml:"dingtalk"`
}

// Channel is one chat service. Without an explicit enabled it is on if its credentials are set.
type Channel struct {
	Enabled       bool     `yaml:"enabled"`
	Token         Secret   `yaml:"token"`  // the bot's of Telegram, the access token of OneBot
	AppID         string   `yaml:"app_id"` // of Feishu, the client id of DingTalk, the corporation's id of WeCom
	AppSecret     Secret   `yaml:"app_secret"`
	AgentID       string   `yaml:"agent_id"`    // of the WeCom application; of DingTalk the robot's code, if it is not app_id
	BaseURL       string   `yaml:"base_url"`    // of the service's API; of OneBot where it listens: ws://host:port
	Mode          string   `yaml:"mode"`        // poll or webhook (Telegram), websocket or webhook (Feishu), reverse or forward (OneBot); empty means the first, for OneBot with a base_url the second
	WebhookURL    string   `yaml:"webhook_url"` // under which the service reaches /hooks/NAME from outside; set for Telegram webhooks
	WebhookSecret Secret   `yaml:"webhook_secret"`
	EncryptKey    Secret   `yaml:"encrypt_key"`  // of Feishu and WeCom webhooks
	VerifyToken   Secret   `yaml:"verify_token"` // of Feishu and WeCom webhooks
	Allow         []string `yaml:"allow"`        // ids of people; the first is the owner; "*" is anyone
	AllowGroups   []string `yaml:"allow_groups"` // ids of groups
	Owners        []string `yaml:"owners"`       // ids of more owners
	Pairing       bool     `yaml:"pairing"`      // a stranger in a private chat is told a code by which an owner lets them in
	PerSender     bool     `yaml:"per_sender"`   // in groups each sender has a conversation of their own
	Rate          float64  `yaml:"rate"`         // messages a second for the bot; 0 means no limit of ours
	LongAnswer    int      `yaml:"long_answer"`  // bytes from which on an answer is sent as a file with a summary; 0 for never
}

// Hooks is where chat services reach the daemon: POST /hooks/NAME, each checked by its channel.
type Hooks struct {
	Listen string `yaml:"listen"` // host:port; empty serves /hooks/ on admin.listen, and nothing else there is open
}

// Transcription is the service that writes down what people say in voice messages: one that serves
// POST /audio/transcriptions as OpenAI does. Without a model nothing is written down.
type Transcription struct {
	BaseURL string        `yaml:"base_url"`
	APIKey  Secret        `yaml:"api_key"`
	Model   string        `yaml:"model"`
	Timeout time.Duration `yaml:"timeout"`
}

// Tools narrows the tools that agents may use: names, categories or globs. Disabled wins; empty
// enabled means all.
type Tools struct {
	Enabled  []string `yaml:"enabled"`
	Disabled []string `yaml:"disabled"`

	Timeout time.Duration `yaml:"timeout"` // of one call of a tool that has no time of its own
}

// Context is how a model's window is filled. Shares are of the token budget.
type Context struct {
	Strategy    string  `yaml:"strategy"` // hybrid, mask, summary, window, off
	MaxTokens   int     `yaml:"max_tokens"`
	Safety      float64 `yaml:"safety"`       // share kept free
	MaskAt      float64 `yaml:"mask_at"`      // old observations are masked
	SummarizeAt float64 `yaml:"summarize_at"` // older rounds become a summary
	ForceAt     float64 `yaml:"force_at"`     // the last resort
	MaskRounds  int     `yaml:"mask_rounds"`  // the newest rounds that are never masked
	KeepRounds  int     `yaml:"keep_rounds"`  // the newest rounds that are never summarised
	Observation int     `yaml:"observation"`  // tokens of one result before it becomes an artifact
	Filter      string  `yaml:"filter"`       // on, or off: of a long result its two ends are shown, whatever is looked for
}

// Policy says what needs asking. The first rule that fits decides; without one the built-in rules do.
type Policy struct {
	Rules   []Rule        `yaml:"rules"`
	Hosts   []string      `yaml:"hosts"`    // hosts that may be reached without asking
	AskTime time.Duration `yaml:"ask_time"` // how long an approval is open
}

// Rule decides for the calls that all of its set fields fit; globs are allowed.
type Rule struct {
	Tool    string `yaml:"tool"`
	Risk    string `yaml:"risk"` // read, write, execute, network
	Path    string `yaml:"path"`
	Domain  string `yaml:"domain"`
	Channel string `yaml:"channel"`
	Sender  string `yaml:"sender"`
	Action  string `yaml:"action"` // allow, ask, deny
}

// Budgets cap a root task and everything below it, and a person's day; 0 means no cap.
type Budgets struct {
	InputTokens  int           `yaml:"input_tokens"` // uncached
	Calls        int           `yaml:"calls"`
	Active       time.Duration `yaml:"active"`
	Tasks        int           `yaml:"tasks"`
	Warn         float64       `yaml:"warn"`          // share at which the agent is told to finish
	PersonTokens int           `yaml:"person_tokens"` // input that no cache held, and output
	PersonMoney  float64       `yaml:"person_money"`
}

// Sandbox is where programs run.
type Sandbox struct {
	Backend     string        `yaml:"backend"` // auto, bubblewrap, namespaces, landlock
	Max         int           `yaml:"max"`     // live at a time
	Timeout     time.Duration `yaml:"timeout"`
	Memory      Size          `yaml:"memory"`
	Output      Size          `yaml:"output"`
	Network     bool          `yaml:"network"`
	Passthrough []string      `yaml:"passthrough"` // gh, aws, gcloud, kubectl, docker
}

// Memory is how remembered things are kept and found.
type Memory struct {
	Core     Size          `yaml:"core"`      // of the part that is always in the prompt
	Top      int           `yaml:"top"`       // entries a recall gives
	Gate     float64       `yaml:"gate"`      // relevance below which nothing is recalled
	HalfLife time.Duration `yaml:"half_life"` // of recency
	Extract  bool          `yaml:"extract"`   // learn from finished tasks
}

// MCPServer is a tool server of the Model Context Protocol: a command, or a URL.
type MCPServer struct {
	Command  string            `yaml:"command"`
	Args     []string          `yaml:"args"`
	Env      map[string]Secret `yaml:"env"`
	URL      string            `yaml:"url"`
	Headers  map[string]Secret `yaml:"headers"`
	Timeout  time.Duration     `yaml:"timeout"`
	Disabled bool              `yaml:"disabled"`
}

// Tracing is where spans go and how long they stay.
type Tracing struct {
	OTLP string        `yaml:"otlp"` // OTLP/HTTP endpoint URL; empty sends nothing
	Keep time.Duration `yaml:"keep"`
}

// Log is the daemon's log file.
type Log struct {
	Level   string `yaml:"level"`    // debug, info, warn, error
	MaxSize Size   `yaml:"max_size"` // of one file
	Keep    int    `yaml:"keep"`     // files
}

// Disk is the space that must stay free for new work to be taken.
type Disk struct {
	Reserve Size `yaml:"reserve"`
}
