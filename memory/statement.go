package memory

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// statement is a text understood as "subject has this value of relation", where a subject can have
// one value only: it lives in one city, has one birthday. A newer value replaces the older one. What
// is not understood for certain is no statement.
type statement struct {
	subject  string // "user" for the person themselves
	relation string
	value    string
	exact    bool // the text says nothing beside this
	denied   bool // it says that the value is no longer so
}

const user = "user"

// A form is one way to say a relation. Its groups are named s (subject), a (attribute) and v (value).
// A text without any of the hints cannot have the form, and costs no regular expression.
type form struct {
	relation string
	hints    []string
	find     *pattern.Pattern
}

const subjectEN = `(?:(?P<s>(?:(?:my|the|user's|\p{L}+'s) )?[\p{L}-]+)(?: |'s )(?:(?:is|has|am|have|'ve|'m) )?)??(?:now |currently |just |recently )*`

func en(relation, hints, rest string) form {
	return form{relation, strings.Split(hints, "|"), pattern.New(`^(?:the (?:user) |` + subjectEN + `)` + rest + `$`)}
}

const subjectZH = `(?P<s>[\p{Han}A-Za-z]{0,8}?)(?:现在|目前|已经|已|最近|刚刚|刚)*`

func zh(relation, hints, rest string) form {
	return form{relation, strings.Split(hints, "|"), pattern.New(`^` + subjectZH + rest + `了?$`)}
}

// single are attributes of which a thing has one. Others ("the API is fast") say nothing about what
// else is so.
const single = `name|nickname|birthday|birthdate|address|home address|e-?mail(?: address)?|phone(?: number)?|time ?zone|city|home ?town|` +
	`employer|company|job|job title|title|manager|boss|wife|husband|partner|age|height|weight|nationality|native language|` +
	`port|version|host|hostname|url|branch|server|deadline|budget|currency|ip(?: address)?|region|price|due date|` +
	`(?:favou?rite|preferred|default|current|primary|main) [\p{L} ]{2,30}`

const singleZH = `名字|姓名|昵称|生日|地址|住址|邮箱|电话|手机号|手机|时区|城市|家乡|公司|职位|老板|妻子|丈夫|年龄|身高|体重|国籍|母语|端口|版本|主机|域名|分支|服务器|截止日期|预算|货币|最喜欢的[\p{Han}]{1,6}|默认[\p{Han}]{1,6}`

const languages = `english|chinese|mandarin|german|french|spanish|italian|portuguese|norwegian|swedish|danish|dutch|russian|japanese|korean|arabic|hindi|turkish|polish|` +
	`英文|英语|中文|汉语|普通话|德语|法语|西班牙语|日语|日文|韩语|俄语`

