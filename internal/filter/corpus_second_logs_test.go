package filter_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// nginxLog is a log in the combined format.
func nginxLog() fixture {
	m := newMaker(71)
	at := time.Date(2025, 7, 14, 3, 12, 0, 0, time.FixedZone("", 2*3600))
	status, ip, bots := map[int]int{}, map[string]int{}, 0
	for i := range 260 {
		at = at.Add(time.Duration(200+m.IntN(4000)) * time.Millisecond)
		code, path, who, agent := pick(m, 200, 200, 200, 200, 304, 301, 404), fmt.Sprintf("/%s/%d", pick(m, "shop/item", "shop/cart", "static/js", "blog"), m.IntN(400)), fmt.Sprintf("198.51.100.%d", m.IntN(40)), "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"
		method, size := pick(m, "GET", "GET", "GET", "POST"), 200+m.IntN(40000)
		if m.IntN(9) == 0 {
			agent = "AhrefsBot/7.0 (+http://ahrefs.com/robot/)"
			bots++
		}
		switch {
		case i == 90 || i == 91 || i == 177:
			code, path, method, size = 502, "/api/checkout/confirm", "POST", 157
		case i == 133:
			code, path, who, agent, size = 403, "/.env", "203.0.113.77", "curl/7.88.1", 153
		case i == 201:
			code, path, size = 206, "/media/launch-trailer.mp4", 918_273_645
		}
		if m.IntN(6) == 0 && code == 200 {
			who = "192.0.2.9"
		}
		status[code]++
		ip[who]++
		m.f("%s - - [%s] \"%s %s HTTP/1.1\" %d %d \"https://shop.example/\" \"%s\"\n", who, at.Format("02/Jan/2006:15:04:05 -0700"), method, path, code, size, agent)
	}
	return fixture{name: "nginx log", text: m.String(), queries: []question{
		{"requests that failed with a server error", exactly("/api/checkout/confirm")},
		{"how many 404 responses", counted("404", status[404])},
		{"how many 502 errors", counted("502", 3)},
		{"who tried to read .env", exactly("203.0.113.77")},
		{"client address with most requests", counted("192.0.2.9", ip["192.0.2.9"])},
		{"largest response", exactly("launch-trailer.mp4")},
		{"distribution of status codes", counted("200", status[200])},
		{"number of requests", `\b260\b`},
	}}
}

// jsonLog is a service's log, one object a line.
func jsonLog() fixture {
	m := newMaker(72)
	at := time.Date(2025, 11, 3, 17, 30, 0, 0, time.UTC)
	level, svc := map[string]int{}, map[string]int{}
	slowest := 0
	for i := range 230 {
		at = at.Add(time.Duration(m.IntN(3000)) * time.Millisecond)
		e := map[string]any{"ts": at.Format(time.RFC3339Nano), "level": "info", "service": pick(m, "cart", "stock", "pay", "mail"), "msg": pick(m, "request done", "cache hit", "job queued"), "duration_ms": m.IntN(400), "request_id": fmt.Sprintf("%08x", m.Uint32())}
		switch {
		case i == 61:
			e["level"], e["service"], e["msg"], e["err"] = "error", "pay", "charge declined", "acquirer code 51: insufficient funds"
		case i == 140:
			e["level"], e["service"], e["msg"], e["duration_ms"] = "warn", "stock", "slow query: SELECT * FROM reservations", 9871
			slowest = 9871
		case i == 200:
			e["level"], e["service"], e["msg"], e["err"] = "fatal", "mail", "smtp pool gone", "dial tcp 10.8.0.4:587: connect: connection refused"
		case m.IntN(15) == 0:
			e["level"], e["msg"] = "warn", "retrying"
		}
		level[e["level"].(string)]++
		svc[e["service"].(string)]++
		raw, _ := json.Marshal(e)
		m.f("%s\n", raw)
	}
	return fixture{name: "JSON log", text: m.String(), queries: []question{
		{"why was the charge declined", exactly("insufficient funds")},
		{"fatal errors", exactly("smtp pool gone")},
		{"slowest request", fmt.Sprint(slowest)},
		{"how many warnings", counted("warn", level["warn"])},
		{"entries per service: cart", counted("cart", svc["cart"])},
		{"address of the mail server that refused the connection", exactly("10.8.0.4:587")},
	}}
}

