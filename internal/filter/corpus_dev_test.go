package filter_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// snapshot is the accessibility tree of a shop's page.
func snapshot() fixture {
	m, ref := newMaker(1), 1
	next := func() int { ref++; return ref }
	m.f("- generic [ref=e1]:\n  - banner [ref=e%d]:\n    - link \"Northwind Outdoor\" [ref=e%d] [cursor=pointer]:\n      - /url: /\n    - searchbox \"Search products\" [ref=e%d]\n", next(), next(), next())
	m.f("    - navigation \"Main\" [ref=e%d]:\n      - list [ref=e%d]:\n", next(), next())
	for _, c := range []string{"Tents", "Sleeping bags", "Backpacks", "Stoves", "Boots", "Jackets", "Lamps", "Sale"} {
		m.f("        - listitem [ref=e%d]:\n          - link %q [ref=e%d] [cursor=pointer]:\n            - /url: /c/%s\n", next(), c, next(), strings.ToLower(strings.ReplaceAll(c, " ", "-")))
	}
	m.f("  - main [ref=e%d]:\n    - heading \"Two-person tents\" [level=1] [ref=e%d]\n    - text: 96 products\n    - combobox \"Sort by\" [ref=e%d]:\n      - option \"Popularity\" [selected]\n      - option \"Price, low to high\"\n      - option \"Newest\"\n    - list \"Products\" [ref=e%d]:\n", next(), next(), next(), next())
	makes := []string{"Ridgeline", "Fjordlight", "Alder", "Mistral", "Stonepine", "Larkspur", "Cobalt", "Juniper", "Tarn", "Harrier", "Copperleaf", "Windrose"}
	var facts []string
	var addRef int
	for i := range 96 {
		name := fmt.Sprintf("%s %s %dP", makes[i%len(makes)], []string{"Trek", "Dome", "Ultra", "Base", "Tunnel", "Geo", "Lite", "Storm"}[i/len(makes)], 2+i%3)
		price := fmt.Sprintf("$%d.%02d", 119+m.IntN(600), m.IntN(100))
		m.f("      - listitem [ref=e%d]:\n        - article %q [ref=e%d]:\n          - link %q [ref=e%d] [cursor=pointer]:\n            - /url: /p/%d\n          - img %q [ref=e%d]\n", next(), name, next(), name, next(), 10400+i*7, name+" photo", next())
		m.f("          - heading %q [level=3] [ref=e%d]\n          - paragraph [ref=e%d]: Weight %d g, packed size %d cm\n          - text: %s\n          - text: %.1f out of 5 (%d reviews)\n", name, next(), next(), 900+m.IntN(2500), 30+m.IntN(30), price, 3+m.Float64()*2, m.IntN(400))
		switch i {
		case 41:
			m.f("          - status [ref=e%d]: Sold out until 14 March\n", next())
		default:
			addRef = next()
			m.f("          - button \"Add to cart\" [ref=e%d] [cursor=pointer]\n", addRef)
		}
		switch i {
		case 17, 41:
			facts = append(facts, price, name)
		case 58:
			facts = append(facts, name, fmt.Sprintf("[ref=e%d]", addRef))
		}
	}
	m.f("    - navigation \"Pagination\" [ref=e%d]:\n      - link \"1\" [ref=e%d]\n      - link \"2\" [current=page] [ref=e%d]\n      - link \"3\" [ref=e%d]\n", next(), next(), next(), next())
	m.f("  - complementary \"Newsletter\" [ref=e%d]:\n    - heading \"10 %% off your first order\" [level=2] [ref=e%d]\n    - textbox \"Email address\" [ref=e%d]\n    - button \"Subscribe\" [ref=e%d]\n", next(), next(), next(), next())
	mail := ref - 1
	m.f("  - contentinfo [ref=e%d]:\n    - text: Questions? Call 0800 555 0199, weekdays 9 to 17\n    - link \"Returns within 60 days\" [ref=e%d]:\n      - /url: /help/returns\n    - text: Free shipping from $75\n", next(), next())
	return fixture{name: "page snapshot", text: m.String(), queries: []question{
		{"price of the " + facts[1], exactly(facts[0])},
		{"which product is sold out", exactly(facts[3])},
		{"ref of the add to cart button of " + facts[4], exactly(facts[5])},
		{"ref of the newsletter email field", fmt.Sprintf(`\[ref=e%d\]`, mail)},
		{"customer service phone number to call with questions", exactly("0800 555 0199")},
		{"from what order value is shipping free", exactly("$75")},
	}}
}

