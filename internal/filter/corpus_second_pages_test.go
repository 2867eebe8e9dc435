package filter_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// ariaPage is a page as a browser's accessibility tree, with references.
func ariaPage() fixture {
	m := newMaker(81)
	ref := 0
	e := func(indent int, format string, args ...any) {
		ref++
		m.f("%s- %s [ref=e%d]%s\n", strings.Repeat("  ", indent), fmt.Sprintf(format, args...), ref, "")
	}
	e(0, "generic")
	e(1, "banner")
	e(2, "link \"Skip to content\"")
	e(2, "searchbox \"Search flights\"")
	e(2, "button \"Sign in\"")
	m.f("    - text: 3 travellers\n")
	e(1, "main")
	e(2, "heading \"Flights from Lisbon to Osaka\" [level=1]")
	var book, cheap int
	for i := range 90 {
		e(2, "listitem")
		price := 720 + m.IntN(900)
		airline := pick(m, "TAP", "Lufthansa", "ANA", "KLM", "Turkish Airlines")
		if i == 57 {
			price, airline = 611, "Finnair"
		}
		e(3, "heading \"%s %d\" [level=3]", airline, 100+i)
		e(4, "text: %s stops, %d h %02d min", pick(m, "1", "2"), 16+m.IntN(14), m.IntN(60))
		e(4, "text: EUR %d", price)
		e(4, "checkbox \"Compare\"%s", map[bool]string{true: " [checked]", false: ""}[i == 12])
		e(4, "button \"Book %s %d\"", airline, 100+i)
		if i == 57 {
			cheap = ref
		}
		e(4, "link \"Details\"")
		m.f("          - /url: /flights/%d\n", 5000+i)
	}
	e(1, "dialog \"Cookie settings\"")
	e(2, "button \"Reject all\"")
	book = ref
	e(2, "button \"Accept all\" [disabled]")
	e(1, "contentinfo")
	e(2, "text: Customer service +351 21 000 4477")
	return fixture{name: "aria snapshot", text: m.String(), queries: []question{
		{"reference of the button that rejects cookies", fmt.Sprintf(`ref=e%d\b`, book)},
		{"price of the Finnair flight", exactly("EUR 611")},
		{"button to book the Finnair flight", fmt.Sprintf(`ref=e%d\b`, cheap)},
		{"search field", exactly("Search flights")},
		{"phone number of customer service", exactly("+351 21 000 4477")},
		{"which button is disabled", exactly("Accept all")},
		{"how many travellers", exactly("3 travellers")},
		{"title of the page", exactly("Lisbon to Osaka")},
	}}
}

// hubIssues is a list of issues as a code host gives them, laid out over many lines.
func hubIssues() fixture {
	m := newMaker(82)
	var list []map[string]any
	open, bugs := 0, 0
	at := time.Date(2025, 8, 1, 8, 0, 0, 0, time.UTC)
	for i := range 45 {
		state, label, title, body, who := pick(m, "open", "open", "closed"), pick(m, "bug", "enhancement", "question", "docs"), pick(m, "Crash", "Slow start", "Wrong colour", "Typo", "Feature request")+": "+pick(m, "tray icon", "export dialog", "login page", "dark mode", "timeline"), m.prose(4), pick(m, "mhall", "rkumar", "yuto-s", "lena-b")
		assignee := any(nil)
		comments := m.IntN(14)
		switch i {
		case 13:
			state, label, title, body, comments = "open", "bug", "Undo loses text after IME composition", "Steps: type with a Japanese IME, press Ctrl+Z twice.\n\nWorkaround: set `editor.experimentalUndo` to false.", 61
			assignee = map[string]any{"login": "yuto-s", "id": 4411}
		case 30:
			state, label, title, who = "closed", "security", "Path traversal in theme import", "n00b-hunter"
			body = "A theme archive can write outside of its folder. Fixed in 2.8.1, please update."
		}
		if state == "open" {
			open++
		}
		if label == "bug" {
			bugs++
		}
		at = at.Add(-time.Duration(5+m.IntN(90)) * time.Hour)
		list = append(list, map[string]any{
			"url": fmt.Sprintf("https://api.hub.example/repos/acme/notes/issues/%d", 2200-i*3), "number": 2200 - i*3, "title": title, "state": state, "comments": comments, "created_at": at.Format(time.RFC3339), "locked": false,
			"user": map[string]any{"login": who, "id": 1000 + i, "type": "User", "site_admin": false}, "labels": []any{map[string]any{"name": label, "color": "d73a4a", "default": true}}, "assignee": assignee, "milestone": nil, "body": body,
		})
	}
	raw, _ := json.MarshalIndent(list, "", "  ")
	return fixture{name: "hub issues", text: string(raw), queries: []question{
		{"workaround for the undo problem with an IME", exactly("editor.experimentalUndo")},
		{"who is assigned to the undo issue", exactly("yuto-s")},
		{"issue with the most comments", exactly("Undo loses text")},
		{"security issues", exactly("Path traversal")},
		{"in which version is the path traversal fixed", exactly("2.8.1")},
		{"who reported the path traversal", exactly("n00b-hunter")},
		{"how many issues are open", counted("open", open)},
		{"how many issues are there in all", `\b45\b`},
		{"issue number of the path traversal", `\b2110\b`},
	}}
}

