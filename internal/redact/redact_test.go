package redact_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/redact"
	"pgregory.net/rapid"
)

// Test keys are put together here so that no file holds text with the form of a real one.
var (
	letters = strings.Repeat("aB3dE6gH9jK2", 8)
	bot     = "123456789:AA" + letters[:33]
)

func TestPatterns(t *testing.T) {
	for name, secret := range map[string]string{
		"openai":     "sk-" + letters[:40],
		"project":    "sk-proj-" + letters[:60] + "_-x",
		"anthropic":  "sk-ant-api03-" + letters[:60],
		"google":     "AIza" + letters[:35],
		"aws":        "AKIA" + "ABCDEFGH12345678",
		"aws temp":   "ASIA" + "ABCDEFGH12345678",
		"telegram":   bot,
		"github":     "ghp_" + strings.ReplaceAll(letters, "-", "")[:36],
		"fine-grain": "github_pat_" + letters[:60],
		"gitlab":     "glpat-" + letters[:20],
		"slack":      "xoxb-" + "12345678901-" + letters[:24],
		"hugging":    "hf_" + letters[:34],
		"npm":        "npm_" + letters[:36],
		"groq":       "gsk_" + letters[:52],
		"xai":        "xai-" + letters[:80],
		"tavily":     "tvly-dev-" + letters[:32],
		"notion":     "ntn_" + letters[:46],
		"stripe":     "sk_" + "live_" + letters[:24],
		"stripe web": "whsec_" + letters[:32],
		"sendgrid":   "SG." + letters[:22] + "." + letters[:43],
		"google o2":  "ya29." + letters[:60],
		"vault":      "hvs." + letters[:40],
		"age":        "AGE-SECRET-" + "KEY-1" + strings.ToUpper(letters[:58]),
		"ocean":      "dop_v1_" + strings.Repeat("0af3", 16),
		"jwt":        "eyJ" + letters[:20] + ".eyJ" + letters[:30] + "." + letters[:40],
	} {
		for _, around := range []string{"%", "key=%", `{"k":"%"}`, "(%)", "a % b", "key: %\nnext", "https://h/p?key=%&x=1"} {
			text := strings.Replace(around, "%", secret, 1)
			want := strings.Replace(around, "%", redact.Mark, 1)
			if got := redact.New().String(text); got != want {
				t.Errorf("%s: %q became %q, want %q", name, text, got, want)
			}
		}
	}
}

