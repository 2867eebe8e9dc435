package filter

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// query is an intent, prepared for a search.
type query struct {
	text    string           // the intent as it was written
	terms   []term           // the words to search for
	byWord  map[string]meant // word -> the term that it counts for
	plain   map[string]bool  // the words of the terms
	said    map[string]bool  // all words of the intent, those without weight included
	most    bool             // it asks for an extreme, such as the slowest
	classes string           // first digits of the classes of HTTP status that it asks for: 5 for 5xx or server errors
}

// term is one word of an intent.
type term struct {
	word string // as it is searched for
	said string // as it was asked for
}

// meant is the term that a word counts for.
type meant struct {
	at  int  // index of the term
	kin bool // the word is not the term's own but means the same
}

func (q query) empty() bool { return q.text == "" }

// has reports whether the word is asked for, by itself or by one that means the same.
func (q query) has(word string) bool {
	_, ok := q.byWord[word]
	return ok
}

// newQuery reads an intent. Words that most questions have (idleWords) are not searched for, unless the intent has no
// others.
func newQuery(intent string) query {
	intent = valid(intent)
	q := query{text: strings.TrimSpace(intent), byWord: map[string]meant{}, plain: map[string]bool{}, said: map[string]bool{}, classes: classesOf(intent)}
	var weak []string
	eachSaid(intent, func(w []byte, said string) {
		word := string(w)
		q.said[word] = true
		q.most = q.most || extremes[word]
		switch {
		case q.plain[word]:
		case idleWords[word] || len(word) < 2 && class(word[0]) != digit && said[0] != '-': // but for options of one letter
			weak = append(weak, word, said)
		default:
			q.add(word, said)
		}
	})
	if len(q.terms) == 0 {
		for i := 0; i < len(weak); i += 2 {
			q.add(weak[i], weak[i+1])
		}
	}
	q.widen()
	return q
}

// eachSaid calls yield for each word of an intent, in the form in which eachWord gives it, with the text that was
// written.
func eachSaid(intent string, yield func(word []byte, said string)) {
	for said := range strings.FieldsSeq(intent) {
		said = strings.Trim(said, `.,;:?!"'()[]{}`)
		eachWord(said, func(w []byte) {
			if w[0] >= utf8.RuneSelf {
				yield(w, string(w))
				return
			}
			yield(w, said)
		})
	}
}

// add makes a word a term, if it is none yet. said is how the intent wrote it.
func (q *query) add(word, said string) {
	if !q.plain[word] {
		q.plain[word] = true
		q.byWord[word] = meant{at: len(q.terms)}
		q.terms = append(q.terms, term{word, said})
	}
}

// covers reports whether all words of a short text are asked for.
func (q query) covers(text string) bool {
	if len(text) > 60 {
		return false
	}
	words, all := 0, true
	eachWord(text, func(w []byte) {
		words++
		all = all && q.plain[string(w)]
	})
	return words > 0 && all
}

// widen makes words that mean the same as a term, by kin, count for it.
func (q *query) widen() {
	for at, t := range q.terms {
		for _, group := range kin {
			if !slices.Contains(group, t.word) {
				continue
			}
			for _, w := range group {
				if _, ok := q.byWord[w]; !ok {
					q.byWord[w] = meant{at, true}
				}
			}
		}
	}
}

// stems makes a set of words as eachWord gives them.
func stems(text string) map[string]bool {
	out := map[string]bool{}
	eachWord(text, func(w []byte) { out[string(w)] = true })
	return out
}

// idleWords are words that most questions have, and that do not tell what is asked for.
var idleWords = stems(`a an and any are as at all be been but by can could did do does each every find for from get give had has have
how i if in into is it its list look looking many may me my much must need no not of on one only or our out over please show tell than that the
their them then there these they this those to up us want was we were what when where which who whom whose why will with would you your about after
before between contain contains number count total overall value values name named exist exists there 什么 哪个 哪些 多少 有多 少条 怎么 如何 为什 什么 哪里 时候 在哪`)

// extremes ask for the first or last of an order.
var extremes = stems(`most least highest lowest largest smallest biggest longest shortest slowest fastest latest newest oldest earliest
maximum minimum max min top worst best peak strongest weakest hottest coldest warmest heaviest lightest busiest deepest first last cheapest expensive 最大 最小 最多 最少 最高 最低 最长 最慢 最快 最新 最早`)

// kin are words that stand for each other, in any of these languages.
var kin = groups(
	"fail failed failure failing error exception panic fatal 失败 错误 异常 报错",
	"warn warning 警告 告警",
	"slow slowest slower duration elapsed latency took take ms seconds time_taken fast fastest 耗时 慢",
	"client ip address remote addr source 客户",
	"price cost amount fee costs 价格 金额",
	"delete deleted remove removed drop 删除",
	"create created add added new 创建 新增",
	"author user login username owner wrote 作者 用户",
	"date time timestamp when created at 时间 日期",
	"url link href uri 链接",
	"path endpoint route file 路径",
	"require required mandatory must 必填 必须",
	"default 默认",
	"timeout timed deadline 超时",
	"memory heap ram 内存",
	"disk storage device drive volume sector 磁盘",
	"login logged logon signed accepted session 登录",
	"database db sql 数据库",
	"host server node 主机 服务器",
	"expire expired expiry expires 过期",
	"large largest big biggest size bytes length max maximum highest 最大",
	"small smallest min minimum lowest least 最小 最短",
	"phone telephone call tel 电话",
	"email mail 邮箱 邮件",
	"buy purchase order ordered cart checkout 订单",
	"cause reason because why due 原因",
	"version release 版本",
	"pass passed ok success succeed 通过 成功",
	"skip skipped ignored 跳过",
	"close closed shut 关闭",
	"button press click submit",
	"hint suggest suggests suggestion suggested did mean",
)

func groups(lines ...string) [][]string {
	var out [][]string
	for _, l := range lines {
		var group []string
		eachWord(l, func(w []byte) { group = append(group, string(w)) })
		out = append(out, group)
	}
	return out
}

// classesOf returns the first digits of the classes of HTTP status that an intent asks for, by 5xx or "server error".
func classesOf(intent string) string {
	out, low := "", strings.ToLower(intent)
	if strings.Contains(low, "server error") || strings.Contains(low, "服务器错误") {
		out = "5"
	}
	if strings.Contains(low, "client error") || strings.Contains(low, "客户端错误") {
		out += "4"
	}
	for i := 0; i+2 < len(low); i++ {
		if class(low[i]) == digit && low[i+1:i+3] == "xx" {
			out += low[i : i+1]
		}
	}
	return out
}
