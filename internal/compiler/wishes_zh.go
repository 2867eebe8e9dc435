package compiler

import "github.com/akitad/akitad/internal/pattern"

// How Chinese clauses say what is to be heeded, each as a whole.
var (
	// softZH says what is wished, wherever the clause stands.
	softZH = oneOf{
		pattern.New(`^(?:要[能会有支保注包带含兼先]|严格|注意|记得|保持|先(?:给|让)我|说人话|最好[^的是]|尽量|优先|保证|等我)`),
		// how much of it: 少用术语, 少糖多冰
		pattern.New(`^[少多](?:[用写说放]|\p{Han}[少多无低]\p{Han}$)|^[无低]\p{Han}[少多无低]\p{Han}$`),
		// which sort: 要室内的
		pattern.New(`^要[^，。不]{1,6}的$`),
		// of all things of a sort: 每一步都要截图
		pattern.New(`^(?:任何|所有|凡是|每一?[个步次条张])[^，。]*[都要得][^，。]`),
		pattern.New(`优先$|越[^，。]{1,4}越好$`),
		enoughZH,
	}
	// enoughZH says of an order that no more is asked for.
	enoughZH = pattern.New(`(?:就行|就好|即可|就可以|就够)了?$`)

	// beZH says of a thing what it is to be like or where it is to stand: 会议室要大的, 答案放最后.
	beZH = oneOf{
		pattern.New(`^[^，。我你他她把]{1,6}要[^，。]{1,9}的$`),
		pattern.New(`^[^，。我你他她把]{1,6}[要得](?:[能有会带够近靠离][^，。]{1,8}|[大小多少快慢短长高低宽深浅])$`),
		pattern.New(`^[^，。哪谁什怎]{1,8}最好$`),
		pattern.New(`^[^，。把将的]{1,6}(?:放|写|排|摆|附)在?(?:最|开头|末尾|结尾|前面|后面|上面|下面)`),
	}

	// likeZH says so, behind an order, in a word: 术语要准确. A time before it would say what somebody has to do.
	likeZH = pattern.New(`^[^，。我你他她把]{0,5}[^，。我你他她把天晚上午早周月号点后前内还就也都们不需想]要\p{Han}{2}$`)

	// orderedZH says in which order, and into which parts, things come, whatever verb stands in it.
	orderedZH = oneOf{
		pattern.New(`^按照?[^，。]{1,14}(?:排序?|排列|分[组类段页行列栏章]|归类)$`),
		pattern.New(`^[^，。把将]{1,6}(?:分开|单独|分别|一律)[^，。]{1,6}$`),
		pattern.New(`^[^，。把将的我你]{1,5}(?:最后|最先)\p{Han}{1,3}$`),
		// one after the other: 一台一台来, 依次重启, 一行一个
		pattern.New(`^一[个台条份步批][^，。]{1,8}来$|^(?:逐[个台条步批]|依次|分批|轮流)[^，。]{1,10}$`),
		pattern.New(`^一[行页段天人个句]一[个张条页份次段句]$`),
		pattern.New(`^分(?:成|为)?` + zhNum + `个?(?:部分|段|步|章|节|点|类|批|次)$`),
		// with what it begins or ends: 都以 199 开头
		pattern.New(`^都?以[^，。]{1,8}(?:开头|结尾|为单位)$`),
		// what there is more of: 图多字少
		pattern.New(`^\p{Han}[多少大小]\p{Han}[多少大小]$`),
	}

	// onlyZH, behind an order, is all that it is about, or what matters most: 只处理 jpg, 突出结果.
	onlyZH = pattern.New(`^(?:只|仅)[^是有不好怕见剩得因为，。][^，。]|^(?:突出|强调|侧重|聚焦|围绕)[^，。的]`)

	// howZH is a clause that says how, how much, for whom, or in which language: 按时间顺序, 一页纸, 给小学生看.
	howZH = oneOf{
		pattern.New(`^按照?[^，。]{1,10}(?:来|顺序|排序|升序|降序|倒序|分组|模板|格式)$`),
		pattern.New(`^(?:[^，。]{1,8}以[^，。]{1,24}为准|用[^，。]{1,10})$`),
		pattern.New(`^(?:给|面向)[^，。我]{1,8}(?:看|用|人员|读者|者)$`),
		pattern.New(`^(?:就|共)?` + zhNum + `(?:页纸?|段话?|句话?|行字?|个?字|条要点|个要点|分钟)$`),
		pattern.New(`^(?:英文|中文|双语|` + zhTongue + `(?:来?写|回复?|回答|说|版))$`),
	}
	// degreeZH says of something how it is to be: 用词简单点.
	degreeZH = pattern.New(`^要?[^，。把给想要]{1,12}(?:一点|一些|[^这那哪有一]些|[^一有早快晚差两几要重观特优缺地景识节焦终起热\d]点|清楚|清晰|完整)$`)
	mannerZH = pattern.New(`^[^，。的]{0,4}(?:格式|语气|口吻|措辞|态度|风格|颜色|字体)[^的是怎什有，。][^，。]{0,20}$`)
	// topicZH says of something what is to be used for it: 手机号用 138 开头.
	topicZH = pattern.New(`^[^，。把将给用的]{1,5}[^，。把将给用的引使采应作利适通费信]用[^，。户途法品于]`)

	// assignsZH says, behind an order, which part of it is for whom, and which for nobody: 孩子只分轻活, 去过的就不用了.
	assignsZH = oneOf{
		pattern.New(`^[^，。的]{1,6}?(?:只|不|都不|也不)(?:分[^享析]|排|派|安排|负责|参加|参与|算|出钱|上台|值班)`),
		pattern.New(`^[^，。]{1,10}的(?:人|那些)?(?:就|都)不(?:用|必|需要)`),
	}
)