type issue struct {
	Number    int              `json:"number"`
	Title     string           `json:"title"`
	State     string           `json:"state"`
	User      map[string]any   `json:"user"`
	Labels    []map[string]any `json:"labels"`
	Comments  int              `json:"comments"`
	CreatedAt string           `json:"created_at"`
	URL       string           `json:"html_url"`
	Assignee  *string          `json:"assignee"`
	Body      string           `json:"body"`
}

// issues is a page of an issue tracker's API.
func issues() fixture {
	m := newMaker(2)
	titles := []string{"Crash when pasting an image", "Export loses column widths", "Login loop with single sign-on", "Memory grows while the board is open", "Wrong plural in Polish", "Search ignores accents", "Timezone of reminders is off by one hour", "Drag handle hidden on touch screens", "Webhook retries never stop", "Cannot delete an archived project", "Spell check underlines code blocks", "Print view cuts the last row", "Invite mail goes to spam", "Undo removes two steps", "Slow first paint on large boards", "Avatar upload fails over 2 MB", "Keyboard shortcut clashes with the browser", "API returns 500 for an empty filter", "Dark theme: unreadable links", "Comments arrive out of order"}
	users := []string{"mira-k", "tobias42", "lchen", "ana_ruiz", "devnull", "hpetersen"}
	var all []issue
	open := 0
	for i, title := range titles {
		is := issue{Number: 4810 + i*3, Title: title, State: "open", Comments: m.IntN(30), User: map[string]any{"login": pick(m, users...), "id": 90000 + m.IntN(9999), "type": "User", "site_admin": false}}
		if m.IntN(3) == 0 {
			is.State = "closed"
		} else {
			open++
		}
		for _, l := range []string{"bug", "ui", "regression", "help wanted", "performance"} {
			if m.IntN(3) == 0 {
				is.Labels = append(is.Labels, map[string]any{"name": l, "color": fmt.Sprintf("%06x", m.IntN(1<<24))})
			}
		}
		is.CreatedAt = time.Date(2025, 3, 1+i, m.IntN(24), m.IntN(60), 0, 0, time.UTC).Format(time.RFC3339)
		is.URL = fmt.Sprintf("https://git.example.com/acme/board/issues/%d", is.Number)
		is.Body = "### What happens\n" + m.prose(9) + "\n\n### Steps\n1. " + m.prose(2) + "\n2. " + m.prose(2) + "\n\n### Expected\n" + m.prose(5) + "\n\n### Environment\nVersion " + fmt.Sprintf("%d.%d.%d", 3, m.IntN(9), m.IntN(20)) + ", Firefox\n" + m.prose(6)
		switch i {
		case 3:
			is.Body += "\n\nThe heap profile shows that `BoardObserver.subscriptions` holds 48,211 closures after an hour."
		case 8:
			is.Body += "\n\nWorkaround: set `webhook.max_attempts` to 12 in the tenant settings."
			who := "hpetersen"
			is.Assignee = &who
		case 15:
			is.Body += "\n\nThe proxy answers 413 because `client_max_body_size` is 2m; raising it to 16m fixed it for us."
		}
		all = append(all, is)
	}
	raw, _ := json.MarshalIndent(all, "", "  ")
	return fixture{name: "issue list", text: string(raw), queries: []question{
		{"number of the issue about the crash when pasting an image", exactly("4810")},
		{"who is assigned to the webhook retries issue", exactly("hpetersen")},
		{"what holds the memory that grows while the board is open", exactly("BoardObserver.subscriptions")},
		{"workaround for webhook retries", exactly("webhook.max_attempts")},
		{"how many issues are open and how many closed", counted("open", open)},
		{"why does avatar upload fail, cause and fix", exactly("client_max_body_size")},
		{"url of the issue about reminders being off by an hour", exactly("issues/4828")},
	}}
}