var forms = []form{
	en("residence", "liv|resid|based |located ", `(?:lives?|living|resides?|residing|based|located) (?:in|at) (?P<v>.+)`),
	en("residence", "moved |relocated ", `(?:moved|relocated)(?: from [\p{L} ]{1,30}?)? to (?P<v>.+)`),
	en("employer", "work|employed ", `(?:works?|working|employed) (?:at|for|by) (?P<v>.+)`),
	en("role", "work", `(?:works?|working) as (?:an? )?(?P<v>.+)`),
	en("name", "called |named |go by |goes by ", `(?:called|named|goes by|go by|prefers to be called|wants to be called) (?P<v>.+)`),
	en("name", "call ", `call (?:me|him|her|them) (?P<v>.+)`),
	en("age", "0|1|2|3|4|5|6|7|8|9", `(?P<v>\d{1,3})(?: years old)?`),
	en("born", "born ", `born (?:on|in) (?P<v>.+)`),
	en("language of answers", " in ", `(?:prefers?|wants?|likes?) (?:answers|replies|responses|to be answered) in (?P<v>`+languages+`)`),
	en("language of answers", " in ", `(?:always )?(?:answer|reply|respond)(?: to (?:me|the user|user))? in (?P<v>`+languages+`)`),
	{"", []string{" is ", " are ", "changed to "}, pattern.New(`^(?P<s>my|user's|the user's|\p{L}+'s) (?:new )?(?P<a>` + single + `) (?:is|are|is now|was changed to|changed to|has changed to) (?P<v>.+)$`)},
	{"", []string{" is ", "changed to "}, pattern.New(`^(?P<s>the [\p{L}\d -]{2,40}?)(?:'s)? (?P<a>` + single + `) (?:is|is now|was changed to|changed to|has changed to) (?P<v>.+)$`)},
	{"", []string{" is ", "changed to "}, pattern.New(`^(?:the )?(?:new )?(?P<a>` + single + `) (?:of|for) (?P<s>[\p{L}\d' -]{2,40}?) (?:is|is now|was changed to|changed to|has changed to) (?P<v>.+)$`)},
	zh("residence", "住|居", `(?:住在|居住在|定居在|定居|现居|住)(?P<v>\p{Han}{2,10}?)`),
	zh("residence", "搬|迁|移居", `(?:搬到|搬去|搬家到|迁到|移居到|移居)了?(?P<v>\p{Han}{2,10}?)`),
	zh("employer", "职于", `(?:就职于|任职于)(?P<v>[\p{Han}A-Za-z0-9 ]{2,16}?)`),
	zh("employer", "在", `在(?P<v>[\p{Han}A-Za-z0-9 ]{2,16}?)(?:工作|上班|就职|任职)`),
	zh("name", "叫", `(?:叫做|名叫|叫)(?P<v>[\p{Han}A-Za-z ]{1,12}?)`),
	zh("language of answers", "回答|回复|交流", `(?:希望|要求|请)?(?:总是)?(?:用|使用|以)(?P<v>`+languages+`)(?:来)?(?:回答|回复|交流)(?:问题)?`),
	{"", []string{"是", "为", "改成", "换成", "变成", "叫"}, pattern.New(`^(?P<s>[\p{Han}A-Za-z]{1,8}?)的?新?(?P<a>` + singleZH + `)(?:现在)?(?:是|为|改为|改成|换成|变成|变为|叫)(?P<v>[^，。；、]{1,20}?)了?$`)},
}

var (
	// What is past, planned or conditional is not so now; with two clauses, replacing would lose one.
	unsure = pattern.New(`\b(?:used to|formerly|previously|was|were|plans?|planning|intends?|might|maybe|perhaps|probably|if|when|until|unless|wants? to move|would|will|and|or|but|with|while|because|since he|since she|who|which|where|not)\b|[;,:?]|\. |[，；：、？]|以前|曾|计划|打算|可能|也许|如果|的时候|和|但|或|想|准备`)
	// A date at the end says since when; the rest is the value.
	since       = pattern.New(` (?:(?:in|since|on|as of|from) (?:(?:early|mid|late) )?(?:\d{4}(?:-\d\d(?:-\d\d)?)?|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{1,2})?(?: \d{4})?|(?:last|this) \w+)|now|today|recently|yesterday|(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter)|permanently|again|these days)$`)
	noLonger    = pattern.New(`\b(?:no longer|does not|doesn't|do not|don't|is not|isn't) `)
	noLongerHan = strings.NewReplacer("不再住", "住", "不住", "住", "不再叫", "叫", "不叫", "叫", "不在", "在", "不再", "")
)

// parseStatement understands a text, or not.
func parseStatement(text string) (st statement, ok bool) {
	s := strings.ToLower(strings.TrimRight(strings.ReplaceAll(strings.Map(narrow, text), "\u2019", "'"), ".!。！ "))
	if len(s) > 200 || !slices.ContainsFunc(forms, func(f form) bool { return f.hinted(s) }) {
		return statement{}, false
	}
	if plain := noLongerHan.Replace(noLonger.ReplaceAllString(s, "")); plain != s {
		s, st.denied = plain, true
	}
	short := since.ReplaceAllString(s, "")
	st.exact, s = short == s, short
	for _, f := range forms {
		if !f.hinted(s) {
			continue
		}
		if m := f.find.FindStringSubmatch(s); m != nil {
			st, ok = st.fill(f, m)
			return st, ok && !unsure.MatchString(s)
		}
	}
	return statement{}, false
}

func (f form) hinted(s string) bool {
	return slices.ContainsFunc(f.hints, func(hint string) bool { return strings.Contains(s, hint) })
}

