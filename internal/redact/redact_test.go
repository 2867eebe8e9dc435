package redact_test

import (
	"encoding/base64"
	"encoding/hex"
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
		"stripe try": "sk_" + "test_" + letters[:24],
		"slack web":  "xoxc-" + letters[:60],
		"slack new":  "xoxe.xoxp-" + "1-" + letters[:60],
		"deploy":     "gldt-" + letters[:20],
		"runner":     "glrt-" + letters[:20],
		"aliyun":     "LTAI" + letters[:20],
		"tencent":    "AKID" + letters[:32],
		"mailgun":    "key-" + strings.Repeat("0af3", 8),
		"bricks":     "dapi" + strings.Repeat("0af3", 8),
		"langsmith":  "lsv2_pt_" + strings.Repeat("0af3", 8) + "_0af30af3",
		"atlassian":  "ATATT3" + letters[:80],
		"docker":     "dckr_" + "pat_" + letters[:27],
		"tailscale":  "tskey-auth-" + letters[:12] + "-" + letters[:30],
		"fly":        "fm2_" + letters[:80],
		"zhipu":      strings.Repeat("0af3", 8) + "." + "QzX9kLmP" + "3rT7vWyA",
		"shop":       "shpss_" + strings.Repeat("0af3", 8),
		"encrypted":  "eyJ" + letters[:30] + "." + letters[:40] + "." + letters[:16] + "." + letters[:60] + "." + letters[:22],
		"direct":     "eyJ" + letters[:30] + ".." + letters[:16] + "." + letters[:60] + "." + letters[:22],
		"in a URL":   "123456789%3AAA" + letters[:33],
		"nvidia":     "nvapi-" + letters[:64],
		"pinecone":   "pcsk_" + letters[:5] + "_" + letters[:63],
		"grafana":    "glsa_" + letters[:32] + "_0af30af3",
		"new relic":  "NRAK-" + strings.ToUpper(letters[:27]),
		"airtable":   "pat" + letters[:14] + "." + strings.Repeat("0af3", 16),
		"terraform":  letters[:14] + ".atlasv1." + letters[:67],
		"supabase":   "sbp_" + strings.Repeat("0af3", 10),
		"firecrawl":  "fc-" + strings.Repeat("0af3", 8),
		"resend":     "re_" + letters[:8] + "_" + letters[:24],
		"mailchimp":  strings.Repeat("0af3", 8) + "-us12",
		"discord":    "MTA" + letters[:23] + ".G" + letters[:5] + "." + letters[:38],
		"dingtalk":   "SEC" + strings.Repeat("0af3", 16),
		"baidu":      "bce-v3/ALTAK-" + letters[:21] + "/" + strings.Repeat("0af3", 10),
		"facebook":   "EAAG" + letters + letters,
		"dashes":     "sk-abc1-def2-ghi3-jkl4-mno5",
		"jwt":        "eyJ" + letters[:20] + ".eyJ" + letters[:30] + "." + letters[:40],
	} {
		for _, around := range []string{"%", "key=%", `{"k":"%"}`, "(%)", "a % b", "key: %\nnext", "https://h/p?key=%&x=1", `{"out":"a\n%"}`, "\x1b[32m%\x1b[0m", `\u003d%`} {
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

// What a name says to be a secret is one, in settings, headers, cookies and addresses of any form, if it looks
// like one.
func TestSecretsByTheirNames(t *testing.T) {
	long, hex := letters[:40], strings.Repeat("0af3", 8)
	for _, tt := range []struct{ text, secret string }{
		{"db:\n  user: app\n  password: %\n", "Tr0ub4dor&3"},
		{`{"user":"app","password":"%"}`, "Tr0ub4dor&3"},
		{`{\"password\": \"%\"}`, "Tr0ub4dor3"},
		{"DB_PASSWORD=%\nHOME=/root", "Tr0ub4dor3"},
		{"PGPASSWORD='%' psql", "hunter22"},
		{"mysqldump --password=% db", "hunter22"},
		{"user\tpassword\trole\nbob\t%\tadmin\n", "hunter22"},
		{"[smtp]\npasswd = %", "hunter22"},
		{"machine x.com login bob password %", "hunter22"},
		{"curl -u admin:% https://x", "hunter22"},
		{"curl --user 'admin:%' https://x", "hunter22"},
		{"密码：%，请保密", "hunter22"},
		{"数据库密码是%。", "hunter22"},
		{"DJANGO_SECRET_KEY=%", long},
		{"export GH_TOKEN=%\n", long},
		{"OPENAI_API_KEY=%", long},
		{"secretKey: \"%\"", hex},
		{`{"client_secret":"%"}`, letters[:24]},
		{`{"refresh_token": "%"}`, "1//0g" + long},
		{`"app_secret":"%"`, hex},
		{`{"auths":{"ghcr.io":{"auth":"%"}}}`, "Ym9iOmFCM2RFNmdIOWpLMg=="},
		{"//registry.npmjs.org/:_authToken=%", long},
		{"AZURE_CLIENT_SECRET=%", "abc8Q~" + letters[:34]},
		{"aws_session_token = %", letters[:90] + "//"},
		{"  token: %", "ZXlKaGJHY2lPaUpTVXpJMU5pSXNJ"},
		{"Cookie: theme=dark; sessionid=%; lang=en", hex},
		{"set-cookie: id=%; HttpOnly", hex},
		{`{"Cookie": "id=%"}`, hex},
		{"JSESSIONID=%", hex},
		{"Authorization: token %", long},
		{"Authorization: Bot %", "MTk4NjIyNDgz.Cl2FMQ." + letters[:27]},
		{"Authorization: %", long},
		{`{\"Authorization\": \"Bearer %\"}`, long},
		{"Authorization: Bearer %", "mF_9.B5f-4.1JqMx"},
		{"Proxy-Authorization: Basic %", "dXNlcjpwYXNz"},
		{"X-Auth-Token: %", long},
		{"GET /x?access_token=%&y=1", long},
		{"GET /login?user=a&password=%&next=/", "hunter22"},
		{"https://api.x.com/v1?api_key=%", hex},
		{"https://a.blob.core.windows.net/c?sv=2022&sig=%&se=2026", letters[:43] + "%3D"},
		{"?X-Amz-Date=20261130T000000Z&X-Amz-Signature=%", hex + hex},
		{"https://x.com/cb?code=%&state=1", letters[:30]},
		{"https://api.weixin.qq.com/cgi-bin/token?appid=wx1&secret=%", hex},
		{"git clone https://%@github.com/a/b", "ghx" + letters[:30]},
		{"https://x-access-token:%@github.com/a/b.git", long},
		{"postgres://app:%@db:5432/x", "p@ssw0rd!x"},
		{"postgres://app:%@db/x", "p%40ss%3Aw0rd%2Fx"},
		{"DB_PASS=%\nPORT=8080", "x7Kq!vWm2z"},
		{"SMTP_PASS=\"%\"", "wq8#Lr0p$T"},
		{`"password": "%",`, "a(b)1{c},d"},
		{"PASSWORD=%", "Pa$$w0rd1"},
		{"[db]\npass = \"%\"", "Gh7kL2pQ9w"},
		{"redis:\n  auth: %\n", "Vq9wLm3TzK"},
		{"passwort=%", "R4bzQ8wn"},
		{"db:\n  password: >-\n    %\n  host: h", "k8Wq2zLmP0"},
		{"密 码：%", "Wz8kQm4t"},
		{"密码：%，别外传", "123456"},
		{"The wifi password is %, please do not share", "blue7Horse!92"},
		{"the password is %", "hunter22"},
		{"wifi密码为：%", "lucky8888"},
		{"账号root，密码%，端口3306", "Kz8#wQm4"},
		{"- **Password:** `%`", "Yk8z!Qm4"},
		{"<user>bob</user><password>%</password>", "Qk4mWz8t"},
		{"define('DB_PASSWORD', '%');", "Vk8zQm4t"},
		{"SET PASSWORD FOR a = PASSWORD('%')", "Zq8kWm4t"},
		{"User name,Access key ID,Secret access key\nbob,x,%\n", letters[:40]},
		{"open(\"app:%@account/db\")", "Pk8zQm4t"},
		{"lftp -u bob,% ftp.example.com", "Sk8zQm4t"},
		{"Ocp-Apim-Subscription-Key: %", hex},
		{"https://x.webhook.office.com/webhookb2/a@b/IncomingWebhook/%", hex + "/e19ccd73-16f4-42ed-af39-e9eca5724b27"},
		{"requirepass %\n", "foobared1"},
		{"CREATE USER a IDENTIFIED BY '%'", "hunter22"},
		{"ALTER ROLE a WITH PASSWORD '%'", "hunter22"},
		{"env:\n- name: DB_PASSWORD\n  value: %\n", "Lp4kWq8zTn"},
		{`{"name":"API_TOKEN","value":"%"}`, "Lp4kWq8zTn"},
		{"| user | password |\n|---|---|\n| bob | `%` |\n", "Kq8z!Wm4t"},
		{"name,Password,age\nbob,%,7\n", "hunter22"},
		{"| 账号 | 初始密码 |\n|---|---|\n| bob | % |", "hunter22"},
		{"mysql -uroot -p% shop", "Wk8zQm4t"},
		{"sshpass -p '%' ssh a@b", "Kq4wZ8tm"},
		{"redis-cli -h r1 -a % ping", "Tz6kWq9mL2"},
		{"curl -u bob:%", "hunt;er22"},
		{"cat f | sshpass -p foo mysql -uroot -p% shop; mysql", "Wk8zQm4t"},
		{"curl \\\n  -X POST \\\n  -d a=1 \\\n  -d b=2 \\\n  -u bob:% https://x", "hunter22"},
		{`sql.Open("mysql", "app:%@tcp(db:3306)/shop")`, "Kz8wQm4tLx"},
		{"jdbc:oracle:thin:scott/%@db:1521:orcl", "t1gerW8qz"},
		{"db.example.com:5432:app:app:%\n", "mQ7zK4vTx9"},
		{"kind: Secret\ndata:\n  root: %\nmetadata:\n  name: db", "cm9vdHBhc3N3ZA=="},
		{"a: 1\n---\ndata:\n  root: %\nkind: Secret\n---\nkind: ConfigMap\ndata:\n  port: \"80\"\n", "cm9vdHBhc3N3ZA=="},
		{`{"kind": "Secret", "data": {"root": "%"}}`, "cm9vdHBhc3N3ZA=="},
		{"?OSSAccessKeyId=x&Signature=%", "x/XMo1juppfcBh2fvc1NC2+GxSi%3D"},
		{"Client(\"AC" + hex + "\", \"%\")", hex},
		{"> %", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib2I" + letters[:20] + "\n> " + letters[:20] + "." + letters[:43]},
		{"token:\n%\nkeep it safe", "123456789:AA" + letters[:18] + "\n" + letters[:15]},
		{"key:\n%\nand so on", "sk-proj-" + letters[:40] + "\n" + letters[3:43] + "\r\n  " + letters[5:25]},
		{"Private-Lines: 1\n%", letters[:60] + "\nPrivate-MAC: " + hex},
	} {
		in, want := strings.Replace(tt.text, "%", tt.secret, 1), strings.Replace(tt.text, "%", redact.Mark, 1)
		if got := redact.New().String(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// What was configured goes in any code, and where a line ends in the midst of it.
func TestKnownSecretsInOtherCodes(t *testing.T) {
	secret := "hunter2-very<secret>/+="
	r := redact.New(secret)
	for _, before := range []string{"", "u", "us", "use", "user:"} {
		for _, code := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
			text := code.EncodeToString([]byte(before + secret + "; and more"))
			if got := r.String("see " + text + "."); !strings.Contains(got, redact.Mark) || len(got) > len(text)/2+30 {
				t.Errorf("%q in %s became %q", before, text, got)
			}
		}
	}
	for _, text := range []string{
		hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))), `hunter2-very<secret>\/+=`, "hunter2-very&lt;secret&gt;/+=",
		"hunter2-very%3csecret%3e%2f%2b%3d", "hunter2-very%253Csecret%253E%252F%252B%253D", "hunter2-\nvery<secret>/+=", "hunter2-very<secret>\r\n   /+=", "hunter2-very\\\n<secret>/+=",
		"\"hunter2-\"\n + \"very<secret>/+=",
	} {
		if got := r.String("see " + text + "."); strings.Contains(got, "hunter2") || strings.Contains(got, "cret>") || !strings.Contains(got, redact.Mark) {
			t.Errorf("%q became %q", text, got)
		}
	}
	if text := "hunter2\nis no secret"; r.String(text) != text {
		t.Errorf("became %q", r.String(text))
	}
}

// The shortest secrets that are found in base64, and over line ends: whichever half is broken, and whichever of several it is.
func TestShortestSecretsInOtherCodes(t *testing.T) {
	short, broken, other := "Tr0ub4dor3", "plum-tree-orchid", "sand-dune-and-sea"
	r := redact.New(short, broken, other)
	for _, text := range []string{
		base64.StdEncoding.EncodeToString([]byte("user:" + short)), hex.EncodeToString([]byte(short)),
		"plum-\ntree-orchid", "plum-tree-or\nchid", "sand-\ndune-and-sea", "sand-dune-an\nd-sea",
	} {
		got := r.String("see " + text + ".")
		if !strings.Contains(got, redact.Mark) || strings.Contains(got, "orchid") || strings.Contains(got, "plum") || strings.Contains(got, "sand") {
			t.Errorf("%q became %q", text, got)
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
		"sk-learn-0-24-release-notes-for-all of them",
		"Bearer authentication-with-oauth2-tokens",
		"commit 3f786850e387550fdab836ed7e6dc881de23001b, key 550e8400-e29b-41d4-a716-446655440000",
		"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
		"password: <your password 1>",
		"password = os.environ['DB_PASSWORD_2']",
		"password = config.database1.password",
		"if password == \"\" { return err1 }",
		"password: ********",
		"password=${DB_PASSWORD_1} pwd=$PWD1 passwd={{ vault_password1 }}",
		"the password must have 8-20 characters; password: required",
		"PASSWORD_RESET_TIMEOUT_DAYS=3000000 password_min_length=8",
		"passwordHash := bcrypt.GenerateFromPassword(pw, cost1)",
		"passwordRegex = /^(?=.*\\d).{8,}$/",
		"PWD=/root/project1 OLDPWD=/root/project22",
		"const token = getTokenFromStore2();",
		"token := strings.Split(s, \" \")[1]",
		"token: str = Field(min_length=1234567)",
		"api_key = settings.openai_api_key_v2_from_environment",
		"access_token: {type: string, description: the token}",
		"OPENAI_API_KEY=your-api-key-1234567890",
		"secret: projects/my-project/secrets/database/versions/1",
		"secretName: my-database-credentials-2 tokenizer=cl100k_base_2024_version",
		"max_tokens=40960000000000000 tokens_per_minute: 1000000000000000000",
		"cache_key=users_2024_archive_of_all public_key: AAAAB3NzaC1yc2EAAAADAQABAAABgQC7",
		"https://x.com/i?key=images/3f786850e387550fdab836ed7e6dc881de23001b.png",
		"https://x.com/?code=ERR_CONNECTION_REFUSED_404&key=2026-quarterly-report-v2-final",
		"Cookie: theme=dark; lang=en-US; consent=accepted-all-cookies-2026",
		"docker run -u 1000:100000 -p 8080:8080 x",
		"https://user:$PASS@host https://user:{password}@host postgres://user:${DB_PASSWORD}@db/x https://u:<password>@h",
		"https://very-long-user-name-of-2026@example.com/x",
		"docker run -u user1:group123 x; docker run --user app01:staff02 x; chown user1:group123 x",
		"session_id: 82425751-9563-44ef-a3bd-6219a7c15aaa",
		`{"nextPageToken":"weWtYE2GaDPxVB1ANC3BcyQ1Rhay0Rcp", "next_page_token": "b2Zmc2V0PTEwMCZsaW1pdD01MA=="}`,
		"continuation_token: cGFnZT0yO3NpemU9MTAwO3NoYXJkPTc file_token: boxcn2tMprumYVfHHZF0VFH4ucZ",
		"this.password = password1; { password: password2 }", "the file is sk-2026-report-v3-final2-draft1.docx",
		"Idempotency-Key: 3f786850e387550fdab836ed7e6dc881de23001b", "mailto:bob1234@example.com/x app:v1.2.3-rc4@sha256:3f786850e387550fdab836ed7e6dc881de23001b",
		`fields = ["password", "address2"]`, "密码CS255", "if password > 8characters", "id,secret\n1,none1\n",
		"--- PASS: TestLogin2Password (0.01s)", "pass: TestLogin2Password", "auth: oauth2_client_v2",
		"the password is base64 encoded, the password is sha256 hashed", "the password was changed; password is required",
		"mysql --port=33060 -P 33060 -h db1.example.com", "curl -A Mozilla5 -u bob https://x:8443/a1", "wget -U Mozilla:5 x",
		"mysql shop | grep -pattern12",
		"| password | min |\n|---|---|\n| required | 8 |\n", "id,password_hash\n1,argon2id1\n",
		"kind: SealedSecret\ndata:\n  a: b\n", "kind: Secret\nmetadata:\n  name: a\n", "kind: ConfigMap\ndata:\n  port: a1b2c3d4\n",
		"name: max_tokens\nvalue: 4096", "name: password\nvalue: required", "started at password: 12:30:45",
		"npm_abc sbp_ re_compile_of_2024_patterns_and_more_of_it fc-list-all-fonts-and-their-names",
		"linux-go-3f786850e387550fdab836ed7e6dc881de23001b toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL",
		"密码至少需要8位，且包含数字。密码不对",
		"if code := call(\"POST\", secret, hi); code != 503 {\n\tt.Errorf(\"before Run: %d, want 503\", code)\n",
		"- `APP_USER`, `APP_PASSWORD`\n- `A`, `B` in version 2.1x",
		"names = [\n    \"pwd\",\n    \"quad2d\",\n    \"str2double\",\n]", "auth = base64.b64encode(user.encode()); x.Token = oa.v1User.BearerToken",
		`K8SVolumeTypeSecret = K8SVolumeTypeKey.String("secret"); DIALOG_TOKEN = C.NL80211_ATTR_TDLS_DIALOG_TOKEN; Secret: TPM2BEncryptedSecret{}`,
		"const NTE_INCORRECT_PASSWORD = -2146893773", `"parse-passwd": "^1.0.0", "rows are identified by sqlite_stat1.tbl."`,
		`"/etc/passwd": "agent:x:1000:1000:agent:/home:/bin/sh"`, "curl -s https://x; docker run -u user1:group123 x",
		"sk-ssh-ed25519-cert-v01@openssh.com,sk-ecdsa-sha2-nistp256-cert-v01@openssh.com sk-ssh-ed25519@openssh.com AAAAGnNrLXNz", "https://x/#sk-hynix-ddr5-4800-16gb",
		"main." + strings.Repeat("0af3", 8) + ".chunk.js " + strings.Repeat("0af3", 8) + ".tar.gz " + strings.Repeat("0af3", 8) + ".internationalize",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
		"PublicKey = HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw=",
		"it begins with -----BEGIN PRIVATE and ends with -----END RSA PRIVATE KEY-----",
		"key-value-store-with-a-long-name-here task-1234567890abcdefgh disk-0123456789abcdef0123",
	} {
		if got := redact.New("correct horse battery").String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestPrivateKeyThatBeginsBefore(t *testing.T) {
	const line, short = "QyNTUxOQAAACBzb21la2V5Ynl0ZXNoZXJlMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3", "AAAAtzc2g="
	for _, tt := range []struct{ name, text, want string }{
		{"from a whole line on", line + "\n" + short + "\n-----END OPENSSH PRIVATE KEY-----\nThat was it.", redact.Mark + "\nThat was it."},
		{"behind words", "The rest of it:\n\n" + line + "\n-----END PRIVATE KEY-----", "The rest of it:\n\n" + redact.Mark},
		{"in a quotation", "> " + line + "\r\n> " + short + "\r\n> -----END EC PRIVATE KEY-----", "> " + redact.Mark},
		{"in a string", `tail: "` + line + `\n` + short + `\n-----END PRIVATE KEY-----\n"`, `tail: "` + redact.Mark + `\n"`},
		{"with numbered lines", "7\t" + line + "\n   8\t" + short + "\n   9\t-----END PRIVATE KEY-----", "7\t" + redact.Mark},
		{"in the form of RFC 4716", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: x\n" + line + "\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\nok", redact.Mark + "\nok"},
		{"a tunnel's other one", "PresharedKey = FpCyhws9cxwWoV4xELtfJvjJN+zQVRPISllRWgeopVE=", "PresharedKey = " + redact.Mark},
		{"a tunnel's by its name", "PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=", "PrivateKey = " + redact.Mark},
	} {
		if got := redact.New().String(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
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

func TestSecretThatIsNoText(t *testing.T) {
	r := redact.New("ab\xffcdefghijklmnopqrstuv")
	if got := r.String("x ab\xffcdefghijklmnopqrstuv y"); got != "x "+redact.Mark+" y" {
		t.Errorf("%q", got)
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

// Every option of a command is looked at.
func TestTwoPasswordsInOneCommand(t *testing.T) {
	const text = "curl -u bob:hunter22 -U eve:hunter33 https://x"
	if got, want := redact.New().String(text), "curl -u bob:[redacted] -U eve:[redacted] https://x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What somebody wrote to take long is read in a time that grows with its length. With the square of it, one of these
// takes hours.
func TestHostileTexts(t *testing.T) {
	const size = 1 << 18
	r := redact.New()
	for _, piece := range []string{"sk-", "sk-a1-", "-eyJabcd1", "/glc_", "xoxd-", "curl -pass pass:$abcde1 "} {
		if text := strings.Repeat(piece, size/len(piece)); r.String(text) != text {
			t.Errorf("%q many times is cut", piece)
		}
	}
	if got := r.String("sk-" + strings.Repeat(letters[:40]+"\n", size/41)); len(got) > size-1000 || len(got) < size/2 {
		t.Errorf("of a key over thousands of lines, %d bytes are left", len(got))
	}
}

func TestTwiceIsOnce(t *testing.T) {
	pieces := []string{
		bot, "sk-" + letters[:20], "postgres://a:hunter22@h", "plain ", "Bearer " + letters[:20], "\n", "secret-one", " ",
		"password=hunter22x", "&password=hunter22y&", "Cookie: id=" + letters[:32] + "; ", "&sig=" + letters[:30], "token: " + letters[:20], "密码：abc12345", "https://" + letters[:20] + "@h/",
		"Private-Lines: 1\nabc", "curl -u a:hunter22", "| password |\n", "| hunter22 |\n", "\nkind: Secret\ndata:\n  a: b\n", "name: A_TOKEN\n", "value: hunter22\n", "eyJ", "sk-", "secret-", "one", "\"", "=",
	}
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
