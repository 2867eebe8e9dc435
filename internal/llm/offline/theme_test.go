package offline_test

import (
	"strings"
	"testing"
)

const (
	stallCSV = "no,day,buyer,thing,qty,unit_price,state\n1,2026-01-05,Ann,lamp,2,10,sent\n2,2026-01-20,Bea,vase,6,5,sent\n3,2026-02-02,Ann,lamp,1,10,returned\n4,2026-02-11,Cid,vase,12,5,sent\n5,2026-03-03,Bea,tray,2,4,returned\n"
	spendCSV = "Date,Employee,Kind,Amount (EUR)\n2026-04-01,Ann,Train,90\n2026-04-09,Bob,Hotel,60\n2026-04-15,Bob,Hotel,50\n2026-05-04,Ann,Train,70\n"
	saleCSV  = "日期,门店,商品,数量,金额,店员\n2026-01-08,东店,围巾,3,267,小周\n2026-01-15,西店,手套,50,95,小吴\n2026-02-04,西店,围巾,4,356,小周\n"
	formCSV  = "学号,姓名,班级,语文,数学,英语\n1,甲一,一班,80,60,70\n2,乙二,一班,90,70,80\n3,丙三,二班,60,99,60\n"
	bothCSV  = "day,buyer,amount,currency\n2026-01-05,Ann,10,EUR\n2026-01-20,Bea,600,JPY\n"
	cutCSV   = "day,buyer,qty,price,discount\n2026-01-05,Ann,10,2,1\n2026-01-20,Bea,6,3,0\n"
	storeCSV = "商品,库存数量,安全库存,单价\n毛巾,120,50,15\n牙刷,30,80,6\n台灯,15,15,95\n"
	partsCSV = "part,stock,min_stock,price\nbolt,5,10,1\nnut,50,10,2\n"
	teamCSV  = "name,team,hired,left,pay\nAda,Dock,2021-03-01,,3000\nBoris,Dock,2024-07-01,2024-07-31,2000\nDina,Yard,2023-05-02,2023-05-12,2500\n"
	shiftCSV = "日期,姓名,部门,迟到分钟,备注\n2026-03-02,王一,甲部,0,\n2026-03-02,李二,乙部,12,\n2026-03-03,李二,乙部,25,\n2026-03-03,赵三,甲部,5,\n2026-03-04,赵三,甲部,0,事假\n2026-03-04,王一,甲部,0,病假\n"
	stackLog = "2026-06-01 07:58:10 INFO 用户服务 启动完成\n2026-06-01 08:05:22 ERROR 订单服务 连接超时\n2026-06-01 08:05:40 ERROR 订单服务 库存不足\n2026-06-01 09:15:33 ERROR 支付服务 连接超时\n2026-06-01 09:20:00 INFO 订单服务 恢复正常\n2026-06-01 09:21:00 INFO 用户服务 登录成功\n2026-06-01 09:22:00 INFO 用户服务 登录成功\n"
	mixLog   = "2026-05-06T08:14:02Z INFO [gate] ok\n2026-05-06T08:14:40Z ERROR [auth] token expired\n2026-05-06T09:02:05Z ERROR [bill] declined\n2026-05-06T09:02:50Z ERROR [auth] token expired\n2026-05-06T09:40:00Z INFO [gate] ok\n2026-05-06T08:40:00Z INFO [gate] ok\n2026-05-06T08:41:00Z INFO [gate] ok\n"
	readJSON = `[{"title":"Dune","year":1965,"pages":612,"genre":"scifi"},{"title":"Emma","year":1815,"pages":474,"genre":"novel"},{"title":"Cosmos","year":1980,"pages":396,"genre":"novel"}]`
	leaseTXT = "LEASE\n\n1. Parties. Greta Holm lets to Daniel Osei.\n2. Rent. The tenant pays 1,150 euros a month. It is due on the third.\n3. Pets. Cats are allowed; dogs need a written consent.\n4. Repairs. Small repairs are paid by the tenant.\n5. Noise. Nothing loud after ten.\n"
	homeMD   = "# Home\n\n## Kitchen\n- [ ] order worktop (Mia)\n- [x] paint walls (Jo)\n- [ ] fix the tap (Jo)\n\n## Bath\n- TODO: call the plumber\n- DONE: buy soap\n"
)

