package offline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
)

const (
	twoSales = "product,amount\nLamp,10\nDesk,20\n"
	fewPens  = "product,amount\nPen,1\nInk,2\nPen,4\n"
)

// sent is a brief in which only some of the folder's files came with the message.
func (k *kit) sent(names ...string) llm.Brief {
	b := k.brief()
	b.Sent = names
	return b
}

// lacks fails if the answer holds one of the texts.
func lacks(t *testing.T, answer string, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(answer, w) {
			t.Errorf("the answer holds %q:\n%s", w, answer)
		}
	}
}

// Words that ask for nothing get a short answer that names no file, in their language.
func TestSmallTalk(t *testing.T) {
	for words, want := range map[string]string{
		"thanks": "welcome", "Thank you so much!": "welcome", "ok": "All right", "bye": "Goodbye", "👍": "Noted", "?": "What would you like",
		"谢谢": "不客气", "好的": "好的", "再见": "再见", "hello": "Hello. I am akitad", "Hi there!": "No language model is connected", "你好": "没有连接语言模型",
		"Are you there?": "Hello. I am akitad", "are you still there": "Hello. I am akitad", "Anyone here?": "Hello. I am akitad", "还在吗？": "您好。我是 akitad", "你在不在": "您好。我是 akitad",
		"who are you?": "I am akitad", "你是谁？": "我是 akitad",
		"run the shell command: sleep 20; echo done": "takes a language model", "请执行命令 ls": "需要语言模型",
	} {
		got := newKit(t, map[string]string{"a.csv": twoSales, "b.csv": fewPens}).ask(words)
		has(t, got, want)
		lacks(t, got, "a.csv", "b.csv", "I find nothing", "count, filter, group")
		if len([]rune(got)) > 240 || strings.Count(got, "\n") > 0 {
			t.Errorf("%s: too long: %s", words, got)
		}
	}
	k := newKit(t, map[string]string{"a.csv": twoSales})
	for _, words := range []string{"ok, how many rows are in a.csv?", "Thanks. How many rows are there?"} {
		has(t, k.ask(words), "**2 rows**")
	}
}

// That nothing is found is said once for all files, and the help stands there once.
func TestNothingIsSaidOnce(t *testing.T) {
	files := map[string]string{"a.csv": twoSales, "b.csv": fewPens, "c.csv": twoSales}
	for words, once := range map[string][]string{
		"blorp zibble": {"I find nothing in a.csv, b.csv and c.csv that answers this.", "What I can do by rules"},
		"阿姆斯特丹花园":      {"在 a.csv、b.csv、c.csv 中没有找到答案", "没有语言模型时"},
	} {
		for _, got := range []string{newKit(t, files).ask(words), newKit(t, files).team(words).Text} {
			for _, w := range once {
				if strings.Count(got, w) != 1 {
					t.Errorf("%s: %q stands %d times:\n%s", words, w, strings.Count(got, w), got)
				}
			}
		}
	}
}

// A message that brings files is answered from those, unless its words are about others too.
func TestOwnFilesComeFirst(t *testing.T) {
	for _, tt := range []struct {
		words    string
		has, not []string
	}{
		{"sum of amount", []string{"**7**"}, []string{"sales.csv", "37"}},
		{"and the sum of amount?", []string{"**7**"}, []string{"sales.csv"}},
		{"sum of amount in sales.csv", []string{"**30**"}, []string{"**7**"}},
		{"sum of amount of all files", []string{"**37**", "sales.csv", "many.csv"}, nil},
		{"sum of amount in both", []string{"**37**"}, nil},
		{"compare the sum of amount", []string{"30", "7", "sales.csv", "many.csv"}, nil},
		{"amount 的总和是多少？", []string{"**7**"}, []string{"sales.csv"}},
		{"所有文件的 amount 总和是多少？", []string{"**37**"}, nil},
		{"对比 amount 的总和", []string{"30", "7"}, nil},
	} {
		k := newKit(t, map[string]string{"sales.csv": twoSales, "many.csv": fewPens})
		k.said = []string{"sum of amount in sales.csv"}
		got := k.run(tt.words, k.sent("many.csv"), false).Text
		has(t, got, tt.has...)
		lacks(t, got, tt.not...)
	}
}