// jiraSearch is a page of search results with nested fields, on one line.
func jiraSearch() fixture {
	m := newMaker(83)
	var list []map[string]any
	status := map[string]int{}
	for i := range 50 {
		st, prio, sum, who := pick(m, "To Do", "In Progress", "In Review", "Done"), pick(m, "Low", "Medium", "Medium", "High"), pick(m, "Migrate", "Document", "Speed up", "Fix", "Test")+" "+pick(m, "payout export", "KYC form", "ledger sync", "statement PDF"), pick(m, "Ana Lima", "Bo Chen", "Cy Okafor")
		fields := map[string]any{"summary": sum, "status": map[string]any{"name": st, "statusCategory": map[string]any{"key": "indeterminate", "colorName": "yellow"}}, "priority": map[string]any{"name": prio, "id": "3"}, "assignee": map[string]any{"displayName": who, "active": true}, "customfield_10016": m.IntN(8), "description": m.prose(3), "duedate": nil}
		switch i {
		case 19:
			fields["summary"], fields["priority"], fields["duedate"] = "Payouts to Brazil are rejected by the bank", map[string]any{"name": "Highest", "id": "1"}, "2025-12-19"
			fields["description"] = "The tax id (CPF) is sent with dots. The bank wants eleven digits, error code RJCT/BE05."
		case 41:
			st = "Blocked"
			fields["status"], fields["summary"] = map[string]any{"name": st}, "Rotate the HSM keys"
			fields["description"] = "Waits for the vendor's technician, ticket VND-7781."
		}
		status[st]++
		list = append(list, map[string]any{"expand": "renderedFields,names,schema", "id": fmt.Sprint(30000 + i), "key": fmt.Sprintf("PAY-%d", 900+i), "self": fmt.Sprintf("https://jira.example/rest/api/2/issue/%d", 30000+i), "fields": fields})
	}
	raw, _ := json.Marshal(map[string]any{"expand": "schema,names", "startAt": 0, "maxResults": 50, "total": 318, "issues": list})
	return fixture{name: "Jira search", text: string(raw), queries: []question{
		{"total number of matching issues", `\b318\b`},
		{"why are payouts to Brazil rejected", exactly("eleven digits")},
		{"key of the issue about Brazil", exactly("PAY-919")},
		{"highest priority issue", exactly("Payouts to Brazil")},
		{"what is blocked", exactly("Rotate the HSM keys")},
		{"vendor ticket for the HSM keys", exactly("VND-7781")},
		{"how many issues are in review", counted("In Review", status["In Review"])},
		{"due date of the Brazil issue", exactly("2025-12-19")},
	}}
}