// accessLog is what a web server writes.
func accessLog() fixture {
	m := newMaker(3)
	at := time.Date(2025, 5, 12, 6, 0, 0, 0, time.UTC)
	paths := []string{"/", "/products", "/products/1842", "/cart", "/api/session", "/api/search?q=lamp", "/static/app.4f2a.js", "/static/site.css", "/checkout", "/account/orders"}
	status := map[int]int{}
	failed, byIP := map[string]int{}, map[string]int{}
	for i := range 520 {
		at = at.Add(time.Duration(1+m.IntN(40)) * time.Second)
		path, code, ip := pick(m, paths...), 200, fmt.Sprintf("203.0.113.%d", 10+m.IntN(40))
		switch n := m.IntN(100); {
		case n < 6:
			code = 304
		case n < 11:
			code = 404
			path = pick(m, "/wp-login.php", "/favicon.ico", "/.env", "/old/catalog")
		case n < 14:
			code = 500
			path = pick(m, "/checkout", "/checkout", "/api/search?q=lamp")
		}
		if i%11 == 0 {
			ip = "198.51.100.77"
		}
		if i == 333 {
			path, code = "/admin/export", 403
		}
		took := m.Float64() * 0.6
		if i == 210 {
			took, path = 8.914, "/account/orders"
		}
		status[code]++
		byIP[ip]++
		if code == 500 {
			failed[path]++
		}
		m.f("%s - - [%s] \"%s %s HTTP/1.1\" %d %d \"https://shop.example.com/\" \"Mozilla/5.0 (%s)\" %.3f\n", ip, at.Format("02/Jan/2006:15:04:05 -0700"), pick(m, "GET", "GET", "GET", "POST"), path, code, 200+m.IntN(40000), pick(m, "X11; Linux x86_64", "Macintosh; Intel Mac OS X 14_4", "iPhone; CPU iPhone OS 17_4 like Mac OS X"), took)
	}
	return fixture{name: "access log", text: m.String(), queries: []question{
		{"how many requests failed with status 500", counted("500", status[500])},
		{"number of 404 responses", counted("404", status[404])},
		{"total number of requests", `\b520\b`},
		{"which client address sent the most requests", exactly("198.51.100.77")},
		{"slowest request duration", `8\.914|8914`},
		{"which path had most of the 500 errors", counted("/checkout", failed["/checkout"])},
		{"who tried the admin export and got 403", `203\.0\.113\.\d+|198\.51\.100\.77`},
		{"time of the last request", exactly(at.Format("15:04:05"))},
	}}
}

