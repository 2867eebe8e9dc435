package compiler

import "github.com/akitad/akitad/internal/pattern"

// moodEN reads a clause without Han characters.
func moodEN(s string, asks bool) mood {
	switch {
	case forbidsEN(s), mannerEN.MatchString(s), enoughEN.MatchString(s) && !(asks && questionEN.MatchString(s)), eachEN.MatchString(s), wishEN.MatchString(s) && !guess.MatchString(s):
		return demand
	case contentEN.MatchString(s):
		return told
	case asks && questionEN.MatchString(s), whEN.MatchString(s):
		return asked
	case orderEN(s) != "", phraseEN.MatchString(s), setting.MatchString(s):
		return open
	case guess.MatchString(s):
		return told
	case !personEN.MatchString(s) && mustEN.MatchString(s):
		return demand
	case tellsEN(s) && needEN.MatchString(s) && !othersEN.MatchString(s):
		return needed
	case tellsEN(s):
		return told
	}
	return open
}

// How English clauses begin. A name that is covered is a word of many x.
var (
	forbidHead = pattern.New(`(?i)^not xxx\S*$|^(?:(?:you|it|this|they) (?:don't|do not|doesn't|does not) (?:have|need) to|do not|don't|dont|never|avoid|must not|mustn't|should not|shouldn't|may not|cannot use|refrain from|leave out|excluding|exclude|ignoring|ignore|omit|omitting|skip|skipping|not (?:including|more|less|later|earlier|longer|before|after|until|in|on|at|to|with|for|from|by|via|the|a|an|any|my|too|just|as)|nothing|none|no)\s+\S|^(?:leave|leaving|keep|keeping)\s.*\s(?:alone|untouched|unchanged|out|as (?:is|it is|they are)|where (?:it is|they are))\b`)
	// doNone orders that nothing of a sort is done: "cite no laws".
	doNone = pattern.New(`(?i)^[a-z]+\s+no\s+[a-z]`)
	// idle are such beginnings that forbid nothing.
	idle = pattern.New(`(?i)^(?:do not|don't|dont)\s+(?:you|know|think|worry|get me wrong|understand|care|see why|mind|bother)\b|^never\s+(?:mind|had|seen|heard|been|got|knew)\b|^no\s+(?:problem|worries|idea|luck|rush|way|matter|doubt|one|thanks|hurry|wonder|clue|offense)\b|^(?:no|nothing|none of)\s.*\b(?:is|are|was|were|works?|worked|happen\w*|help\w*|changed)\b`)

	wishEN = pattern.New(`(?i)^(?:i|we) (?:(?:really|just) )?(?:(?:don't|do not|dont) (?:want|need)|must)\b|^(?:i|we) (?:only|just) (?:need|want|care about)\b`)
	mustEN = pattern.New(`(?i)\b(?:(?:must|should)(?:n't| not)?|has to|have to|needs? to|may not|always)\s`)
	guess  = pattern.New(`(?i)\b(?:must|should|may) (?:not )?(?:have (?:\w+ed|been|had|gone|done|got)|be the \w+est|be (?:a |an |the )?(?:bug|mistake|reason|at least|around|about|over|under))\b`)
	needEN = pattern.New(`(?i)\b(?:needs?|must|have to|has to)\b`)
	// othersEN begins what somebody else has to do, which is no date for what is asked for here.
	othersEN = pattern.New(`(?i)^(?:he|she|they|(?:my|his|her|their) (?:[\w-]+ ){1,2})\s*(?:must|has to|have to|needs? to)\b`)
	mannerEN = pattern.New(`(?i)^(?:very |quite |a bit |more |less |rather |and |but )*(?:formal|informal|friendly|casual|polite|professional|neutral|humorous|playful|concise|brief|short|simple|warm|funny|witty|upbeat|cheerful|serious|sincere|heartfelt)(?:\s+(?:and|but) \w+)?(?:\s+(?:tone|style|please))*$|^(?:be|keep (?:it|them|this|that)) (?:very |really |as )?[a-z]+(?: and [a-z]+)?$|^[a-z]+ (?:but|and|yet) not (?:too )?[a-z]+$`)
	// enoughEN says that less is enough, eachEN how much of one there is for each other.
	enoughEN = pattern.New(`(?i)^(?:an? |the |just )?[\w -]{1,40} (?:is|are|will do|would be|works) (?:just )?(?:fine|enough|ok|okay|sufficient|all i need)$|^[\w -]{1,30} will do$|^[\w' -]{1,40} (?:if|where|when) (?:possible|you can|necessary)$|^(?:[a-z]+ ){0,3}[a-z]+[^ui]s would be (?:best|better|ideal|preferred)$`)
	// firstEN says which of the things come first.
	firstEN = pattern.New(`(?i)^(?:[\w-]+ ){1,4}(?:first|last)$`)
	eachEN  = pattern.New(`(?i)^(?:about |around |roughly )?(?:a single|` + count + `) (?:\w+ )?(?:each|per \w+|(?:words?|sentences?|lines?|paragraphs?|pages?|bullets?|bullet points|characters?|slides?|colou?rs?|columns?|decimals?|digits?|minutes?|dollars?|euros?|pounds|bucks)(?: each| long| or so| max| tops)?)$` +
		`|^(?:about|around|roughly) ` + money + `$`)
	// madeEN is how the result of the order before is to be made: "sorted by name".
	madeEN = pattern.New(`(?i)^(?:[\w-]+ ){1,3}(?:(?:ex|in)cluded|removed|omitted|ignored|redacted|anonymi[sz]ed|masked|merged|highlighted|marked|rounded|preferred|required|allowed|welcome)$|^(?:\w+ed|written|split|set|drawn|grown) (?:by|alphabetically|in|as|into|to|for|on|from|with|like|after|before|at|per|out|down|up|\w+ly)\b`)
	// howEN begins what says how an order is to be carried out; asideEN looks like it.
	howEN     = pattern.New(`(?i)^(?:with|for|at|by|as|using|within|before|after|until|preferably|ideally|if possible|in the (?:style|tone|voice|form|spirit) of|in (?:a|an) [\w-]+ (?:tone|style|voice|way)|make (?:it|them|this)|keep|leave (?:[b-z]\w*|a\w{2,})|use|stick to|limit|stay|wait for [\w' ]+ before|remember to|double[- ]check)\b`)
	asideEN   = pattern.New(`(?i)^(?:for (?:example|instance|now|the record)|by the way|as (?:well|always|usual|i said|discussed|far|mentioned)|(?:after|before|with) (?:that|this|which)|at (?:all|the moment)|with (?:regards|thanks))\b`)
	contentEN = pattern.New(`(?i)^(?:saying|explaining|asking|telling|because|since|though)\b`)
	// ownEN is whom a question is about that asks how somebody here is to do something.
	ownEN  = pattern.New(`(?i)\b(?:i|we|you|to|one)\s`)
	whInEN = pattern.New(`(?i)\b(?:who|what|where|when|why|how|which|whether)\b`)
	whEN   = pattern.New(`(?i)^(?:who|what|where|why|how|which|whose|whom)\b`)
	// phraseEN begins a phrase of an order, or a limit.
	phraseEN = pattern.New(`(?i)^(?:if|when|once|unless|before|after|until|while|for|in|on|at|with|without|from|to|as|by|using|only|just|all|each|every|neither|either|both|max|maximum|exactly|except|but|please|you|make sure|ensure|be sure)\b|^i(?:'d| would| can| could)? (?:pay|spend)\b|^(?:the |my |our |your |total )*(?:budget|deadline|limit|maximum|minimum|length|tone|style|language|format|audience)\b`)
	// personEN begins what is told of somebody, thingEN what is told of something.
	personEN = pattern.New(`(?i)^(?:i|i'm|i've|i'll|i'd|we|we're|we've|he|he's|she|she's|they|they're|somebody|someone|everybody|everyone|nobody|no one|people|(?:mom|mum|dad|grandma|grandpa|granny)\s+(?:\w+\s+)?[a-z]+s|(?:my|our|his|her|their)\s+(?:[\w()'-]+\s+){1,3}?` + finite + `)\b`)
	thingEN  = pattern.New(`(?i)^(?:it's|that's|there's|(?:it|this|that) (?:(?:also|still|just|only|really|always|often|usually) )*[a-z]+(?:s|ed)|(?:[\w.'/()-]+\s+){1,4}?(?:(?:also|still|just|really|always|often|usually)\s+)*` + finite + `)\b`)
)

// finite are verbs that make a sentence of the words before them.
const finite = `(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|needs?|wants?|hates?|likes?|loves?|says?|said|insists?|thinks?|claims?|believes?|told|asked|wrote|never|keeps?|works?|worked|fails?|failed|crashed|crashes|stopped|started|(?:is|are|was|were|has|have|had|does|do|did|ca|could|wo|would)n't|cannot)`

func forbidsEN(s string) bool {
	return (forbidHead.MatchString(s) || doNone.MatchString(s) && !tellsEN(s)) && !idle.MatchString(s)
}

func tellsEN(s string) bool {
	return personEN.MatchString(s) || !phraseEN.MatchString(s) && orderEN(s) == "" && thingEN.MatchString(s)
}