// syslogLines is what a machine's journal prints.
func syslogLines() fixture {
	m := newMaker(73)
	at := time.Date(2025, 5, 6, 1, 0, 0, 0, time.UTC)
	fails := 0
	for i := range 320 {
		at = at.Add(time.Duration(m.IntN(90)) * time.Second)
		line := pick(m, "systemd[1]: Started Session 812 of user deploy.", "CRON[20211]: (root) CMD (run-parts /etc/cron.hourly)", "kernel: audit: backlog limit exceeded", "systemd-resolved[611]: Using degraded feature set UDP instead of UDP+EDNS0", "containerd[902]: level=info msg=\"cleaning up dead shim\"")
		switch {
		case i == 99:
			line = "kernel: Out of memory: Killed process 31337 (indexer) total-vm:18911232kB, anon-rss:15290044kB"
		case i == 180:
			line = "smartd[733]: Device: /dev/sdb [SAT], 24 Currently unreadable (pending) sectors"
		case i == 250:
			line = "sshd[4410]: Accepted publickey for backup from 192.0.2.200 port 50122 ssh2: ED25519 SHA256:q9Vd1"
		case m.IntN(7) == 0:
			fails++
			line = fmt.Sprintf("sshd[%d]: Failed password for invalid user %s from 203.0.113.%d port %d ssh2", 4000+m.IntN(900), pick(m, "admin", "oracle", "test"), m.IntN(255), 1024+m.IntN(60000))
		}
		m.f("%s web-03 %s\n", at.Format("Jan _2 15:04:05"), line)
	}
	return fixture{name: "syslog", text: m.String(), queries: []question{
		{"which process was killed for lack of memory", exactly("indexer")},
		{"disk problems", exactly("/dev/sdb")},
		{"how many failed passwords", counted("Failed password", fails) + fmt.Sprintf(`|\b%d\b.{0,40}Failed password|Failed password.{0,60}\b%d\b`, fails, fails)},
		{"who logged in with a key", exactly("192.0.2.200")},
	}}
}

// onelineLog is a history with a line for each commit.
func onelineLog() fixture {
	m := newMaker(74)
	var hot string
	for i := range 190 {
		hash, title := fmt.Sprintf("%07x", m.Uint32N(1<<28)), pick(m, "feat", "fix", "chore", "docs", "refactor")+"("+pick(m, "ui", "api", "db", "cli")+"): "+pick(m, "add", "drop", "rename", "speed up", "guard")+" "+pick(m, "pagination", "retry loop", "config flags", "index hints", "colour tokens")
		switch i {
		case 0:
			hash += " (HEAD -> main, origin/main)"
		case 48:
			title, hot = "fix(auth)!: stop accepting unsigned session cookies (CVE-2025-31999)", hash
		case 70:
			hash += " (tag: v5.4.0)"
			title = "release: 5.4.0"
		case 150:
			title = "revert: \"feat(db): shard by tenant\""
		}
		m.f("%s %s (#%d)\n", hash, title, 4000-i*3)
	}
	return fixture{name: "git oneline", text: m.String(), queries: []question{
		{"commit that fixed the session cookie vulnerability", hot},
		{"which change was reverted", exactly("shard by tenant")},
		{"commit tagged v5.4.0", exactly("release: 5.4.0")},
		{"pull request of the cookie fix", exactly("#3856")},
		{"number of commits", `\b190\b`},
	}}
}