func TestPatternsKeepWhatIsAround(t *testing.T) {
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA " + "PRIVATE KEY-----"
	for _, tt := range []struct{ in, want string }{
		{"Authorization: Bearer " + letters[:30], "Authorization: Bearer [redacted]"},
		{"authorization: bearer " + letters[:30] + "==", "authorization: bearer [redacted]"},
		{"Authorization: Basic " + "dXNlcjpwYXNz", "Authorization: Basic [redacted]"},
		{"postgres://app:hunter22@db:5432/x", "postgres://app:[redacted]@db:5432/x"},
		{"POST https://hooks.slack.com/services/" + letters[:44], "POST https://hooks.slack.com/services/[redacted]"},
		{"https://discord.com/api/webhooks/123456789/" + letters[:60], "https://discord.com/api/webhooks/123456789/[redacted]"},
		{"https://open.feishu.cn/open-apis/bot/v2/hook/" + letters[:36], "https://open.feishu.cn/open-apis/bot/v2/hook/[redacted]"},
		{"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=" + letters[:36], "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=[redacted]"},
		{"https://oapi.dingtalk.com/robot/send?access_token=" + letters[:64] + "&x=1", "https://oapi.dingtalk.com/robot/send?access_token=[redacted]&x=1"},
		{"x-api-key: " + letters[:30], "x-api-key: [redacted]"},
		{`{"X-Goog-Api-Key": "` + letters[:39] + `"}`, `{"X-Goog-Api-Key": "[redacted]"}`},
		{"curl -H 'PRIVATE-TOKEN: " + letters[:20] + "'", "curl -H 'PRIVATE-TOKEN: [redacted]'"},
		{"aws_secret_access_key = " + letters[:40], "aws_secret_access_key = [redacted]"},
		{"AWS_SECRET_ACCESS_KEY=" + letters[:40], "AWS_SECRET_ACCESS_KEY=[redacted]"},
		{"AccountName=a;AccountKey=" + letters[:86] + "==;EndpointSuffix=x", "AccountName=a;AccountKey=[redacted];EndpointSuffix=x"},
		{"SERVER=(local);UID=sa;PWD=Pass12!;", "SERVER=(local);UID=sa;PWD=[redacted];"},
		{"Server=db;Password=Pa$$w{0}rd;Timeout=3", "Server=db;Password=[redacted];Timeout=3"},
		{`{"Authorization": "Basic ` + "dXNlcjpwYXNz" + `"}`, `{"Authorization": "Basic [redacted]"}`},
		{"amqp://:hunter22@mq", "amqp://:[redacted]@mq"},
		{"GET https://api.telegram.org/bot77:abcdefgh_1/getMe", "GET https://api.telegram.org/bot77:abcdefgh_1/getMe"},
		{"GET https://api.telegram.org/bot7712:abcdefgh_1/getMe", "GET https://api.telegram.org/bot[redacted]/getMe"},
		{"a\n" + key + "\nb", "a\n[redacted]\nb"},
		{"cut off: " + key[:60], "cut off: [redacted]"},
		{"two " + bot + " and " + bot + ".", "two [redacted] and [redacted]."},
	} {
		if got := redact.New().String(tt.in); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestOrdinaryTextIsUntouched(t *testing.T) {
	for _, text := range []string{
		"",
		"sk-",
		"risk-based-approach-to-everything-we-do",
		"task-force-on-something-long-enough",
		"the bearer of this letter",
		"import sk-learn-style-pipelines-everywhere",
		"Bearer <your token>",
		"Bearer $OPENAI_API_KEY",
		"The token bearer system-wide",
		"basic authentication is off",
		"12:30:45 AA meeting at 10:AA",
		"2026-11-30T10:00:00Z order 123456789:17",
		"https://example.com:8443/a@b",
		"https://user@example.com/x",
		"mailto:someone@example.com",
		"ssh://git@host:22/repo.git",
		"see http://localhost:8080/v1 or ask@example.com",
		"AKIA is a prefix; AKIAshort too",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		"eyJhbGciOi is how a token begins",
		"t_abcdefghijklmnopqrstuvwx s-abcdefghijklmnopqrstuvwx",
		"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"服务在 10:01 之后失败：密钥没有问题",
		"robots.txt /bottom /bot/help",
		"set x-api-key: <your key> and api-key: $KEY",
		"npm_config_cache=/root/.npm npm_package_name",
		"half_ of hf_hub_download_and_other_long_function_names",
		"the webhook and https://example.com/hooks/deploy",
		"Server=db;Password=${DB_PASSWORD};",
		"aws_secret_access_key = YOUR_KEY",
		"SG.en.example and a sk_live_ prefix",
	} {
		if got := redact.New("correct horse battery").String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestKnownSecrets(t *testing.T) {
	secret := `p"ss w<rd/+=`
	inJSON, _ := json.Marshal(map[string]string{"password": secret})
	r := redact.New(secret, "  padded-secret\n", "short", "")
	for _, tt := range []struct{ in, want string }{
		{"it is " + secret + "!", "it is [redacted]!"},
		{string(inJSON), `{"password":"[redacted]"}`},
		{"?p=p%22ss+w%3Crd%2F%2B%3D&q=1", "?p=[redacted]&q=1"},
		{"x padded-secret x", "x [redacted] x"},
		{"short words stay short", "short words stay short"},
	} {
		if got := r.String(tt.in); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestTheLongerSecretGoesWhole(t *testing.T) {
	r := redact.New("abcdef")
	r.Add("abcdefghij")
	if got := r.String("x abcdefghij abcdef"); got != "x [redacted] [redacted]" {
		t.Errorf("got %q", got)
	}
}

func TestNilAndZero(t *testing.T) {
	var none *redact.Redactor
	if got := none.String(bot); got != bot {
		t.Errorf("nil redactor changed the text to %q", got)
	}
	if got := (&redact.Redactor{}).String(bot); got != redact.Mark {
		t.Errorf("zero redactor gave %q", got)
	}
}

func TestTwiceIsOnce(t *testing.T) {
	pieces := []string{bot, "sk-" + letters[:20], "postgres://a:hunter22@h", "plain ", "Bearer " + letters[:20], "\n", "secret-one", " "}
	r := redact.New("secret-one")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "text"), "")
		once := r.String(text)
		if twice := r.String(once); twice != once {
			t.Fatalf("%q became %q, then %q", text, once, twice)
		}
		if strings.Contains(once, "secret-one") {
			t.Fatalf("secret left in %q", once)
		}
	})
}

func TestWriterFindsSplitSecrets(t *testing.T) {
	key := "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH " + "PRIVATE KEY-----\n"
	text := "one secret-one two\n" + key + "bot " + bot + "\nlast secret-one"
	want := "one [redacted] two\n[redacted]\nbot [redacted]\nlast [redacted]"
	rapid.Check(t, func(t *rapid.T) {
		var out bytes.Buffer
		w := redact.New("secret-one").Writer(&out)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if got, err := w.Write([]byte(rest[:n])); got != n || err != nil {
				t.Fatalf("Write gave %d, %v", got, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil || out.String() != want {
			t.Fatalf("got %q, %v; want %q", out.String(), err, want)
		}
	})
}

func TestWriterIsBounded(t *testing.T) {
	var out bytes.Buffer
	w := redact.New("secret-one").Writer(&out)
	for range 100 {
		if _, err := w.Write(bytes.Repeat([]byte("x"), 4096)); err != nil {
			t.Fatal(err)
		}
	}
	if held := 100*4096 - out.Len(); held > 70<<10 {
		t.Errorf("a line without end keeps %d bytes back", held)
	}
}

func BenchmarkStringClean(b *testing.B) {
	text := strings.Repeat("2026-11-30T10:00:00Z INFO checkout request 8731 served in 12 ms, total: 17\n", 128)
	r := redact.New("secret-one", bot)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.String(text)
	}
}

func BenchmarkStringWithSecrets(b *testing.B) {
	text := strings.Repeat("2026-11-30T10:00:00Z INFO Bearer "+letters[:30]+" secret-one total: 17\n", 128)
	r := redact.New("secret-one", bot)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.String(text)
	}
}