// manualPage is a page of a program's manual.
func manualPage() fixture {
	m := newMaker(84)
	m.f("PACKR(1)                         User Commands                        PACKR(1)\n\nNAME\n       packr - make and read archives with deduplication\n\nSYNOPSIS\n       packr [-v] [-j N] COMMAND [OPTION]... REPOSITORY [PATH]...\n\nDESCRIPTION\n       %s\n\nOPTIONS\n", m.prose(4))
	facts := map[int][2]string{
		7: {"-K, --keep-last=N", "Keep the newest N snapshots, whatever the other rules say. The default is 12."}, 18: {"--upload-limit=RATE", "Bytes a second that are sent at most; suffixes k, M and G are powers of 1024."},
		23: {"-X, --one-file-system", "Do not cross mount points. Directories on other devices are stored empty."},
	}
	for i := range 34 {
		name, text := fmt.Sprintf("-%c, --%s-%s", 'a'+i%26, pick(m, "no", "with", "skip", "force"), pick(m, "index", "acl", "locks", "times", "xattr")+fmt.Sprint(i)), m.prose(2)
		if f, ok := facts[i]; ok {
			name, text = f[0], f[1]
		}
		m.f("       %s\n              %s\n\n", name, strings.ReplaceAll(text, ". ", ".\n              "))
	}
	m.f("EXIT STATUS\n       0      Success.\n\n       3      Some files could not be read; the archive is usable.\n\n       11     The repository is locked by another process.\n\nENVIRONMENT\n       PACKR_PASSFILE\n              File that holds the passphrase; its mode must be 0400 or 0600.\n\nFILES\n       /etc/packr/exclude.d/*.glob\n              Patterns that every run leaves out.\n\n")
	for i := range 12 {
		m.f("NOTES %d\n       %s\n\n", i, m.prose(4))
	}
	m.f("SEE ALSO\n       rsync(1), zstd(1)\n\nPACKR 0.17.3                       2025-03-30                        PACKR(1)\n")
	return fixture{name: "manual page", text: m.String(), queries: []question{
		{"default number of snapshots that are kept", exactly("default is 12")},
		{"what does exit code 11 mean", exactly("locked by another process")},
		{"environment variable for the passphrase file", exactly("PACKR_PASSFILE")},
		{"option to limit the upload rate", exactly("--upload-limit")},
		{"short option for staying on one file system", exactly("-X")},
		{"where are the global exclude patterns", exactly("/etc/packr/exclude.d")},
		{"synopsis of the command line", exactly("COMMAND [OPTION]")},
	}}
}

// openAPIJSON is an interface's description in JSON.
func openAPIJSON() fixture {
	m := newMaker(85)
	paths := map[string]any{}
	for _, r := range []string{"players", "teams", "matches", "venues", "tickets", "referees", "seasons", "transfers"} {
		op := func(id, sum string) map[string]any {
			return map[string]any{"operationId": id, "summary": sum, "tags": []string{r}, "parameters": []any{map[string]any{"name": "page", "in": "query", "schema": map[string]any{"type": "integer", "default": 1}}}, "responses": map[string]any{"200": map[string]any{"description": "OK"}, "429": map[string]any{"description": "Slow down"}}}
		}
		item := map[string]any{"get": op("list_"+r, "Lists "+r+". "+m.prose(1)), "post": op("create_"+r, "Makes one of the "+r+". "+m.prose(1))}
		one := map[string]any{"get": op("get_"+r, m.prose(1)), "delete": op("delete_"+r, m.prose(1))}
		if r == "tickets" {
			item["post"].(map[string]any)["requestBody"] = map[string]any{"required": true, "content": map[string]any{"application/json": map[string]any{"schema": map[string]any{"type": "object", "required": []string{"match_id", "seat_code"}, "properties": map[string]any{"match_id": map[string]any{"type": "string"}, "seat_code": map[string]any{"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$"}}}}}}
		}
		if r == "transfers" {
			one["delete"].(map[string]any)["deprecated"] = true
			one["delete"].(map[string]any)["description"] = "Use POST /transfers/{id}/void in its place."
		}
		paths["/v3/"+r], paths["/v3/"+r+"/{id}"] = item, one
	}
	raw, _ := json.MarshalIndent(map[string]any{"openapi": "3.0.3", "info": map[string]any{"title": "League API", "version": "3.18.0", "license": map[string]any{"name": "MPL-2.0"}}, "servers": []any{map[string]any{"url": "https://league.example/api"}}, "paths": paths, "components": map[string]any{"securitySchemes": map[string]any{"session": map[string]any{"type": "apiKey", "in": "cookie", "name": "lg_session"}}}}, "", " ")
	return fixture{name: "OpenAPI JSON", text: string(raw), queries: []question{
		{"format of a seat code", exactly("^[A-Z]{2}-[0-9]{3}$")},
		{"required fields to create a ticket", exactly("seat_code")},
		{"which operation is deprecated", exactly("delete_transfers")},
		{"what replaces deleting a transfer", exactly("/void")},
		{"name of the session cookie", exactly("lg_session")},
		{"version of the API", exactly("3.18.0")},
		{"license", exactly("MPL-2.0")},
	}}
}