// fieldLog is a history with fields between bars.
func fieldLog() fixture {
	m := newMaker(75)
	at := time.Date(2025, 9, 1, 12, 0, 0, 0, time.UTC)
	by := map[string]int{}
	var first string
	for i := range 170 {
		at = at.Add(-time.Duration(3+m.IntN(40)) * time.Hour)
		who, title := pick(m, "Ola Nordmann", "Ola Nordmann", "Wang Fang", "Maria Rossi"), pick(m, "tune", "test", "split", "rename", "cache")+" "+pick(m, "the parser", "ingest workers", "plan nodes", "row groups")
		switch i {
		case 52:
			who, title = "Ezra Cole", "drop Python 3.8, as its support has ended"
		case 111:
			who, title = "Wang Fang", "switch the default codec from snappy to zstd"
		}
		by[who]++
		first = at.Format("2006-01-02")
		m.f("%08x|%s|%s|%s\n", m.Uint32(), who, at.Format("2006-01-02"), title)
	}
	return fixture{name: "git fields", text: m.String(), queries: []question{
		{"who dropped Python 3.8", exactly("Ezra Cole")},
		{"what is the new default codec", exactly("zstd")},
		{"how many commits by Maria Rossi", counted("Maria Rossi", by["Maria Rossi"])},
		{"date of the oldest commit", first},
		{"author with the most commits", counted("Ola Nordmann", by["Ola Nordmann"])},
	}}
}

// chineseTable is a file of comma-separated values with Chinese headers.
func chineseTable() fixture {
	m := newMaker(76)
	m.f("订单号,客户,城市,产品,数量,单价,金额,状态,下单日期\n")
	city, state := map[string]int{}, map[string]int{}
	total, most := 0, 0
	at := time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC)
	for i := range 700 {
		c, st, who := pick(m, "上海", "成都", "广州", "西安", "上海"), pick(m, "已发货", "已签收", "已签收", "待付款"), pick(m, "恒远贸易", "蓝海科技", "新禾食品", "大同机械")
		n, price := 1+m.IntN(40), 10*(1+m.IntN(90))
		no := fmt.Sprintf("DD2025%05d", 1000+i*7)
		switch i {
		case 333:
			c, st, who, n, price = "拉萨", "已退款", "雪域旅行社", 500, 880
		case 518:
			who, st = "\"金桥电子,深圳分公司\"", "缺货"
		}
		city[c]++
		state[st]++
		total += n * price
		most = max(most, n*price)
		m.f("%s,%s,%s,%s,%d,%d,%d,%s,%s\n", no, who, c, pick(m, "打印机", "路由器", "显示器", "键盘"), n, price, n*price, st, at.AddDate(0, 0, i/4).Format("2006-01-02"))
	}
	return fixture{name: "Chinese CSV", text: m.String(), queries: []question{
		{"已退款的订单是哪个客户", exactly("雪域旅行社")},
		{"金额最大的订单", exactly(fmt.Sprint(most))},
		{"上海有多少订单", counted("上海", city["上海"])},
		{"金额合计是多少", fmt.Sprint(total)},
		{"缺货的订单号", exactly("DD202504626")},
		{"待付款的有多少", counted("待付款", state["待付款"])},
		{"有哪些列", exactly("下单日期")},
		{"how many rows does the file have", `\b700\b`},
	}}
}

// sensorTable is tab-separated values with numbers.
func sensorTable() fixture {
	m := newMaker(77)
	m.f("time\tstation\ttemp_c\thumidity\twind_ms\tnote\n")
	at := time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)
	perStation := map[string]int{}
	sum, n := 0.0, 0
	for i := range 600 {
		station, temp, note := pick(m, "Kvaloy", "Tind", "Bruheim"), float64(m.IntN(180))/10-6, ""
		wind := float64(m.IntN(140)) / 10
		switch i {
		case 88:
			temp = -31.4
			station = "Tind"
		case 402:
			wind, note = 38.6, "gust, mast shaken"
		case 410:
			note = "battery replaced"
		}
		perStation[station]++
		sum += temp
		n++
		m.f("%s\t%s\t%.1f\t%d\t%.1f\t%s\n", at.Add(time.Duration(i)*10*time.Minute).Format("2006-01-02 15:04"), station, temp, 30+m.IntN(70), wind, note)
	}
	return fixture{name: "sensor TSV", text: m.String(), queries: []question{
		{"lowest temperature", exactly("-31.4")},
		{"strongest wind", exactly("38.6")},
		{"when was the battery replaced", exactly("2025-02-03 20:20")},
		{"rows of station Bruheim", counted("Bruheim", perStation["Bruheim"])},
		{"average temperature", strings.TrimSuffix(fmt.Sprintf("%.1f", sum/float64(n)), "0")},
	}}
}