// goTest is the output of a test run.
func goTest() fixture {
	m := newMaker(4)
	areas := []string{"Parse", "Render", "Store", "Sync", "Auth", "Queue"}
	pass, fail, skip := 0, 0, 0
	for i := range 300 {
		name := fmt.Sprintf("Test%s%s/%s_%d", pick(m, areas...), pick(m, "Empty", "Large", "Unicode", "Concurrent", "Order", "Limits"), pick(m, "plain", "nested", "mixed"), i)
		m.f("=== RUN   %s\n", name)
		switch i {
		case 77:
			m.f("    sync_test.go:214: merge lost a row: got 1999 rows, want 2000\n    sync_test.go:219: missing key \"tenant-7/row-1312\"\n--- FAIL: %s (0.42s)\n", name)
			fail++
		case 180:
			m.f("    auth_test.go:88: token accepted 31s after its end\n--- FAIL: %s (0.03s)\n", name)
			fail++
		case 231:
			m.f("panic: runtime error: index out of range [5] with length 5\n\ngoroutine 88 [running]:\nexample.com/board/internal/queue.(*Ring).Pop(0xc000112000)\n\t/src/internal/queue/ring.go:61 +0x1d4\nexample.com/board/internal/queue_test.TestRing(0xc0001b8000)\n\t/src/internal/queue/ring_test.go:40 +0x88\n--- FAIL: %s (0.00s)\n", name)
			fail++
		case 100:
			m.f("    store_test.go:31: needs a database; set BOARD_DSN\n--- SKIP: %s (0.00s)\n", name)
			skip++
		default:
			m.f("--- PASS: %s (%.2fs)\n", name, m.Float64()*0.2)
			pass++
		}
	}
	m.f("FAIL\ncoverage: 71.4%% of statements\nFAIL\texample.com/board/internal/sync\t18.207s\n")
	return fixture{name: "test output", text: m.String(), queries: []question{
		{"how many tests passed and how many failed", counted("PASS", pass)},
		{"which file and line panicked with index out of range", exactly("ring.go:61")},
		{"why did the sync test fail", exactly("merge lost a row")},
		{"test coverage", exactly("71.4%")},
		{"reason for the skipped test", exactly("BOARD_DSN")},
		{"auth failures", exactly("31s after its end")},
	}}
}

// orders is a table.
func orders() fixture {
	m := newMaker(5)
	m.f("order_id,date,customer,region,product,quantity,unit_price,total,status\n")
	count, sum, cancelled := map[string]int{}, map[string]int{}, 0
	best, bestID, day := 0, "", time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC)
	for i := range 800 {
		region := pick(m, "North", "South", "East", "West", "West")
		product := pick(m, "Desk lamp", "Office chair", "Standing desk", "Monitor arm", "Footrest")
		qty, price := 1+m.IntN(9), 15+m.IntN(400)
		if i == 512 {
			qty, price = 40, 390
		}
		status := pick(m, "shipped", "shipped", "shipped", "pending", "cancelled")
		id := fmt.Sprintf("SO-%05d", 20000+i*3)
		count[region]++
		sum[region] += qty * price
		if status == "cancelled" && region == "East" {
			cancelled++
		}
		if qty*price > best {
			best, bestID = qty*price, id
		}
		m.f("%s,%s,%s %s,%s,%s,%d,%d,%d,%s\n", id, day.AddDate(0, 0, i/8).Format(time.DateOnly), pick(m, "Ada", "Grace", "Linus", "Ken", "Barbara", "Edsger", "Donald", "Margaret"), pick(m, "Okafor", "Nilsson", "Duarte", "Kimura", "Haddad", "Novak"), region, product, qty, price, qty*price, status)
	}
	return fixture{name: "orders table", text: m.String(), queries: []question{
		{"how many orders in the region West", counted("West", count["West"])},
		{"largest order by total", exactly(bestID)},
		{"sum of total by region", fmt.Sprintf(`(?i)South.{0,60}\b%d\b`, sum["South"])},
		{"number of cancelled orders in the East", fmt.Sprintf(`\b%d\b`, cancelled)},
		{"what was ordered in SO-20300", `(?i)SO-20300.*(lamp|chair|desk|arm|footrest)`},
		{"date range of the orders", exactly(day.AddDate(0, 0, 799/8).Format(time.DateOnly))},
		{"which statuses exist", exactly("pending")},
	}}
}

