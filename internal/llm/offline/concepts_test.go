package offline_test

import (
	"regexp"
	"strings"
	"testing"
)

// A question may name a thing in another word, or in the other language, than the lines do; tables are told
// apart by their keys, and documents of JSON hold rows or settings.
func worded() map[string]string {
	return map[string]string{
		"gate.log": `2026-04-01T05:10:00Z INFO Bell accepted ticket of user=ada: seat 4
2026-04-01T05:40:00Z ERROR Bell handshake failed for user=bob: late
2026-04-01T06:10:00Z ERROR Horn upload rejected (tries=2, most=5)
2026-04-01T06:20:00Z WARN Horn connection reset, retrying for user=bob, soon
2026-04-01T06:50:00Z ERROR Horn spooler timeout
2026-04-01T07:10:00Z INFO Bell restart of api 2.0.1 done in 2h1m5s
2026-04-01T07:20:00Z ERROR Bell handshake failed for user=ada: late
`,
		"visits.log": `198.51.100.7 - - [01/Apr/2026:05:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "python-requests/2"
198.51.100.7 - ada [01/Apr/2026:05:00:01 +0000] "GET /a HTTP/1.1" 500 5 "-" "python-requests/2"
198.51.100.8 - - [01/Apr/2026:05:00:02 +0000] "GET /b HTTP/1.1" 200 7 "-" "Lynx"
198.51.100.8 - bob [01/Apr/2026:05:00:03 +0000] "POST /a HTTP/1.1" 401 7 "-" "Lynx"
198.51.100.8 - ada [01/Apr/2026:05:00:04 +0000] "GET /b HTTP/1.1" 200 7 "-" "Lynx"
`,
		"cases.csv":  "case_no,opened,closed_at,employee,state,pieces\nC1,2026-04-01,2026-04-03,Ines,closed,4\nC2,2026-04-02,,Ines,open,0\nC3,2026-04-08,2026-04-09,Olaf,closed,9\nC4,2026-04-09,2026-04-11,Olaf,closed,2\nC5,2026-04-12,,,open,0\n",
		"班表.csv":     "姓名,日期,加班小时,状态\n阿甲,2026-04-01,2,正常\n阿乙,2026-04-01,0,请假\n阿甲,2026-04-02,1,迟到\n阿乙,2026-04-02,4,正常\n阿丙,2026-04-02,0,迟到\n",
		"boats.json": "{\n \"page\": 1,\n \"data\": [\n  {\"id\": 1, \"name\": \"Ella\", \"berths\": 4, \"afloat\": true},\n  {\"id\": 2, \"name\": \"Runa\", \"berths\": 6, \"afloat\": false},\n  {\"id\": 3, \"name\": \"Ylva\", \"berths\": 2, \"afloat\": true}\n ]\n}\n",
		"lamp.json":  "{\n \"lamp\": {\"port\": 7011, \"pool\": {\"max\": 9, \"min\": 2}},\n \"modes\": {\"blink\": false, \"dim\": true},\n \"log_level\": \"warn\"\n}\n",
		"hulls.json": "{\"data\": [{\"name\": \"Ella\", \"size_mb\": 30.5}, {\"name\": \"Runa\", \"size_mb\": 12}]}\n",
		"pay.csv":    "单号,金额,状态,物流\nP1,5,已支付,已签收\nP2,6,未支付,待签收\nP3,7,已退款,待签收\nP4,8,未支付,已签收\n",
		"then.csv":   "tag,kind,weight\nX1,oak,4\nX2,elm,5\nX3,ash,6\n",
		"after.csv":  "tag,kind,weight\nX2,elm,5\nX3,ash,8\nX4,fir,1\n",
		"duty.md":    "# Duty\n\nAfter ten minutes call the harbour master, Ida Moss (+47 55 55 01 02).\n\n| Role | Name | Phone |\n|---|---|---|\n| Diver | Ole Brun | 0417 |\n| Cook | Liv Dahl | 0555 |\n\n- [x] Fill tank\n- [ ] Test horn\n",
	}
}