// libraryDocs is a short page of a library's documentation with code.
func libraryDocs() fixture {
	m := newMaker(86)
	m.f("# drift-queue\n\nA queue for small services.\n\n")
	for i, s := range []struct{ title, text, code string }{
		{"Install", "Needs Node 20 or newer.", "npm install drift-queue"},
		{"Create a queue", "The second argument holds options.", "const q = createQueue('mail', {\n  concurrency: 4,\n  visibilityTimeout: 45_000, // ms\n});"},
		{"Add jobs", "Jobs with the same `dedupeKey` are added once an hour.", "await q.add('welcome', { to }, { delay: 5000, dedupeKey: to });"},
		{"Retry", "A job that throws is tried 6 times; the wait doubles from 2 s. Throw `AbortJob` to give up at once.", "q.retry({ attempts: 6, backoff: exponential(2000) });"},
		{"Events", "Listen with `q.on('stalled', fn)`.", "q.on('failed', (job, err) => log.error(job.id, err));"},
		{"Shut down", "Call `q.drain(ms)` and wait for it.", "process.on('SIGTERM', () => q.drain(10_000));"},
		{"Migrate from 2.x", "`q.process` is now `q.worker`; `removeOnComplete` was taken away.", "- q.process(fn)\n+ q.worker(fn)"},
	} {
		m.f("## %s\n\n%s %s\n\n```js\n%s\n```\n\n%s\n\n", s.title, s.text, m.prose(3), s.code, m.prose(4+i%3))
	}
	return fixture{name: "library docs", text: m.String(), queries: []question{
		{"how often is a job retried", exactly("6 times")},
		{"how to stop retrying at once", exactly("AbortJob")},
		{"default or example visibility timeout", exactly("45_000")},
		{"what replaces q.process", exactly("q.worker")},
		{"which Node version is needed", exactly("Node 20")},
		{"graceful shutdown", exactly("q.drain")},
	}}
}

// toolSignatures is a list of tools as text, with the schema of each.
func toolSignatures() fixture {
	m := newMaker(87)
	count := 0
	for _, n := range []string{"browser", "sheet", "drive", "crm", "sql", "mail"} {
		for _, v := range []string{"open", "read", "list", "write", "close", "find"} {
			count++
			m.f("### %s.%s\n%s\nParameters:\n- target (string, required): %s\n- timeout (number, optional, default %d): seconds\n", n, v, m.prose(1), m.prose(1), 5+m.IntN(60))
			switch n + v {
			case "mailwrite":
				m.f("- send_at (string, optional): ISO 8601 time; at most 90 days ahead\n")
			case "sqlread":
				m.f("- max_rows (integer, optional, default 500): more are cut\nErrors: SQLSTATE 57014 when the time is over\n")
			case "driveopen":
				m.f("- revision (string, optional): an older version, kept for 30 days\n")
			}
			m.f("Returns: %s\n\n", pick(m, "text", "object", "list of objects"))
		}
	}
	return fixture{name: "tool signatures", text: m.String(), queries: []question{
		{"how far ahead can a mail be scheduled", exactly("90 days")},
		{"default number of rows of a query", exactly("default 500")},
		{"how long are old versions of a file kept", exactly("30 days")},
		{"error when a query takes too long", exactly("57014")},
		{"tool to write a mail", exactly("mail.write")},
	}}
}

// staffJSON is an answer of an interface whose rows hold Chinese.
func staffJSON() fixture {
	m := newMaker(88)
	var list []map[string]any
	dept := map[string]int{}
	for i := range 160 {
		d, name := pick(m, "研发部", "市场部", "财务部", "客服部"), pick(m, "王", "李", "张", "刘", "陈")+pick(m, "伟", "芳", "娜", "磊", "静")+pick(m, "", "军", "敏")
		row := map[string]any{"工号": fmt.Sprintf("E%04d", 1000+i), "姓名": name, "部门": d, "职级": fmt.Sprintf("P%d", 4+m.IntN(5)), "入职日期": fmt.Sprintf("20%02d-%02d-01", 10+m.IntN(15), 1+m.IntN(12)), "备注": ""}
		switch i {
		case 77:
			row["姓名"], row["备注"] = "欧阳修远", "长期驻新加坡，合同到期日 2027-03-31"
		case 120:
			row["职级"], row["姓名"] = "P12", "司马青"
		}
		dept[d]++
		list = append(list, row)
	}
	raw, _ := json.Marshal(map[string]any{"code": 0, "msg": "ok", "data": map[string]any{"total": 1284, "page": 1, "items": list}})
	return fixture{name: "staff JSON", text: string(raw), queries: []question{
		{"欧阳修远的合同什么时候到期", exactly("2027-03-31")},
		{"谁的职级是P12", exactly("司马青")},
		{"研发部有多少人", counted("研发部", dept["研发部"])},
		{"一共多少条记录", `\b1284\b`},
		{"欧阳修远的工号", exactly("E1077")},
	}}
}
