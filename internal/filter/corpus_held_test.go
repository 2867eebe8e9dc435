package filter_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// compilerErrors is what a type checker prints.
func compilerErrors() fixture {
	m := newMaker(21)
	files := []string{"src/api/client.ts", "src/api/types.ts", "src/ui/Table.tsx", "src/ui/Modal.tsx", "src/store/session.ts", "src/store/board.ts", "src/util/dates.ts"}
	codes := map[string]string{
		"TS2322": "Type '%s' is not assignable to type '%s'.", "TS2345": "Argument of type '%s' is not assignable to parameter of type '%s'.",
		"TS7006": "Parameter '%s' implicitly has an '%s' type.", "TS18048": "'%s' is possibly '%s'.",
	}
	names := []string{"TS2322", "TS2345", "TS7006", "TS18048"}
	perCode, perFile, all := map[string]int{}, map[string]int{}, 0
	emit := func(file string, line int, code, text string) {
		m.f("%s(%d,%d): error %s: %s\n", file, line, 3+m.IntN(40), code, text)
		perCode[code]++
		perFile[file]++
		all++
	}
	for i := range 180 {
		code := pick(m, names...)
		emit(pick(m, append(files, "src/ui/Table.tsx")...), 10+i*2, code, fmt.Sprintf(codes[code], pick(m, "string | undefined", "number", "Row[]", "unknown"), pick(m, "string", "Cell", "undefined", "any")))
		switch i {
		case 55:
			emit("src/store/session.ts", 131, "TS2304", "Cannot find name 'refreshLease'. Did you mean 'renewLease'?")
		case 120:
			emit("src/util/dates.ts", 77, "TS2307", "Cannot find module 'date-fns-tz' or its corresponding type declarations.")
		}
	}
	m.f("\nFound %d errors in %d files.\n", all, len(perFile))
	return fixture{name: "compiler errors", text: m.String(), queries: []question{
		{"how many errors in all", fmt.Sprintf(`\b%d\b`, all)},
		{"which name cannot be found and what does the compiler suggest", exactly("renewLease")},
		{"missing module", exactly("date-fns-tz")},
		{"how many TS7006 errors", counted("TS7006", perCode["TS7006"])},
		{"file with the most errors", counted("src/ui/Table.tsx", perFile["src/ui/Table.tsx"])},
	}}
}

// gitLog is a history with the files of each commit.
func gitLog() fixture {
	m := newMaker(22)
	authors := []string{"Ines Moreau <ines@example.org>", "Pavel Novotny <pavel@example.org>", "Sun Wei <sunwei@example.org>", "Dara Quinn <dara@example.org>"}
	at := time.Date(2025, 4, 20, 18, 0, 0, 0, time.UTC)
	var revert, migr string
	for i := range 150 {
		hash := fmt.Sprintf("%08x%08x%08x%08x%08x", m.Uint32(), m.Uint32(), m.Uint32(), m.Uint32(), m.Uint32())
		at = at.Add(-time.Duration(1+m.IntN(20)) * time.Hour)
		author := pick(m, authors...)
		title := pick(m, "editor", "sync", "server", "docs", "ci", "mobile") + ": " + pick(m, "handle", "simplify", "test", "document", "speed up", "rename") + " " + pick(m, "cursor moves", "batch inserts", "token renewal", "the release notes", "image previews", "error pages")
		body := ""
		switch i {
		case 31:
			author, title, revert = authors[3], "server: revert adaptive polling", hash
			body = "\n    It doubled the load of the primary at night; see the graphs of 11 April.\n"
		case 90:
			author, title, migr = authors[1], "store: move attachments to object storage", hash
			body = "\n    Buckets are named att-<tenant>. Run `boardctl migrate-attachments` once.\n"
		}
		m.f("commit %s\nAuthor: %s\nDate:   %s\n\n    %s\n%s\n", hash, author, at.Format("Mon Jan 2 15:04:05 2006 -0700"), title, body)
		for range 1 + m.IntN(4) {
			m.f(" %s | %d %s\n", pick(m, "src/editor/cursor.ts", "src/sync/batch.ts", "server/token.go", "docs/release.md", "mobile/app.kt", ".ci/pipeline.yml"), 1+m.IntN(60), strings.Repeat("+", 1+m.IntN(20)))
		}
		m.f("\n")
	}
	return fixture{name: "git log", held: true, text: m.String(), queries: []question{
		{"commit hash that reverted adaptive polling", revert[:10]},
		{"why was adaptive polling reverted", exactly("doubled the load of the primary")},
		{"who moved attachments to object storage", exactly("Pavel Novotny")},
		{"command to migrate attachments", exactly("boardctl migrate-attachments")},
		{"hash of the commit with attachments in object storage", migr[:10]},
	}}
}

