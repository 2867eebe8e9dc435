package offline_test

import (
	"fmt"
	"strings"
)

// relay.log is a log of the common shape: 20 lines, 5 of level ERROR, 1 FATAL, 3 WARN.
const relayLog = `2026-05-04 09:58:01,120 INFO  [main] relay starting version 7
2026-05-04 09:59:10,004 INFO  [w-1] accepted job 1001
2026-05-04 10:00:02,310 INFO  [w-1] finished job 1001 in 1250ms
2026-05-04 10:01:00,000 WARN  [w-2] disk usage at 81 percent
2026-05-04 10:02:15,450 ERROR [w-2] cannot reach broker-a: timeout
2026-05-04 10:02:45,450 INFO  [w-1] finished job 1002 in 340ms
2026-05-04 10:03:15,450 ERROR [w-2] cannot reach broker-a: timeout
2026-05-04 10:04:00,100 INFO  [w-1] finished job 1003 in 95ms
2026-05-04 10:05:00,000 WARN  [w-2] disk usage at 85 percent
2026-05-04 10:06:21,700 ERROR [w-3] job 1004 rejected: bad checksum
2026-05-04 10:07:00,000 INFO  [w-1] finished job 1005 in 4100ms
2026-05-04 10:08:00,900 ERROR [w-2] cannot reach broker-b: timeout
2026-05-04 10:09:30,000 WARN  [w-2] disk usage at 92 percent
2026-05-04 10:10:11,111 ERROR [w-3] job 1006 rejected: bad checksum
2026-05-04 10:10:12,000 FATAL [w-3] worker stopped
2026-05-04 10:11:00,000 INFO  [main] restarting worker w-3
2026-05-04 10:12:00,000 INFO  [w-3] accepted job 1007
2026-05-04 10:13:00,000 INFO  [w-3] finished job 1007 in 610ms
2026-05-04 11:00:00,000 INFO  [main] hourly report sent
2026-05-04 11:05:00,000 INFO  [main] idle
`

// pump.log has the same times in another form and 2 errors.
const pumpLog = `[2026-05-04 10:02:20] error: valve 3 stuck
[2026-05-04 10:04:00] info: valve 3 reset
[2026-05-04 10:08:30] error: valve 5 stuck
[2026-05-04 10:30:00] info: pressure normal
`

const salesCSV = `id,region,product,quantity,amount,date,status
1,North,Lamp,2,40.50,2026-01-05,paid
2,South,Desk,1,199.00,2026-01-06,paid
3,North,Chair,4,180.00,2026-01-09,open
4,East,Lamp,1,20.25,2026-02-01,paid
5,South,Lamp,3,60.75,2026-02-03,refunded
6,North,Desk,2,398.00,2026-02-11,paid
7,West,Chair,1,45.00,2026-02-14,open
8,South,Chair,2,90.00,2026-03-01,paid
9,East,Desk,1,199.00,2026-03-02,paid
10,North,Lamp,5,101.25,2026-03-09,paid
`

const peopleCSV = `姓名;部门;工资;城市
张伟;研发;15000;北京
王芳;市场;9000;上海
李娜;研发;18000;北京
刘洋;人事;8000;广州
陈静;市场;11000;北京
赵磊;研发;12500;上海
`

const accessLog = `203.0.113.5 - - [04/May/2026:10:00:01 +0000] "GET /home HTTP/1.1" 200 512 "-" "ua/1" 0.012
203.0.113.5 - - [04/May/2026:10:00:02 +0000] "GET /login HTTP/1.1" 200 300 "-" "ua/1" 0.030
203.0.113.9 - - [04/May/2026:10:00:03 +0000] "POST /login HTTP/1.1" 500 120 "-" "ua/2" 2.500
203.0.113.5 - - [04/May/2026:10:01:04 +0000] "GET /home HTTP/1.1" 304 0 "-" "ua/1" 0.005
203.0.113.7 - - [04/May/2026:10:01:05 +0000] "GET /missing HTTP/1.1" 404 90 "-" "ua/3" 0.004
203.0.113.9 - - [04/May/2026:10:02:06 +0000] "POST /login HTTP/1.1" 502 120 "-" "ua/2" 3.100
203.0.113.5 - alice [04/May/2026:11:00:07 +0000] "GET /admin HTTP/1.1" 200 800 "-" "ua/1" 0.900
`

const notesMD = `# Handbook

Welcome to the depot.

## Opening hours

We open at 8 and close at 18 on weekdays.

## Refunds

Refunds are paid within 14 days. A receipt is needed.

### Exceptions

Opened software cannot be refunded.

## Stock

| item | count | shelf |
|------|-------|-------|
| bolt | 120 | A1 |
| nut | 80 | A2 |
| gear | 15 | B1 |
`

const eventsJSONL = `{"timestamp":"2026-05-04T10:00:00Z","severity":"info","msg":"user signed in","user":"ann","latency_ms":35}
{"timestamp":"2026-05-04T10:00:05Z","severity":"error","msg":"payment declined","user":"bob","latency_ms":880}
{"timestamp":"2026-05-04T10:01:05Z","severity":"info","msg":"user signed in","user":"cyd","latency_ms":41}
not json at all
{"timestamp":"2026-05-04T10:02:05Z","severity":"error","msg":"payment declined","user":"ann","latency_ms":910}
`

func fixtures() map[string]string {
	return map[string]string{
		"relay.log": relayLog, "pump.log": pumpLog, "sales.csv": salesCSV, "people.csv": peopleCSV,
		"access.log": accessLog, "notes.md": notesMD, "events.jsonl": eventsJSONL,
		"old.csv": oldCSV, "new.csv": newCSV, "engine.log": engineLog(), "change.md": changeMD, "guide.md": guideMD,
		"pets.csv": petsCSV, "宠物.csv": 宠物CSV, "zones.log": zonesLog, "heron.md": heronMD, "周会.md": 周会MD, "pay.log": payLog, "twice.csv": twiceCSV,
	}
}

// only gives some of the fixtures.
func only(names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out[name] = fixtures()[name]
	}
	return out
}

// long makes a log of n lines of which every tenth is an error.
func long(n int) string {
	var b strings.Builder
	for i := range n {
		level := "INFO"
		if i%10 == 9 {
			level = "ERROR"
		}
		fmt.Fprintf(&b, "2026-05-04T%02d:%02d:%02dZ %s step %d done\n", i/3600%24, i/60%60, i%60, level, i)
	}
	return b.String()
}

const oldCSV = "id,name\n1,ann\n2,bob\n3,cyd\n"

const newCSV = "id,name\n1,ann\n3,cyd\n4,dora\n"

// engine.log fails from 10:14:10 on, change.md tells of a deploy at 10:10.
const changeMD = `# Changes

- 2026-05-04 10:10 deployed engine 2.1: batch size raised from 10 to 500
- 2026-05-03 09:00 deployed engine 2.0: new logo
`

func engineLog() string {
	var b strings.Builder
	for s := 0; s < 1800; s += 5 {
		level, msg := "INFO", "batch done"
		if s >= 850 && s < 1500 && s%10 == 0 {
			level, msg = "ERROR", "batch too large for buffer"
		}
		fmt.Fprintf(&b, "2026-05-04 10:%02d:%02d %s %s\n", s/60, s%60, level, msg)
	}
	return b.String()
}

const guideMD = `## 营业时间

工作日早上八点到晚上六点。

## 退款

退款在十四天内支付。

## 库存
`
