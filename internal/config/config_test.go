package config_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
)

func TestNoConfigIsNeeded(t *testing.T) {
	cfg := load(t, t.TempDir())
	if len(cfg.Endpoints) != 1 || cfg.Endpoints[0].Protocol != "offline" || cfg.Channels.Telegram.Enabled || cfg.Channels.Feishu.Enabled {
		t.Errorf("endpoints %+v, channels %+v", cfg.Endpoints, cfg.Channels)
	}
	for role, names := range cfg.Roles.Map() {
		if fmt.Sprint(names) != "[offline]" {
			t.Errorf("role %s = %v", role, names)
		}
	}
}

const full = `# everything that has a name
admin: {listen: "127.0.0.1:0"}
nats:
  listen: 127.0.0.1:4222
durability: power
pool:
  max: 0
  per_profile: 4
  idle: 90s
claim: {renew: 1s, ttl: 3s}
stop:
  grace: 500ms
rounds: {chat: 9, task: 60}
queue: steer
compiler: twin
offline: hold
endpoints:
  - name: local
    protocol: openai
    base_url: http://10.0.0.5:8000/v1
    model: small
    window: 32000
    price: {input: 0.5, cached: 0.05, output: 2}
    tags: [code, long]
  - name: big
    protocol: anthropic
    api_key: env:BIG_KEY
    model: large
roles:
  main: [big, local]
channels:
  telegram:
    token: file:tg.token
    allow: [1001, "1002"]
    allow_groups: [-1001234]
    per_sender: true
    rate: 0
tools: {disabled: [shell, "web_*"]}
context: {strategy: mask}
policy:
  hosts: [example.org]
  rules:
    - {tool: run_shell, channel: telegram, action: allow}
budgets: {calls: 10}
sandbox: {memory: 64 MiB, passthrough: [gh]}
memory: {core: 4KiB, extract: false}
mcpServers:
  files:
    command: mcp-files
    args: [--root, /srv]
    env: {TOKEN: env:MCP_TOKEN}
  far: {url: "https://mcp.example.org/mcp", headers: {Authorization: "file:tg.token"}}
tracing: {otlp: "http://127.0.0.1:4318/v1/traces"}
log: {level: debug, max_size: 1MB}
disk: {reserve: 0}
retention: 48h
plan: ask
`

func fullHome(t *testing.T) (string, []string) {
	home := homeWith(t, full)
	write(t, filepath.Join(home, "tg.token"), "12345:SECRET-TG\n", 0o600)
	return home, []string{
		"BIG_KEY=SECRET-BIG", "MCP_TOKEN=SECRET-MCP", "OPENAI_API_KEY=SECRET-UNUSED", "AKITA_POOL_PER_PROFILE=8",
		"AKITA_TOOLS_ENABLED=files, shell", `AKITA_ROLES_JUDGE=local`,
	}
}