// toolList is what a tool server says of itself.
func toolList() fixture {
	m := newMaker(23)
	var tools []map[string]any
	nouns := []string{"calendar", "contact", "invoice", "ticket", "document", "folder", "message", "channel", "webhook", "report", "user", "team"}
	verbs := []string{"list", "get", "create", "update", "delete", "search"}
	for _, n := range nouns {
		for _, v := range verbs {
			props := map[string]any{
				"id":     map[string]any{"type": "string", "description": "The " + n + "'s identifier"},
				"limit":  map[string]any{"type": "integer", "description": "How many come back", "default": 20 + m.IntN(5)*10, "maximum": 200},
				"cursor": map[string]any{"type": "string", "description": "Where the last page ended"},
				"fields": map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": "Which fields to return"},
			}
			required := []string{"id"}
			switch v + n {
			case "createinvoice":
				props["vat_rate"] = map[string]any{"type": "number", "description": "Value added tax in percent", "minimum": 0, "maximum": 27}
				required = []string{"customer_id", "lines", "due_date"}
			case "searchmessage":
				props["from_sender"] = map[string]any{"type": "string", "description": "Only messages that this person wrote"}
			case "createwebhook":
				props["signing_secret"] = map[string]any{"type": "string", "description": "Key for the HMAC of each delivery, at least 32 characters"}
			}
			tools = append(tools, map[string]any{"name": n + "_" + v, "description": strings.ToUpper(v[:1]) + v[1:] + "s a " + n + ". " + m.prose(2), "inputSchema": map[string]any{"type": "object", "properties": props, "required": required}})
		}
	}
	raw, _ := json.Marshal(map[string]any{"tools": tools, "nextCursor": nil})
	return fixture{name: "tool list", held: true, text: string(raw), queries: []question{
		{"how many tools are there", `\b72\b`},
		{"required arguments to create an invoice", exactly("due_date")},
		{"argument to search messages by who wrote them", exactly("from_sender")},
		{"minimum length of the webhook signing secret", exactly("at least 32 characters")},
		{"maximum VAT rate of an invoice", `\b27\b`},
	}}
}

// podTable is a table made with spaces.
func podTable() fixture {
	m := newMaker(24)
	m.f("NAMESPACE     NAME                                      READY   STATUS             RESTARTS   AGE     IP             NODE\n")
	status, node := map[string]int{}, map[string]int{}
	for i := range 240 {
		st, restarts := pick(m, "Running", "Running", "Running", "Running", "Running", "Running", "Completed"), m.IntN(3)
		name := fmt.Sprintf("%s-%05x-%04x", pick(m, "checkout", "catalog", "search", "mailer", "ledger", "gateway"), m.Uint32N(1<<20), m.Uint32N(1<<16))
		switch {
		case i == 66:
			st, restarts, name = "CrashLoopBackOff", 183, "pricing-7f9c4-xk2lp"
		case i == 141:
			st, name = "ImagePullBackOff", "thumbnailer-5d8b9-q7w4z"
		case m.IntN(40) == 0:
			st = "Pending"
		}
		n := fmt.Sprintf("node-%02d", 1+m.IntN(6))
		status[st]++
		node[n]++
		m.f("%-13s %-41s %-7s %-18s %-10d %-7s %-14s %s\n", pick(m, "prod", "staging", "infra"), name, pick(m, "1/1", "2/2"), st, restarts, fmt.Sprintf("%dd", 1+m.IntN(90)), fmt.Sprintf("10.42.%d.%d", m.IntN(8), m.IntN(250)), n)
	}
	return fixture{name: "pod table", held: true, text: m.String(), queries: []question{
		{"which pod is in a crash loop", exactly("pricing-7f9c4-xk2lp")},
		{"how many pods are pending", counted("Pending", status["Pending"])},
		{"which pod cannot pull its image", exactly("thumbnailer-5d8b9-q7w4z")},
		{"highest number of restarts", `\b183\b`},
		{"how many pods on node-03", counted("node-03", node["node-03"])},
	}}
}