// apiDocs is the documentation of a library.
func apiDocs() fixture {
	m := newMaker(6)
	m.f("# Tern client library\n\nTern is a small client for message brokers. %s\n\n## Installation\n\n```sh\nnpm install @tern/client@4.2\n```\n\n## Quick start\n\n```ts\nimport { connect } from '@tern/client'\nconst bus = await connect('tern://localhost:4150', { token: process.env.TERN_TOKEN })\n```\n\n", m.prose(4))
	type option struct{ name, kind, def, what string }
	sections := []struct {
		title   string
		options []option
	}{
		{"Connecting", []option{{"timeout", "number", "8000", "milliseconds until a connection attempt is given up"}, {"keepAlive", "boolean", "true", "sends a ping every 25 seconds"}, {"tls", "object", "undefined", "certificates; see Security"}}},
		{"Publishing", []option{{"maxInFlight", "number", "64", "messages without an acknowledgement"}, {"compress", "string", "'none'", "one of none, gzip, zstd"}, {"dedupeWindow", "string", "'2m'", "how long message ids are remembered"}}},
		{"Subscribing", []option{{"prefetch", "number", "10", "messages fetched ahead"}, {"ackWait", "string", "'45s'", "time until a message comes again"}, {"maxDeliver", "number", "7", "deliveries before a message goes to the dead letter queue"}}},
		{"Retries", []option{{"baseDelay", "number", "250", "milliseconds before the first retry"}, {"factor", "number", "1.8", "growth of the delay"}, {"jitter", "number", "0.3", "random share of the delay"}}},
		{"Streams", []option{{"retention", "string", "'limits'", "limits, interest or workqueue"}, {"maxBytes", "number", "-1", "size at which the oldest go"}}},
		{"Security", []option{{"caFile", "string", "undefined", "file of the authority"}, {"nkeySeed", "string", "undefined", "seed of the user key"}}},
		{"Observability", []option{{"metricsPort", "number", "9477", "serves Prometheus metrics"}, {"traceHeader", "string", "'traceparent'", "header that carries the trace"}}},
		{"Errors", nil},
		{"Migration", nil},
	}
	for _, s := range sections {
		m.f("## %s\n\n%s\n\n", s.title, m.prose(8))
		if len(s.options) > 0 {
			m.f("| option | type | default | meaning |\n|---|---|---|---|\n")
			for _, o := range s.options {
				m.f("| `%s` | %s | `%s` | %s |\n", o.name, o.kind, o.def, o.what)
			}
			m.f("\n")
		}
		for i := range 5 {
			m.f("### %s: note %d\n\n%s\n\n```ts\nbus.%s('topic.%d', { retries: %d })\n```\n\n%s\n\n", s.title, i+1, m.prose(5), strings.ToLower(s.title[:4]), i, i+2, m.prose(4))
		}
		switch s.title {
		case "Errors":
			m.f("### Error codes\n\n- `E_SLOW_CONSUMER`: the client reads too slowly; raise `prefetch` or add workers.\n- `E_AUTH_EXPIRED`: the token has run out; call `bus.reauthenticate()`.\n- `E_NO_STREAM`: nothing stores this subject; create a stream first.\n\n")
		case "Migration":
			m.f("### From 3.x to 4.x\n\n`bus.listen()` was renamed to `bus.subscribe()`. Node 16 is no longer supported; the minimum is Node 18.17. The option `ack` is now `ackWait`.\n\n")
		}
	}
	return fixture{name: "API documentation", text: m.String(), queries: []question{
		{"default connection timeout", exactly("8000")},
		{"how to handle an expired token error", exactly("reauthenticate")},
		{"minimum Node version in 4.x", exactly("18.17")},
		{"default port of Prometheus metrics", exactly("9477")},
		{"how many deliveries before the dead letter queue", exactly("`7`")},
		{"what replaced bus.listen()", exactly("bus.subscribe()")},
		{"which compression algorithms can be used when publishing", exactly("zstd")},
	}}
}