// TestThemes asks for what is measured by verbs, adjectives and nouns that name no column: money, pieces, marks, time.
func TestThemes(t *testing.T) {
	for _, tt := range []struct {
		file, text, words string
		want              []string
	}{
		{"stall.csv", stallCSV, "Lamps sold?", []string{"sum of qty", "**3** (over 2 rows"}},
		{"stall.csv", stallCSV, "How many different things were sold?", []string{"**3**"}},
		{"stall.csv", stallCSV, "Best month?", []string{"sum of qty*unit_price by month", "1. 2026-02: **70**"}},
		{"stall.csv", stallCSV, "Which was the worst month?", []string{"1. 2026-03: **8**"}},
		{"stall.csv", stallCSV, "Who are our best and worst buyers?", []string{"1. Cid: **60**", "1. Ann: **30**"}},
		{"stall.csv", stallCSV, "Which thing brings in the most money?", []string{"1. vase: **90**"}},
		{"stall.csv", stallCSV, "How much did Ann spend in total?", []string{"sum of qty*unit_price", "buyer = ann", "**30**"}},
		{"stall.csv", stallCSV, "How much money did we lose to returns?", []string{"state = returned", "**18**"}},
		{"stall.csv", stallCSV, "How much money did we lose?", []string{"which rows are a loss"}},
		{"stall.csv", stallCSV, "How many orders were returned and who returned them?", []string{"**2 rows**", "Ann", "Bea"}},
		{"spend.csv", spendCSV, "How much did each person spend?", []string{"by Employee", "Ann: **160**", "Bob: **110**"}},
		{"spend.csv", spendCSV, "Which kind costs us most?", []string{"by Kind", "1. Train: **160**"}},
		{"spend.csv", spendCSV, "Compare April and May", []string{"2026-04: **200**", "2026-05: **70**"}},
		{"spend.csv", spendCSV, "Compare the number of entries in April and May", []string{"2026-04: **3**", "2026-05: **1**"}},
		{"销售.csv", saleCSV, "哪个月卖得最好？", []string{"金额的总和", "1. 2026-01: **362**"}},
		{"销售.csv", saleCSV, "哪种商品卖得最好？", []string{"数量的总和", "1. 手套: **50**"}},
		{"销售.csv", saleCSV, "谁的业绩最差？", []string{"金额的总和", "1. 小吴: **95**"}},
		{"销售.csv", saleCSV, "围巾卖出去多少条？", []string{"数量 的总和", "**7**"}},
		{"成绩.csv", formCSV, "总分第一是谁？", []string{"**240**", "姓名=乙二"}},
		{"成绩.csv", formCSV, "哪个班平均分最高？", []string{"1. 一班: **225**"}},
		{"成绩.csv", formCSV, "数学最高分和最低分分别是谁？", []string{"**99**", "姓名=丙三", "**60**", "姓名=甲一"}},
		{"both.csv", bothCSV, "Who spent the most?", []string{"cannot answer"}},
		{"cut.csv", cutCSV, "How much money did we make in total?", []string{"cannot answer"}},
		{"库存.csv", storeCSV, "哪些商品需要补货？", []string{"**2** 行", "库存数量 <= 安全库存", "牙刷", "台灯"}},
		{"库存.csv", storeCSV, "库存总共值多少钱？", []string{"库存数量*单价", "**3405**"}},
		{"parts.csv", partsCSV, "Which parts need restocking?", []string{"**1 row**", "stock <= min_stock", "bolt"}},
		{"team.csv", teamCSV, "How long did the leavers stay?", []string{"Boris", "left-hired=30", "Dina", "left-hired=10"}},
		{"考勤.csv", shiftCSV, "李二一共迟到了多少分钟？", []string{"迟到分钟 的总和", "**37**"}},
		{"考勤.csv", shiftCSV, "哪个部门迟到最严重？", []string{"1. 乙部: **37**"}},
		{"考勤.csv", shiftCSV, "3月4日谁请假了？", []string{"**2** 行", "赵三", "王一"}},
		{"栈.log", stackLog, "几点的报错最多？", []string{"1. 2026-06-01 08:00: **2**"}},
		{"栈.log", stackLog, "哪个服务报错最多？", []string{"1. 订单服务: **2**"}},
		{"mix.log", mixLog, "Which hour was the worst?", []string{"level ERROR", "1. 2026-05-06T09:00Z: **2**"}},
		{"mix.log", mixLog, "Errors per service, and which minute has the most?", []string{"auth: **2**", "by minute", "2026-05-06T09:02Z: **2**"}},
		{"books.json", readJSON, "Oldest book?", []string{"smallest year", "**1815**", "Emma"}},
		{"read.json", readJSON, "What's the thickest book?", []string{"**612**", "Dune"}},
		{"books.json", readJSON, "Average length of the novels?", []string{"average of pages", "**435**"}},
		{"books.json", readJSON, "Which books are out at the moment?", []string{"not clear which rows"}},
		{"lease.txt", leaseTXT, "How much is the rent?", []string{"> 2. Rent. The tenant pays 1,150 euros a month. It is due on the third. (lease.txt:4)"}},
		{"lease.txt", leaseTXT, "Who pays for repairs?", []string{"> 4. Repairs. Small repairs are paid by the tenant."}},
		{"lease.txt", leaseTXT, "May I keep a dog?", []string{"Nothing in lease.txt mentions `keep`", "> 3. Pets."}},
		{"home.md", homeMD, "List the open TODOs", []string{"**3 open tasks**", "call the plumber (home.md:9)"}},
		{"home.md", homeMD, "How many things are done?", []string{"**2 finished tasks**", "buy soap"}},
		{"home.md", homeMD, "What does Jo still have to do?", []string{"**1 open task**", "fix the tap"}},
		{"home.md", homeMD, "还有哪些事没做完？", []string{"**3**"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			answer := newKit(t, map[string]string{tt.file: tt.text}).ask(tt.words)
			has(t, answer, tt.want...)
			if strings.Contains(answer, "**5 rows**") {
				t.Errorf("all rows are no answer:\n%s", answer)
			}
		})
	}
}
