package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// Mark is an event that the rows which are asked for come before or after: "errors after the mailer reconnected".
type Mark struct {
	Event
	After bool
	Asked Question // what is asked of these rows
}

// Limit is the row of an event that others come before or after.
type Limit struct {
	At    rows.Time
	File  string
	Line  int
	After bool
}

var (
	markTail = pattern.New(`(?i)^(.*\S)[\s,]+(before|prior to|until|till|after|since|once) (.+)$`)
	markHead = pattern.New(`(?i)^(?:right |just |immediately |directly |shortly )?(before|until|till|after|since|once) ([^,]+), (.+)$`)
	markZH   = pattern.New(`^(?:在|自从|自|从)?(.+?)(之前|以前|之后|以后)(?:的|，|,)?(.+)$`)

	// happens is in words that tell of an event. "Before tax" and "after lunch" tell of none, and what is told of the
	// rows themselves, "after they were sent", is a matter of their columns.
	happens   = pattern.New(`(?i)\b[a-z]{2,}ed\b|\b(?:was|were|went|came|became|got|began|broke|fell|rose|ran|sent|lost|left|stop|stops|start|starts|fails?|crash|timeout|outage|restart|reboot|failover|shutdown|login|logout|errors?|warnings?|exception|panic|unreachable|first|last)\b|["“”「'` + "`" + `]`)
	tellsRows = pattern.New(`(?i)^(?:they|it|he|she|we|i|you|that|this|which|being|having)\b|^(?:它|他|她|这|那|此|其|我|你|们)`)
	happenZH  = pattern.New(`[了过]|第一|最后|首次|失败|成功|出错|报错|错误|超时|重启|重连|启动|停止|崩溃|恢复|断开|连接|上线|不可达|异常|告警|登录|下单|到店|["“「]`)

	// anyHappening asks for whatever stands next to an event.
	anyHappening = pattern.New(`(?i)^(?:what (?:else )?(?:happened|was happening|occurred|went on|was logged|came|is there|was there)|(?:都|还)?(?:发生|出现|记录)了?(?:什么|哪些(?:事情?|事件)?)(?:事情?)?)[?？\s]*$`)
)

var afterWord = pattern.New(`(?i)after|since|once|后`)

// nextTo asks for the rows that are shown of what happened before an event, or after it.
var nextTo = map[bool]string{false: "the last 5 rows", true: "the first 5 rows"}

// nearness are words that say how soon before or after.
var nearness = pattern.New(`(?i)[\s,]+(?:right|just|immediately|directly|shortly)$`)

// markOf reads a question of what came before or after an event; nil if the words are none.
func markOf(q *Question, known []string) *Mark {
	switch q.Intent {
	case Count, Filter, Top, FirstLast, Aggregate, Unknown:
	default:
		return nil
	}
	text := strings.Join(strings.Fields(strings.Trim(q.Original, " \t\n?？!！.。,，;；")), " ")
	when, event, asked, han := "", "", "", false
	if p := markHead.FindStringSubmatch(text); p != nil {
		when, event, asked = p[1], p[2], p[3]
	} else if p := markTail.FindStringSubmatch(text); p != nil {
		asked, when, event = p[1], p[2], p[3]
	} else if p := markZH.FindStringSubmatch(text); p != nil {
		event, when, asked, han = p[1], p[2], p[3], true
	}
	if q.Aside != 0 || !happens.MatchString(event) && !happenZH.MatchString(event) || tellsRows.MatchString(event) {
		return nil
	}
	m := &Mark{Event: eventOf(event, known, q), After: afterWord.MatchString(when)}
	if m.isTime() || m.Row && m.Any {
		return nil
	}
	asked = nearness.ReplaceAllString(asked, "")
	if anyHappening.MatchString(asked) {
		asked = nextTo[m.After]
	}
	if m.Asked = parsePlain(asked, known, q.Lang); len(m.Asked.Files) == 0 {
		m.Asked.Files = q.Files
	}
	if han { // a time before the event is one of all that follows
		m.Asked.inherit(m.Question)
	}
	return m
}