// chineseLog is an application's log in Chinese.
func chineseLog() fixture {
	m := newMaker(7)
	at, errs := time.Date(2025, 6, 3, 1, 0, 0, 0, time.UTC), 0
	for i := range 420 {
		at = at.Add(time.Duration(5+m.IntN(50)) * time.Second)
		ts := at.Format("2006-01-02 15:04:05.000")
		switch {
		case i == 133:
			m.f("%s 错误 [支付服务] 退款失败：订单 DD20250603-8841 的金额 356.20 元与原支付不符\n", ts)
			errs++
		case i == 207:
			m.f("%s 错误 [库存服务] 数据库连接超时：主机 db-03.internal:5432，已等待 30 秒\n", ts)
			errs++
		case i == 208:
			m.f("%s 警告 [库存服务] 切换到备用数据库 db-07.internal\n", ts)
		case i == 311:
			m.f("%s 警告 [网关] 证书将在 9 天后过期：shop.example.cn\n", ts)
		case m.IntN(40) == 0:
			m.f("%s 错误 [消息服务] 短信发送失败：运营商返回代码 %d\n", ts, 4000+m.IntN(9))
			errs++
		default:
			m.f("%s 信息 [%s] %s，耗时 %d 毫秒\n", ts, pick(m, "支付服务", "库存服务", "用户服务", "网关", "消息服务"), pick(m, "请求处理完成", "用户登录成功", "订单已创建", "缓存已刷新", "定时任务开始执行", "商品信息已同步"), m.IntN(400))
		}
	}
	return fixture{name: "Chinese log", text: m.String(), queries: []question{
		{"哪个订单退款失败", exactly("DD20250603-8841")},
		{"数据库连接超时的主机", exactly("db-03.internal")},
		{"有多少条错误日志", counted("错误", errs)},
		{"证书什么时候过期", exactly("9 天")},
		{"switched to which standby database 备用数据库", exactly("db-07.internal")},
	}}
}

// buildLog is what a container build prints.
func buildLog() fixture {
	m := newMaker(8)
	m.f("#1 [internal] load build definition from Dockerfile\n#1 transferring dockerfile: 1.42kB done\n#1 DONE 0.0s\n\n#5 [builder 2/7] RUN npm ci\n")
	for i := range 260 {
		m.f("#5 %d.%d npm http fetch GET 200 https://registry.example.com/%s-%s %dms (cache %s)\n", i/8, i%10, pick(m, "lodash", "react", "babel", "eslint", "vite", "rollup", "postcss", "jest"), pick(m, "core", "utils", "plugin", "types", "cli", "parser"), 20+m.IntN(300), pick(m, "miss", "hit"))
	}
	m.f("#5 33.1 npm warn deprecated glob@7.2.3: versions before 9 are no longer maintained\n#5 33.4 npm warn deprecated rimraf@2.7.1: upgrade to v4\n#5 34.0 added 1187 packages, and audited 1188 packages in 33s\n#5 34.0 4 vulnerabilities (3 moderate, 1 critical)\n#5 DONE 34.6s\n\n#6 [builder 5/7] RUN npm run build\n")
	for i := range 120 {
		m.f("#6 %d.%d dist/assets/%s-%08x.js  %d.%02d kB | gzip: %d.%02d kB\n", i/10, i%10, pick(m, "index", "vendor", "chart", "editor", "board", "login"), m.Uint32(), m.IntN(300), m.IntN(100), m.IntN(90), m.IntN(100))
	}
	m.f("#6 12.8 src/pages/Billing.tsx:118:23 - error TS2339: Property 'currencyCode' does not exist on type 'Invoice'.\n#6 12.9 npm error code ELIFECYCLE\n#6 12.9 npm error errno 2\n#6 ERROR: process \"/bin/sh -c npm run build\" did not complete successfully: exit code: 2\n------\n > [builder 5/7] RUN npm run build:\n------\nDockerfile:31\n--------------------\n  29 |     COPY . .\n  30 |     ENV NODE_OPTIONS=--max-old-space-size=3072\n  31 | >>> RUN npm run build\n--------------------\nERROR: failed to solve: exit code: 2\n")
	return fixture{name: "build log", text: m.String(), queries: []question{
		{"why did the build fail", exactly("Property 'currencyCode' does not exist")},
		{"which line of the Dockerfile failed", `Dockerfile:31|31 \| >>>`},
		{"deprecated packages", exactly("rimraf@2.7.1")},
		{"how many vulnerabilities and how many are critical", exactly("1 critical")},
		{"number of packages added", exactly("1187")},
		{"node memory option", exactly("3072")},
	}}
}