func TestFileAndVariables(t *testing.T) {
	home, env := fullHome(t)
	cfg := load(t, home, env...)
	for _, tt := range []struct {
		what      string
		got, want any
	}{
		{"pool", cfg.Pool, config.Pool{Max: 0, PerProfile: 8, Idle: 90 * time.Second}},
		{"claim", cfg.Claim, config.Claim{Renew: time.Second, TTL: 3 * time.Second}},
		{"words", []string{cfg.Durability, cfg.Queue, cfg.Compiler, cfg.Plan, cfg.Offline}, []string{"power", "steer", "twin", "ask", "hold"}},
		{"endpoints", len(cfg.Endpoints), 3},
		{"local", cfg.Endpoints[0].Price, config.Price{Input: 0.5, Cached: 0.05, Output: 2}},
		{"local window", []int{cfg.Endpoints[0].Window, cfg.Endpoints[0].MaxOutput, cfg.Endpoints[0].MaxInflight}, []int{32000, 8000, 64}},
		{"big address", cfg.Endpoints[1].BaseURL, "https://api.anthropic.com"},
		{"big key", cfg.Endpoints[1].APIKey.Reveal(), "SECRET-BIG"},
		{"last", cfg.Endpoints[2].Name, "offline"},
		{"main", cfg.Roles.Main, []string{"big", "local", "offline"}},
		{"judge", cfg.Roles.Judge, []string{"local", "offline"}},
		{"planner", cfg.Roles.Planner, []string{"local", "big", "offline"}},
		{"token", cfg.Channels.Telegram.Token.Reveal(), "12345:SECRET-TG"},
		{"telegram on", cfg.Channels.Telegram.Enabled, true},
		{"allow", cfg.Channels.Telegram.Allow, []string{"1001", "1002"}},
		{"groups", cfg.Channels.Telegram.AllowGroups, []string{"-1001234"}},
		{"per sender", cfg.Channels.Telegram.PerSender, true},
		{"rate", cfg.Channels.Telegram.Rate, 0.0},
		{"tools", cfg.Tools, config.Tools{Enabled: []string{"files", "shell"}, Disabled: []string{"shell", "web_*"}, Timeout: 10 * time.Second}},
		{"sizes", []config.Size{cfg.Sandbox.Memory, cfg.Memory.Core, cfg.Log.MaxSize, cfg.Disk.Reserve}, []config.Size{64 << 20, 4 << 10, 1_000_000, 0}},
		{"mcp env", cfg.MCPServers["files"].Env["TOKEN"].Reveal(), "SECRET-MCP"},
		{"mcp args", cfg.MCPServers["files"].Args, []string{"--root", "/srv"}},
		{"rules", cfg.Policy.Rules, []config.Rule{{Tool: "run_shell", Channel: "telegram", Action: "allow"}}},
		{"retention", cfg.Retention, 48 * time.Hour},
		{"outgoing", cfg.Outgoing(), []string{"http://10.0.0.5:8000/v1", "http://127.0.0.1:4318/v1/traces", "https://api.anthropic.com", "https://api.telegram.org", "https://mcp.example.org/mcp"}},
		{"secrets", cfg.Secrets(), []string{"SECRET-BIG", "12345:SECRET-TG", "12345:SECRET-TG", "SECRET-MCP"}},
	} {
		if !reflect.DeepEqual(tt.got, tt.want) {
			t.Errorf("%s = %v, want %v", tt.what, tt.got, tt.want)
		}
	}
}

// However a configuration is printed, no secret is in it.
func TestSecretsAreNotShown(t *testing.T) {
	home, env := fullHome(t)
	env = append(env, "AKITA_NATS_URL=nats://bob:SECRET-URL@10.0.0.9:4222", "AKITA_NATS_LISTEN=")
	write(t, filepath.Join(home, config.FileName), strings.Replace(full, "  listen: 127.0.0.1:4222", "  listen:", 1), 0o600)
	cfg := load(t, home, env...)
	cfg.NATS.URL = "" // an address is shown by Explain alone, which hides the user
	asJSON, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf("%v\n%+v\n%#v\n%s\n%v %s %q", cfg, cfg, cfg, asJSON, cfg.Endpoints[1].APIKey, cfg.Endpoints[1].APIKey, cfg.Endpoints[1].APIKey)
	if strings.Contains(shown, "SECRET") || !strings.Contains(shown, "[set]") {
		t.Error(shown)
	}
	again := load(t, home, env...)
	for _, line := range config.Explain(again) {
		if strings.Contains(line.Value, "SECRET") {
			t.Errorf("%+v", line)
		}
	}
}

func TestExplain(t *testing.T) {
	home, env := fullHome(t)
	var out strings.Builder
	for _, l := range config.Explain(load(t, home, append(env, "FEISHU_APP_ID=cli_1", "FEISHU_APP_SECRET=SECRET")...)) {
		fmt.Fprintf(&out, "%-36s %-40s %s\n", l.Key, l.Value, l.Source)
	}
	golden(t, "explain.txt", []byte(out.String()))
}