func (st statement) fill(f form, m []string) (statement, bool) {
	st.subject, st.relation = user, f.relation
	for i, name := range f.find.SubexpNames() {
		switch name {
		case "s":
			st.subject = subject(m[i])
		case "a":
			st.relation = attribute(m[i])
		case "v":
			st.value = sameKey(m[i])
		}
	}
	return st, st.value != "" && len(strings.Fields(st.value)) <= 5
}

// subject gives one name to all words for the person that the memory is about.
func subject(s string) string {
	switch s = strings.TrimSpace(s); s {
	case "", "user", "the user", "i", "i'm", "my", "user's", "the user's", "用户", "我", "本人", "用户的", "我的":
		return user
	}
	return sameKey(strings.TrimSuffix(s, "'s"))
}

// attribute gives one name to attributes that forms above know by another.
func attribute(a string) string {
	switch a = strings.NewReplacer("favour", "favor", "colour", "color", "-", "").Replace(a); a {
	case "name", "nickname", "名字", "姓名", "昵称":
		return "name"
	case "city", "hometown", "home town", "城市":
		return "residence"
	case "employer", "company", "公司":
		return "employer"
	case "job", "job title", "title", "职位":
		return "role"
	case "phone number", "手机", "手机号", "电话":
		return "phone"
	case "email address", "邮箱":
		return "email"
	case "birthdate", "生日":
		return "birthday"
	case "due date", "截止日期":
		return "deadline"
	case "年龄":
		return "age"
	}
	return a
}

// relationTo says how a new text stands to an old one of the same scope.
type relationTo int

const (
	unrelated  relationTo = iota
	duplicate             // says the same
	superseded            // the old one no longer holds
)

// compare decides by few and plain rules, and for unrelated wherever they do not reach: two entries
// too many do less harm than one lost.
func compare(fresh, old *analysis) relationTo {
	switch {
	case fresh.key == old.key:
		return duplicate
	case fresh.about == old.about && fresh.no != old.no:
		return superseded
	case fresh.stated && old.stated:
		return compareStatements(fresh.statement, old.statement)
	case fresh.wish && old.wish && isOpposite(fresh.key, old.key):
		return superseded
	}
	return unrelated
}

func compareStatements(is, was statement) relationTo {
	if was.denied || is.subject != was.subject || is.relation != was.relation {
		return unrelated
	}
	same := is.value == was.value
	switch {
	case is.denied && same, !is.denied && !same:
		return superseded
	case same && is.exact && was.exact:
		return duplicate
	}
	return unrelated
}

// opposites are words of which a preference for the same thing can hold one.
var opposites = [][]string{
	{"short", "brief", "concise", "terse", "|", "long", "detailed", "verbose", "thorough", "lengthy"},
	{"formal", "|", "informal", "casual"},
	{"dark", "|", "light"},
	{"tabs", "|", "spaces"},
	{"metric", "|", "imperial"},
	{"celsius", "|", "fahrenheit"},
	{"12-hour", "|", "24-hour"},
	{"简短", "简洁", "|", "详细", "冗长"},
	{"正式", "|", "随意", "口语"},
	{"深色", "|", "浅色"},
	{"公制", "|", "英制"},
}

var wish = pattern.New(`^(?:i |he |she |they )?(?:prefers?|likes?|wants?|uses?|keep|always|give|write|answer|reply|answers|replies)\b|^(?:我|用户)?(?:喜欢|偏好|偏爱|希望|想要|使用|回答|回复|请)`)

// isOpposite reports whether two wishes differ in one word, and those two words exclude each other.
// Both are keys of sameKey.
func isOpposite(fresh, old string) bool {
	for _, group := range opposites {
		cut := slices.Index(group, "|")
		a, sideA := blank(fresh, group[:cut], group[cut+1:])
		b, sideB := blank(old, group[:cut], group[cut+1:])
		if sideA*sideB == -1 && a == b {
			return true
		}
	}
	return false
}

// blank takes the word of a group out of a text and says which side it was on: -1, 1, or 0 for none.
func blank(s string, left, right []string) (rest string, side int) {
	key := " " + s + " "
	for i, sideWords := range [][]string{left, right} {
		for _, w := range sideWords {
			if isASCII(w) {
				w = " " + w + " "
			}
			if strings.Count(key, w) == 1 {
				return strings.Replace(key, w, " _ ", 1), 2*i - 1
			}
		}
	}
	return key, 0
}

func isASCII(s string) bool { return s[0] < 0x80 }
