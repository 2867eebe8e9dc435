package compiler_test
import ("testing";"fmt";"github.com/akitad/akitad/internal/compiler")
func TestProbe(t *testing.T){
 for _, s := range []string{
 "How many 5xx responses are in nginx.log per hour?",
 "Which endpoint in api.log is slowest?",
 "give me the top 10 error messages",
 "Look through app.log and db.log and tell me when the first timeout happened and what changed before",
 "Can you check whether the backup ran last night?",
 "Plan a 3-day trip to Kyoto for two people with a budget under 800 euros, avoiding museums.",
 "Please rewrite the paragraph below in formal English.\n\nhey guys, the thing broke again and nobody knows why, can somebody have a look at it pls",
 "I need a python script that downloads all images from https://a.b/c?x=1, only png files, and saves them in ./out",
 "Explain the difference between TCP and UDP in simple terms, in under 80 words",
 "sum the amount column of orders.csv by customer, top 3 only",
 "What is 17*23?",
 "Who are you and what can you do?",
 "My name is Bob and I live in Berlin. Remember it.",
 "Every day at 8:00 tell me the weather in Berlin, in German.",
 "In 20 minutes remind me about the pizza",
 "Schedule a meeting with Anna and Tom next Tuesday at 3pm, and email them the agenda",
 "Why did the payment service fail yesterday? Check payments.log and deploy.md. Do not guess. Write the findings to findings.md as a table.",
 "统计orders.csv里每个客户的金额合计，只要前三名",
 "今天几号？",
 "把nginx.log中5xx的请求按小时统计，输出为表格，保存为report.md",
 "为什么昨天支付服务挂了？请查看payments.log和deploy.md，不要猜测，把结论写成表格存到findings.md",
 "帮我写个Python脚本，从 https://a.b/c 下载所有图片，只要png格式，存到./out目录",
 "每天早上八点告诉我柏林的天气，用德语",
 "二十分钟后提醒我看披萨",
 "你是谁？你能做什么？",
 "请用不超过80字通俗地解释TCP和UDP的区别",
 "翻译下面这段话：Good morning, how are you?",
 "app.log 里第一次超时是什么时候，之前改了什么",
 "比较 a.log 和 b.log 的错误数量",
 "我叫小明，住在北京，记住了",
 "OK",
 "/help",
 "Compare the populations of France, Germany, Italy and Spain",
 "What's in the file?",
 "查看日志",
 "哪个接口最慢",
 } {
  spec, r := compiler.Twin(compiler.Input{Text: s})
  fmt.Printf("## %s\n%s%+v C=%d\n\n", s, compiler.Marshal(spec), r, compiler.Complexity(spec, nil))
 }
}