// What an earlier message brought and nobody can read is not complained of again; what this one brings is.
func TestOldUnreadableFiles(t *testing.T) {
	files := map[string]string{"sales.csv": twoSales, "x.bin": "\x00\x01\x02", "blob.dat": "\x00\x01\x02", "photo-33.jpg": oneImage}
	complaints := []string{"x.bin", "blob.dat", "photo-33.jpg", "binary", "extract"}
	for _, words := range []string{"sum of amount", "amount 的总和是多少？"} {
		k := newKit(t, files)
		k.said = []string{"look at this"}
		for _, b := range []llm.Brief{k.brief(), k.sent("sales.csv")} {
			got := k.run(words, b, false).Text
			has(t, got, "**30**")
			lacks(t, got, complaints...)
		}
	}
	k := newKit(t, files)
	k.said = []string{"look at this"}
	has(t, k.run("how many rows?", k.sent("x.bin"), false).Text, "x.bin")
	has(t, k.run("how many rows are in blob.dat?", k.brief(), false).Text, "blob.dat")
	has(t, k.run("what is in it?", k.sent("photo-33.jpg"), false).Text, "cannot see images", "photo-33.jpg")
	zh := k.run("有多少行？", k.sent("x.bin"), false).Text
	has(t, zh, "x.bin")
	lacks(t, zh, "binary", "read", "file", "failed")
}

// A table without words is told of, and what is wanted is asked for.
func TestFilesWithoutWords(t *testing.T) {
	k := newKit(t, map[string]string{"sales.csv": twoSales, "many.csv": fewPens})
	got := k.run("", k.sent("many.csv"), false).Text
	has(t, got, "many.csv", "3 rows", "2 columns: product and amount", "What would you like")
	lacks(t, got, "sales.csv")
	b := k.sent("many.csv")
	b.Language = "zh"
	has(t, k.run("", b, false).Text, "3 行", "2 列：product、amount", "您想了解什么")
}

// Files of another conversation that lie in the folder are not looked at, listed or searched.
func TestFilesOfAnotherConversation(t *testing.T) {
	k := newKit(t, map[string]string{"sales.csv": twoSales, "many.csv": fewPens})
	only := llm.Brief{Others: 1, Files: []llm.BriefFile{{Name: "many.csv", Bytes: 9}}}
	for words, want := range map[string]string{"sum of amount": "**7**", "what files are there?": "many.csv", "which files mention Lamp?": "No file mentions"} {
		got := k.run(words, only, false).Text
		has(t, got, want)
		lacks(t, got, "sales.csv")
	}
	has(t, k.run("sum of amount", llm.Brief{Others: 2}, false).Text, "Give or name the file")
	has(t, k.run("sum of amount in sales.csv", only, false).Text, "**30**")
}

// A report that no file is named for is report.md, and one that is there is written anew.
func TestReportWithoutName(t *testing.T) {
	for _, tt := range []struct{ words, answer, report string }{
		{"统计每个产品的数量，并写一份报告", "Pen", "Pen"},
		{"统计每个产品的数量并生成报告", "Pen", "Pen"},
		{"Count the rows by product and write a report", "Pen", "Pen"},
		{"Sum of amount. Please write a short report.", "**7**", "**7**"},
		{"Sum of amount, write a report to report.md", "**7**", "**7**"},
		{"write a report to report.md", "report.md", "many.csv"},
		{"把报告写入 report.md", "report.md", "many.csv"},
		{"write a report", "report.md", "many.csv"},
	} {
		k := newKit(t, map[string]string{"many.csv": fewPens})
		if err := k.dir.WriteFile("report.md", []byte("# old\n")); err != nil {
			t.Fatal(err)
		}
		got := k.ask(tt.words)
		has(t, got, tt.answer)
		lacks(t, got, "并写", "份报告", "I find nothing")
		has(t, k.read("report.md"), tt.report)
		lacks(t, k.read("report.md"), "# old")
	}
	k := newKit(t, map[string]string{"many.csv": fewPens})
	k.said = []string{"sum of amount in many.csv"}
	k.ask("write a report")
	has(t, k.read("report.md"), "**7**")
}

// A secret is not kept, which is said in the language of the question.
func TestASecretIsNotKept(t *testing.T) {
	for words, want := range map[string]string{
		"remember that the door's password is 4711x": "I did not keep this: text holds a secret. Passwords, keys and card numbers are not kept in memory.",
		"记住：会议室密码是 4711":                             "没有记住这句话：密码、密钥和卡号不会记在记忆里",
	} {
		k := newKit(t, nil)
		if got := k.run(words, llm.Brief{}, false); !strings.HasPrefix(got.Text, want) {
			t.Errorf("%s: %q, want %q", words, got.Text, want)
		}
	}
}

// An agent without the tool says that it cannot remember, and names no tool.
func TestCannotRemember(t *testing.T) {
	k := newKit(t, nil)
	k.tools = slices.DeleteFunc(k.tools, func(tl tool.Tool) bool { return tl.Info().Name == "remember" })
	for words, want := range map[string]string{
		"Remember that I live in Oslo": "I did not keep this: the agent that answers here cannot remember",
		"请记住我住在杭州":                     "没有记住这句话：在这里回答的智能体不能记住内容",
	} {
		got := k.ask(words)
		has(t, got, want)
		lacks(t, got, "failed", "at hand", "无法得出结果")
	}
}