// diffOutput is a change of many files.
func diffOutput() fixture {
	m := newMaker(25)
	for i := range 60 {
		file := fmt.Sprintf("internal/%s/%s_%d.go", pick(m, "store", "http", "jobs", "mail"), pick(m, "reader", "writer", "index", "handler"), i)
		m.f("diff --git a/%s b/%s\nindex %07x..%07x 100644\n--- a/%s\n+++ b/%s\n", file, file, m.Uint32N(1<<28), m.Uint32N(1<<28), file, file)
		for range 2 {
			from := 10 + m.IntN(300)
			m.f("@@ -%d,7 +%d,8 @@ func %s(ctx context.Context) error {\n", from, from, pick(m, "load", "flush", "serve", "send"))
			m.f(" \tif err != nil {\n \t\treturn err\n \t}\n-\tlog.Printf(\"%s\")\n+\ts.log.Info(\"%s\")\n+\ts.metrics.Inc(\"%s\")\n \tdefer s.mu.Unlock()\n \treturn nil\n", pick(m, "loaded", "flushed", "served"), pick(m, "loaded", "flushed", "served"), pick(m, "loads", "flushes", "serves"))
		}
		switch i {
		case 22:
			m.f("@@ -5,6 +5,6 @@ const (\n-\tmaxUpload = 8 << 20\n+\tmaxUpload = 24 << 20\n \tpageSize  = 50\n")
		case 47:
			m.f("@@ -88,7 +88,7 @@ func verify(token string) error {\n-\tif subtle.ConstantTimeCompare(a, b) == 1 {\n+\tif bytes.Equal(a, b) {\n \t\treturn nil\n \t}\n")
		}
	}
	return fixture{name: "diff", held: true, text: m.String(), queries: []question{
		{"new upload size limit", exactly("24 << 20")},
		{"what replaces the constant time comparison of tokens", exactly("bytes.Equal")},
		{"in which file is verify changed", `internal/\w+/\w+_47\.go`},
		{"how many files are changed", `\b60\b`},
	}}
}

// openAPI is a nested document in YAML.
func openAPI() fixture {
	m := newMaker(26)
	m.f("openapi: 3.1.0\ninfo:\n  title: Depot API\n  version: 2.14.3\n  contact:\n    email: api-team@depot.example\nservers:\n  - url: https://api.depot.example/v2\n    description: Production\n  - url: https://sandbox.depot.example/v2\n    description: Test data, reset every Sunday\npaths:\n")
	for _, p := range []string{"warehouses", "shipments", "carriers", "labels", "returns", "quotes", "customers", "parcels", "manifests", "pickups"} {
		for _, verb := range []string{"get", "post", "patch", "delete"} {
			if verb == "get" {
				m.f("  /%s/{id}:\n", p)
			}
			m.f("    %s:\n      operationId: %s%s\n      summary: %s\n      parameters:\n        - name: id\n          in: path\n          required: true\n          schema:\n            type: string\n", verb, verb, strings.ToUpper(p[:1])+p[1:], m.prose(1))
			if p == "quotes" && verb == "post" {
				m.f("        - name: X-Currency\n          in: header\n          description: ISO 4217 code, default EUR\n          schema:\n            type: string\n")
			}
			m.f("      responses:\n        '200':\n          description: OK\n        '404':\n          description: There is none\n")
			if p == "labels" && verb == "delete" {
				m.f("        '409':\n          description: The label has been scanned and cannot be voided\n")
			}
		}
	}
	m.f("components:\n  securitySchemes:\n    depotKey:\n      type: apiKey\n      in: header\n      name: X-Depot-Key\n  schemas:\n    Parcel:\n      type: object\n      properties:\n        weight_g:\n          type: integer\n          maximum: 31500\n        girth_cm:\n          type: integer\n          maximum: 300\n")
	return fixture{name: "API description", held: true, text: m.String(), queries: []question{
		{"header that carries the API key", exactly("X-Depot-Key")},
		{"when can a label not be deleted", exactly("has been scanned")},
		{"maximum weight of a parcel", exactly("31500")},
		{"base url of the sandbox server", exactly("sandbox.depot.example")},
		{"header for the currency when creating quotes", exactly("X-Currency")},
	}}
}