// broken has one of each kind of mistake; the golden file is what the owner reads.
const broken = `admin:
  listen: 0.0.0.0:80
pool:
  mxa: 3
  max: many
  idle: 30
poool: {}
rounds: {chat: 0, task: "12"}
queue: later
queue: steer
claim: 3
stop: {grace: -1s}
endpoints:
  - name: Big One
    protocol: opanai
    base_url: ftp://x
    prise: {}
  - {name: a, protocol: openai, vendor: opnai, strict: yes}
roles: {main: [b], plan: [a]}
channels:
  telegram: {token: env:NOT_SET, allow: ["@bob", -100123, "1|bob"], allow_groups: [5]}
  feishu: {app_secret: "file:missing", allow: [oc_1]}
  slack: {}
context: {mask_at: 0.9}
policy: {rules: [{action: maybe}]}
sandbox: {memory: lots, network: yes, passthrough: [ssh]}
mcpServers: {Bad Name: {}, both: {command: x, url: "https://x"}}
memory: &anchor {top: 0}
tools: {disabled: shell}
log: [debug]
`

func TestEveryProblemIsNamedAtOnce(t *testing.T) {
	home := homeWith(t, broken)
	_, err := config.Load(home, []string{
		"AKITA_POOL_MXA=1", "AKITA_HOME=/x", "AKITA_TEST_CHILD=1", "AKITA_SOMETHING_ELSE=1", "AKITA_STOP_GRACE=soon",
		"AKITA_NATS_REPLICAS=2", "AKITA_MCP_SERVERS={", "AKITA_TRACING_OTLP=localhost",
	})
	if akitad.KindOf(err) != akitad.InvalidRequest {
		t.Fatalf("kind %s of %v", akitad.KindOf(err), err)
	}
	var p *config.Problem
	if !errors.As(err, &p) {
		t.Errorf("no Problem in %T", err)
	}
	golden(t, "broken.txt", []byte(strings.ReplaceAll(err.Error(), home, "HOME")+"\n"))
}