func TestWorded(t *testing.T) {
	for _, tt := range []struct {
		files, words string
		want         []string
	}{
		{"gate.log", "握手失败了几次？", []string{"**2** 行", "gate.log:2", "gate.log:7"}},
		{"gate.log", "How many times did it time out?", []string{"**1 row**", "gate.log:5"}},
		{"gate.log", "上传被拒绝了几次？", []string{"**1** 行", "gate.log:3"}},
		{"gate.log", "灯塔倒塌了几次？", []string{"因此不给出数字"}},
		{"gate.log", "How many different users appear?", []string{"**2**"}},
		{"gate.log", "What is the largest most?", []string{"**5**"}},
		{"gate.log", "How many entries took more than 2 hours?", []string{"**1 row**", "gate.log:6"}},
		{"gate.log", "六点半之前有多少条 ERROR？", []string{"**2** 行"}},
		{"gate.log", "四月一号五点四十分到七点一刻之间有多少条 ERROR？", []string{"**3** 行"}},
		{"gate.log", "When did the handshake last fail?", []string{"gate.log:7"}},
		{"gate.log", "How many errors did the service log?", []string{"**4 rows**"}},
		{"gate.log", "How many errors happened in the 30 minutes after api 2.0.1 was restarted?", []string{"**1**", "gate.log:7"}},
		{"hulls.json", "How many MB in total?", []string{"sum of size_mb", "**42.5**"}},
		{"pay.csv", "没有支付的有几单？", []string{"**2** 行（状态 = 未支付）", "pay.csv:3"}},
		{"pay.csv", "没有签收的有几单？", []string{"**2** 行（物流 != 已签收）", "pay.csv:4"}},
		{"visits.log", "哪个用户请求最多？", []string{"ada: **2**", "2 行 没有写明 user"}},
		{"visits.log", "Which users visited /a?", []string{"ada: **1**", "bob: **1**", "1 row more name no user"}},
		{"visits.log", "Which users got a 200?", []string{"visits.log:5", "user=ada"}},
		{"visits.log", "Top 2 most requested paths", []string{"/a: **3**", "/b: **2**"}},
		{"visits.log", "How many POST requests were rejected with 401?", []string{"**1 row**"}},
		{"visits.log", "未登录的请求有多少条？", []string{"**2** 行"}},
		{"visits.log", "What is the average response time?", []string{"no column of how long something took"}},
		{"cases.csv", "Who closed the most cases?", []string{"Olaf: **2**", "state = closed"}},
		{"cases.csv", "还没关闭的有多少？", []string{"**2** 行", "state != closed"}},
		{"cases.csv", "How many pieces are there in total?", []string{"**15**"}},
		{"cases.csv", "四月八号之前有多少行？", []string{"**2** 行"}},
		{"cases.csv", "pieces 不为零的有多少行？", []string{"**3** 行"}},
		{"cases.csv", "How many GB are there?", []string{"no column of `gb`"}},
		{"cases.csv", "How many cases could not be closed?", []string{"tell what is so"}},
		{"班表.csv", "几个人请过假？", []string{"**1**", "状态 = 请假"}},
		{"班表.csv", "Who worked the most overtime?", []string{"阿乙: **4**"}},
		{"班表.csv", "How many times was somebody late?", []string{"**2 rows**", "状态 = 迟到"}},
		{"班表.csv", "平均每人加班多少小时？", []string{"每人可能有多行"}},
		{"班表.csv", "阿甲加班多少小时？", []string{"**3**"}},
		{"boats.json", "How many boats are there?", []string{"**3 rows**", "boats.json:4", "boats.json:6"}},
		{"boats.json", "How many berths are there in total?", []string{"**12**"}},
		{"boats.json", "How many are not afloat?", []string{"**1 row**", "boats.json:5"}},
		{"lamp.json", "Which port does the lamp use?", []string{"lamp.port = **7011** (lamp.json:2)"}},
		{"lamp.json", "连接池最大是多少？", []string{"lamp.pool.max = **9** (lamp.json:2)"}},
		{"lamp.json", "Which modes are switched off?", []string{"modes.blink = **false** (lamp.json:3)"}},
		{"lamp.json", "Which things are enabled?", []string{"modes.dim = **true**"}},
		{"lamp.json", "What colour is it painted?", []string{"no name in it"}},
		{"then.csv after.csv", "What is the difference between the two?", []string{"X4 (after.csv:4)", "X1 (then.csv:2)", "X3: weight 8 / 6 (after.csv:3, then.csv:4)"}},
		{"then.csv after.csv", "哪些 tag 是新增的？", []string{"X4 (after.csv:4)"}},
		{"then.csv after.csv", "Which tags changed their kind?", []string{"**0 values** of tag have another kind"}},
		{"duty.md", "Who is the harbour master?", []string{"Ida Moss", "duty.md:3"}},
		{"duty.md", "What is the phone number of the cook?", []string{"0555"}},
		{"duty.md", "Which tasks are not ticked?", []string{"Test horn (duty.md:11)"}},
		{"gate.log visits.log", "哪些文件里出现过 198.51.100.7？", []string{"visits.log"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			files, all := map[string]string{}, worded()
			for _, name := range strings.Fields(tt.files) {
				files[name] = all[name]
			}
			has(t, newKit(t, files).ask(tt.words), tt.want...)
		})
	}
}

// All that a round asks of one file is one call, and the answers are those of the single calls.
func TestOneReadingARound(t *testing.T) {
	k := newKit(t, map[string]string{"gate.log": worded()["gate.log"]})
	has(t, k.ask("What went wrong?"), "Errors (level ERROR or above): 4", "gate.log:2", "Peak: 1 error")
	calls := map[string]int{}
	for _, c := range k.calls {
		calls[c.Tool]++
	}
	if k.rounds > 4 || calls["extract"] > k.rounds {
		t.Errorf("%d calls in %d rounds", calls["extract"], k.rounds)
	}
}

// What the clock tells is said in a sentence, in the language of the question.
func TestClockInWords(t *testing.T) {
	k := newKit(t, nil)
	for words, want := range map[string]string{"What time is it?": `^It is \d\d:\d\d on \w+day, \d{4}-\d\d-\d\d, .+\.$`, "现在几点？": `^现在是 \d{4}-\d\d-\d\d \d\d:\d\d，星期.，时区 .+。$`} {
		if got := k.ask(words); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%q: %q", words, got)
		}
	}
}