// chineseDocs is a handbook in Chinese.
func chineseDocs() fixture {
	m := newMaker(27)
	fill := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(pick(m, "管理员", "普通用户", "值班人员", "系统", "后台任务") + "会在" + pick(m, "每天凌晨", "收到申请后", "发布之前", "季度结束时", "出现告警时") + pick(m, "检查", "同步", "归档", "更新", "通知") + pick(m, "所有报表", "组织架构", "设备清单", "访问记录", "合同文件") + "。")
		}
		return b.String()
	}
	m.f("# 运维手册\n\n%s\n\n", fill(6))
	for _, s := range []struct{ title, fact string }{
		{"账号与权限", "密码最短 14 位，每 180 天更换一次。"},
		{"备份", "数据库每 6 小时做一次增量备份，保留 35 天；完整备份存放在 oss://bak-hz-02。"},
		{"值班", "夜间紧急电话：0571-8765-4321，十五分钟内必须响应。"},
		{"发布流程", "灰度比例依次为 5%、20%、50%，每一级至少观察 40 分钟。"},
		{"网络", "办公网出口地址段为 203.0.113.64/28。"},
		{"监控", "磁盘使用率超过 87% 触发二级告警。"},
	} {
		m.f("## %s\n\n%s\n\n", s.title, fill(10))
		for i := range 4 {
			m.f("### %s（%d）\n\n%s\n\n", s.title, i+1, fill(8))
			if i == 2 {
				m.f("%s\n\n", s.fact)
			}
		}
	}
	return fixture{name: "Chinese handbook", held: true, text: m.String(), queries: []question{
		{"密码最短多少位", exactly("14 位")},
		{"完整备份存放在哪里", exactly("oss://bak-hz-02")},
		{"夜间紧急电话", exactly("0571-8765-4321")},
		{"灰度发布的比例", exactly("20%")},
		{"磁盘使用率告警阈值", exactly("87%")},
	}}
}

// javaLog is a service's log with stack traces.
func javaLog() fixture {
	m := newMaker(28)
	at := time.Date(2025, 2, 9, 22, 0, 0, 0, time.UTC)
	levels := map[string]int{}
	for i := range 600 {
		at = at.Add(time.Duration(100+m.IntN(9000)) * time.Millisecond)
		ts, thread := at.Format("2006-01-02T15:04:05.000Z"), fmt.Sprintf("http-nio-8080-exec-%d", 1+m.IntN(20))
		switch {
		case i == 244:
			m.f("%s ERROR [%s] c.acme.ledger.PostingService - Posting of batch 77120 failed\norg.springframework.dao.DeadlockLoserDataAccessException: deadlock detected\n\tat com.acme.ledger.PostingService.post(PostingService.java:212)\n\tat com.acme.ledger.BatchRunner.run(BatchRunner.java:64)\n\tat java.base/java.lang.Thread.run(Thread.java:1583)\nCaused by: org.postgresql.util.PSQLException: ERROR: deadlock detected\n  Detail: Process 9921 waits for ShareLock on transaction 55012; blocked by process 9933.\n\tat org.postgresql.core.v3.QueryExecutorImpl.receiveErrorResponse(QueryExecutorImpl.java:2725)\n\t... 38 more\n", ts, thread)
			levels["ERROR"]++
		case i == 401:
			m.f("%s WARN [scheduler-1] c.acme.ledger.FxRates - Rates of provider ECB are 26 hours old, using the fallback provider OANDA\n", ts)
			levels["WARN"]++
		case i == 500:
			m.f("%s ERROR [%s] c.acme.ledger.ExportJob - Export to sftp://bank.example/inbox refused\njava.io.IOException: No space left on device\n\tat com.acme.ledger.ExportJob.write(ExportJob.java:158)\n\tat com.acme.ledger.ExportJob.run(ExportJob.java:71)\n", ts, thread)
			levels["ERROR"]++
		case m.IntN(12) == 0:
			m.f("%s WARN [%s] c.acme.ledger.Http - Slow response: GET /accounts/%d took %d ms\n", ts, thread, 1000+m.IntN(9000), 2000+m.IntN(3000))
			levels["WARN"]++
		default:
			m.f("%s INFO [%s] c.acme.ledger.Http - %s /%s/%d %d in %d ms\n", ts, thread, pick(m, "GET", "POST", "PUT"), pick(m, "accounts", "postings", "balances"), 1000+m.IntN(9000), pick(m, 200, 200, 201, 404), m.IntN(300))
			levels["INFO"]++
		}
	}
	return fixture{name: "Java log", held: true, text: m.String(), queries: []question{
		{"root cause of the deadlock, which process blocked", exactly("9933")},
		{"source line where the posting failed", exactly("PostingService.java:212")},
		{"how many warnings", counted("WARN", levels["WARN"])},
		{"why was the export refused", exactly("No space left on device")},
		{"fallback provider for exchange rates", exactly("OANDA")},
	}}
}