// A budget of 0 is none; one below 0 is a mistake.
func TestBudgets(t *testing.T) {
	cfg, err := config.Load(homeWith(t, "budgets: {input_tokens: 0, calls: 0, active: 0s, tasks: 0}"), nil)
	if err != nil || cfg.Budgets.Calls != 0 || cfg.Budgets.Active != 0 || cfg.Budgets.Tasks != 0 || cfg.Budgets.Warn != 0.8 {
		t.Errorf("%+v, %v", cfg.Budgets, err)
	}
	for _, bad := range []string{"calls: -1", "active: -1m", "tasks: -2", "input_tokens: -5", "person_money: -1", "warn: 1.5"} {
		if _, err := config.Load(homeWith(t, "budgets: {"+bad+"}"), nil); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), "budgets.") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestThinking(t *testing.T) {
	for _, tt := range []struct {
		protocol, tokens string
		ok               bool
	}{
		{"anthropic", "4096", true},
		{"anthropic", "0", true},
		{"openai", "0", true},
		{"anthropic", "100", false},
		{"anthropic", "-1", false},
		{"openai", "4096", false},
		{"anthropic", "adaptive", true},
		{"anthropic", "low", false},
		{"openai", "adaptive", false},
		{"gemini", "128", true},
		{"gemini", "adaptive", true},
		{"gemini", "high", true},
		{"gemini", "much", false},
		{"gemini", "-1", false},
	} {
		_, err := config.Load(homeWith(t, "endpoints: [{name: a, protocol: "+tt.protocol+", model: m, base_url: 'http://h', thinking: "+tt.tokens+"}]"), nil)
		if (err == nil) != tt.ok || err != nil && !strings.Contains(err.Error(), "endpoints[0].thinking") {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// What bounds a model call is the endpoint's own time, else that of all, else the default.
func TestTimesOfModelCalls(t *testing.T) {
	const one = "endpoints: [{name: a, protocol: openai, model: m, base_url: 'http://h'"
	for _, tt := range []struct {
		name, text string
		env        []string
		want       string
	}{
		{"defaults", one + "}]", nil, "10s 30s 1m0s 2m0s 10m0s 3 1s 30s"},
		{"of all", "llm: {timeouts: {connect: 3s, first_byte: 90s, idle: 2m, whole: 5m, longest: 1h}, retry: {tries: 5, base: 200ms, cap: 9s}}\n" + one + "}]", nil, "3s 1m30s 2m0s 5m0s 1h0m0s 5 200ms 9s"},
		{"its own", "llm: {timeouts: {first_byte: 90s, idle: 2m}}\n" + one + ", connect: 1s, first_byte: 5s, whole: 4m, stream: off}]", nil, "1s 5s 2m0s 4m0s 10m0s 3 1s 30s"},
		{"zero is no time of its own", one + ", first_byte: 0, idle: 0s}]", nil, "10s 30s 1m0s 2m0s 10m0s 3 1s 30s"},
		{"variables, for a vendor's key too", "", []string{"OPENAI_API_KEY=k", "AKITA_LLM_TIMEOUTS_IDLE=7s", "AKITA_LLM_RETRY_TRIES=1"}, "10s 30s 7s 2m0s 10m0s 1 1s 30s"},
	} {
		cfg := load(t, homeWith(t, tt.text), tt.env...)
		e, r := cfg.Endpoints[0], cfg.LLM.Retry
		if got := fmt.Sprint(e.Connect, e.FirstByte, e.Idle, e.Whole, cfg.LLM.Timeouts.Longest, r.Tries, r.Base, r.Cap); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	for text, want := range map[string]string{
		"llm: {timeouts: {idle: 0}}":                        "akitad.yaml:1: llm.timeouts.idle: 0s is out of range; write a time above 0 and up to 10m0s",
		"llm: {timeouts: {longest: 48h}}":                   "llm.timeouts.longest: 48h0m0s is out of range",
		"llm: {timeouts: {longest: 1m, whole: 2m}}":         "llm.timeouts.whole: 2m0s is out of range; write a time above 0 and up to 1m0s",
		"llm: {timeouts: {firstbyte: 1m}}":                  "did you mean llm.timeouts.first_byte?",
		"llm: {retry: {tries: 0}}":                          "llm.retry.tries: 0 is out of range",
		"llm: {health: {failures: 0}}":                      "llm.health.failures: 0 is out of range",
		"llm: {health: {within: 0s}}":                       "llm.health.within: 0s is out of range",
		"llm: {health: {probe: 25h}}":                       "llm.health.probe: 25h0m0s is out of range",
		"llm: {health: {probes: 1m}}":                       "did you mean llm.health.probe?",
		"tools: {timeout: 0s}":                              "tools.timeout: 0s is out of range",
		"tools: {timeout: 2h}":                              "tools.timeout: 2h0m0s is out of range; write a time above 0 and up to 1h0m0s",
		"llm: {retry: {base: 1m}}":                          "llm.retry.cap: 30s is shorter than the first wait of 1m0s",
		one + ", connect: 20m}]":                            "endpoints[0].connect: 20m0s is out of range",
		one + ", idle: -1s}]":                               "endpoints[0].idle: \"-1s\" is not a duration",
		one + ", stream: maybe}]":                           "endpoints[0].stream: \"maybe\" is not known; write one of: on, off",
		"llm: {timeouts: {first_byte: 99h}}\n" + one + "}]": "read configuration: akitad.yaml:1: llm.timeouts.first_byte: 99h0m0s is out of range",
	} {
		if _, err := config.Load(homeWith(t, text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

func TestYAMLThatCannotBeRead(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"pool: {max: 1", "akitad.yaml:1: is not valid YAML"},
		{"a: b: c", "akitad.yaml:1: is not valid YAML"},
		{"pool:\n\tmax: 1", "is not valid YAML"},
		{"pool: {max: 1}\n---\nqueue: steer", "second document"},
		{"- a", "is a list where keys are expected"},
		{"just words", "is a single value where keys are expected"},
		{"queue: *x", "akitad.yaml:1: queue: anchors, aliases and tags"},
		{"channels: {telegram: {allow: *}}", "akitad.yaml:1"},
		{"<<: {queue: steer}", "<<: no such key"},
		{"endpoints:\n- url: x", "endpoints[0].url: no such key; did you mean endpoints[0].base_url?"},
		{"endpoints:\n- token: x", "endpoints[0].token: no such key; known here: endpoints[0].name, "},
		{"pool.max: 3", "pool.max: no such key; write pool: and on a line below it, indented, max:"},
		{"pool：\n  max：3", "： is another character"},
		{"queue: !!str steer", "tags are not read"},
		{"queue: steer\nlog: {level: inf\xf6}", "akitad.yaml:2: is not text in UTF-8; save it as UTF-8"},
		{"\xff\xfep\x00o\x00o\x00l\x00:\x00\n\x00", "akitad.yaml:1: is not text in UTF-8"},
		{"%YAML 1.2\n---\nqueue: steer\n---\npool: {max: 1}\n", "second document"},
		{"admin: {insecure: yes}", "neither true nor false"},
		{strings.Repeat("[", 200_000), "more than 64 levels deep"},
		{strings.Repeat("- ", 100_000), "more than 64 levels deep"},
		{strings.Repeat("a: 1\n", 3_000), "3000 problems, the first 100 of them"},
	} {
		_, err := config.Load(homeWith(t, tt.text), nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
	for _, ok := range []string{"", "# only words\n", "---\n", "pool:\n", "\ufeffqueue: steer\n", "queue: steer\r\npool:\r\n  max: 3\r\n", "queue: |-\n  steer\n", "%YAML 1.2\n---\nqueue: steer\n", "admin: {insecure: True}\n"} {
		if _, err := config.Load(homeWith(t, ok), nil); err != nil {
			t.Errorf("%q: %v", ok, err)
		}
	}
}

func TestFileThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, config.FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	nowhere := t.TempDir()
	if err := os.Symlink(filepath.Join(nowhere, "gone"), filepath.Join(nowhere, config.FileName)); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(filepath.Join(nowhere, config.FileName), nil); err != nil {
		t.Errorf("a home that is not there yet: %v", err)
	}
	file := filepath.Join(homeWith(t, "queue: steer"), config.FileName)
	for what, home := range map[string]string{
		"a folder":           dir,
		"a link to nothing":  nowhere,
		"a home of a file":   file,
		"a home in a file":   filepath.Join(file, "x"),
		"too long to be one": filepath.Join(dir, strings.Repeat("x", 300)),
		"too big":            homeWith(t, "# "+strings.Repeat("x", 300<<10)),
	} {
		_, err := config.Load(home, nil)
		e, ok := errors.AsType[*akitad.Error](err)
		if !ok || e.Kind != akitad.InvalidRequest || e.Hint == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestSecretsMustBeClosedToOthers(t *testing.T) {
	literal := "endpoints: [{name: a, protocol: openai, model: m, api_key: sk-literal}]\n"
	reference := strings.Replace(literal, "sk-literal", "env:KEY", 1)
	for _, tt := range []struct {
		name, text string
		mode, file os.FileMode
		want       string
	}{
		{"literal, closed", literal, 0o600, 0, ""},
		{"literal, read-only", literal, 0o400, 0, ""},
		{"literal, open", literal, 0o644, 0, "chmod 600"},
		{"literal, group", literal, 0o640, 0, "chmod 600"},
		{"reference, open", reference, 0o644, 0, ""},
		{"no secret, open", "queue: steer", 0o644, 0, ""},
		{"secret file, closed", strings.Replace(literal, "sk-literal", "file:key", 1), 0o644, 0o600, ""},
		{"secret file, open", strings.Replace(literal, "sk-literal", "file:key", 1), 0o644, 0o604, "key can be read by others (mode 0604); run: chmod 600"},
	} {
		home := homeWith(t, tt.text)
		if err := os.Chmod(filepath.Join(home, config.FileName), tt.mode); err != nil {
			t.Fatal(err)
		}
		if tt.file != 0 {
			write(t, filepath.Join(home, "key"), "sk-in-file", tt.file)
		}
		_, err := config.Load(home, []string{"KEY=sk-env"})
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "sk-")) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A list of words may be written as JSON in a variable: read as words it would switch nothing off. What files of
// variables leave around a value is no part of it.
func TestHowVariablesAreWritten(t *testing.T) {
	for _, tt := range []struct{ set, key, want string }{
		{`AKITA_TOOLS_DISABLED=run_shell, grep`, "tools.disabled", "run_shell, grep"},
		{`AKITA_TOOLS_DISABLED=["run_shell","grep"]`, "tools.disabled", "run_shell, grep"},
		{`AKITA_TOOLS_DISABLED= [run_shell]`, "tools.disabled", "run_shell"},
		{`AKITA_TOOLS_DISABLED=[]`, "tools.disabled", ""},
		{`AKITA_CHANNELS_TELEGRAM_ALLOW_GROUPS=["-1001"]`, "channels.telegram.allow_groups", "-1001"},
		{"AKITA_POOL_MAX= 9\r", "pool.max", "9"},
		{"AKITA_QUEUE=steer\r\n", "queue", "steer"},
		{"AKITA_POOL_IDLE=5m ", "pool.idle", "5m0s"},
		{"AKITA_ADMIN_INSECURE=TRUE", "admin.insecure", "true"},
	} {
		for _, l := range config.Explain(load(t, t.TempDir(), tt.set)) {
			if l.Key == tt.key && l.Value != tt.want {
				t.Errorf("%q: %s is %q, want %q", tt.set, l.Key, l.Value, tt.want)
			}
		}
	}
	if _, err := config.Load(t.TempDir(), []string{`AKITA_TOOLS_DISABLED=["run_shell"`}); err == nil || !strings.Contains(err.Error(), "env AKITA_TOOLS_DISABLED") {
		t.Errorf("an open bracket: %v", err)
	}
}

// A variable as shells write it is not replaced, and is not what anything is called.
func TestValuesAreNoShellVariables(t *testing.T) {
	for text, want := range map[string]string{
		`"${MY_KEY}"`: "write env:MY_KEY", `$MY_KEY`: "write env:MY_KEY", `"${my_key}"`: "write env:my_key", `"${MY_KEY:-none}"`: "write env:MY_KEY", `"${MY_KEY-}"`: "write env:MY_KEY", `"${MY_KEY:?set it}"`: "write env:MY_KEY",
		`"$2b$10$abc"`: "", `"$abc"`: "", `"${MY_KEY"`: "", `"a${MY_KEY}"`: "", `"$MY_KEY-1"`: "", `env:MY_KEY`: "",
	} {
		_, err := config.Load(homeWith(t, "endpoints: [{name: a, protocol: openai, model: m, api_key: "+text+"}]\n"), []string{"MY_KEY=sk-x"})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for text, ok := range map[string]bool{"${MODEL}": false, "$MODEL": false, "a-${MODEL}": true, "$model": true, "gpt-5": true} {
		_, err := config.Load(homeWith(t, "endpoints: [{name: a, protocol: openai, base_url: 'http://127.0.0.1:1', model: '"+text+"'}]\n"), nil)
		if (err == nil) != ok || !ok && !strings.Contains(err.Error(), "akitad.yaml:1: endpoints[0].model") {
			t.Errorf("model %s: %v", text, err)
		}
	}
}