// searchHits is one JSON document a line.
func searchHits() fixture {
	m := newMaker(29)
	kinds := map[string]int{}
	for i := range 180 {
		kind := pick(m, "article", "video", "forum", "forum")
		rec := map[string]any{"rank": i + 1, "score": 20 - float64(i)/10, "kind": kind, "lang": pick(m, "en", "de", "fr"), "title": pick(m, "Tuning", "Understanding", "Debugging", "Replacing", "Measuring") + " " + pick(m, "write-ahead logs", "page caches", "bloom filters", "compaction", "snapshots"), "url": fmt.Sprintf("https://kb.example.net/%s/%d", kind, 5000+i*13), "snippet": m.prose(2)}
		switch i {
		case 71:
			rec["title"], rec["snippet"] = "Torn pages after power loss", "Set full_page_writes to on; with ZFS a record size of 16K makes it unnecessary."
		case 139:
			rec["title"], rec["author"] = "Vacuum that never ends", "Yuki Tanabe"
		}
		kinds[kind]++
		raw, _ := json.Marshal(rec)
		m.f("%s\n", raw)
	}
	return fixture{name: "search hits", held: true, text: m.String(), queries: []question{
		{"how many hits are videos", counted("video", kinds["video"])},
		{"advice against torn pages", exactly("full_page_writes")},
		{"author of the text about vacuum", exactly("Yuki Tanabe")},
		{"link to the text on torn pages after power loss", exactly("/5923")},
	}}
}

// webPage is a page's markup.
func webPage() fixture {
	m := newMaker(30)
	m.f("<!doctype html>\n<html lang=\"en\">\n<head><title>Harbour museum</title></head>\n<body>\n<nav><ul><li><a href=\"/visit\">Visit</a></li><li><a href=\"/shop\">Shop</a></li></ul></nav>\n<main>\n")
	for i := range 60 {
		m.f("<section id=\"s%d\">\n<h2>%s %d</h2>\n<p>%s</p>\n<p>%s</p>\n</section>\n", i, pick(m, "Room", "Collection", "Archive"), i, m.prose(3), m.prose(2))
		switch i {
		case 20:
			m.f("<section id=\"hours\">\n<h2>Opening hours</h2>\n<table><tr><th>Day</th><th>Hours</th></tr>\n<tr><td>Tuesday to Friday</td><td>10:00 - 18:30</td></tr>\n<tr><td>Saturday and Sunday</td><td>09:00 - 20:00</td></tr>\n<tr><td>Monday</td><td>closed</td></tr></table>\n</section>\n")
		case 44:
			m.f("<section id=\"tickets\">\n<h2>Tickets</h2>\n<p>Adults pay 13.50, students 8.00. Children under 12 enter free.</p>\n</section>\n")
		}
	}
	m.f("</main>\n<footer><address>Kaistrasse 17, 24103 Kiel</address></footer>\n</body>\n</html>\n")
	return fixture{name: "web page", text: m.String(), queries: []question{
		{"opening hours on Saturday", exactly("09:00 - 20:00")},
		{"ticket price for adults", exactly("13.50")},
		{"postal address in the footer", exactly("Kaistrasse 17")},
		{"on which day is the museum closed", `(?i)Monday.{0,12}closed`},
	}}
}
