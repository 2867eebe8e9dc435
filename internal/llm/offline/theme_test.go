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
	shiftCSV = "日期,姓名,部门,迟到分钟,备注\n2026-03-02,王一,甲部,0,\n2026-03-02,李二,乙部,12,\n2026-03-03,李二,乙部,25,\n2026-03-03,赵三,甲部,5,\n2026-03-04,李二,乙部,0,\n2026-03-04,赵三,甲部,0,事假\n2026-03-04,王一,甲部,0,病假\n"
	stackLog = "2026-06-01 07:58:10 INFO 用户服务 启动完成\n2026-06-01 08:05:22 ERROR 订单服务 连接超时\n2026-06-01 08:05:40 ERROR 订单服务 库存不足\n2026-06-01 09:15:33 ERROR 支付服务 连接超时\n2026-06-01 09:20:00 INFO 订单服务 恢复正常\n2026-06-01 09:21:00 INFO 用户服务 登录成功\n2026-06-01 09:22:00 INFO 用户服务 登录成功\n"
	mixLog   = "2026-05-06T08:14:02Z INFO [gate] ok\n2026-05-06T08:14:40Z ERROR [auth] token expired\n2026-05-06T09:02:05Z ERROR [bill] declined\n2026-05-06T09:02:50Z ERROR [auth] token expired\n2026-05-06T09:40:00Z INFO [gate] ok\n2026-05-06T08:40:00Z INFO [gate] ok\n2026-05-06T08:41:00Z INFO [gate] ok\n"
	readJSON = `[{"title":"Dune","year":1965,"pages":612,"genre":"scifi"},{"title":"Emma","year":1815,"pages":474,"genre":"novel"},{"title":"Cosmos","year":1980,"pages":396,"genre":"novel"}]`
	leaseTXT = "LEASE\n\n1. Parties. Greta Holm lets to Daniel Osei.\n2. Rent. The tenant pays 1,150 euros a month. It is due on the third.\n3. Pets. Cats are allowed; dogs need a written consent.\n4. Repairs. Small repairs are paid by the tenant.\n5. Noise. Nothing loud after ten.\n"
	cafeCSV  = "slip,sold_on,shop,item,crates,earned,clerk\n1,2026-05-02,North,roll,10,25,Lea\n2,2026-05-09,South,cake,1,32,Finn\n3,2026-06-10,North,roll,20,48,Finn\n"
	shiftsEN = "person,project,hours,billable\nNia,Atlas,6,yes\nNia,Atlas,1,no\nNia,Atlas,1,no\nOmar,Atlas,9,yes\nPia,Dock,5,no\n"
	reelJSON = `[{"name":"Heat","director":"Mann","minutes":170,"seen":true},{"name":"Alien","director":"Scott","minutes":117,"seen":false},{"name":"Robin","director":"Scott","minutes":155,"seen":true}]`
	awayCSV  = "employee,department,type,days\nKim,Ops,sick,3\nLou,Ops,annual,5\nKim,Ops,annual,2\n"
	pupilCSV = "name,class,math,english,absences\nTim,A,71,64,2\nUli,A,88,90,0\nVic,B,45,72,6\n"
	bikeCSV  = "booking,customer,bike,from,to,price_per_day\nB1,Ward,city,2026-05-01,2026-05-04,15\nB2,Xu,cargo,2026-05-02,2026-05-03,40\nB3,Ward,city,2026-05-10,2026-05-12,15\n"
	bookCSV  = "loan,member,book,borrowed,returned,fine\nL1,Abe,Ulysses,2026-01-03,2026-01-20,0\nL2,Cleo,Emma,2026-01-10,2026-03-01,4.50\nL3,Abe,Emma,2026-02-02,,0\n"
	rackJSON = `[{"item":"rope","count":30,"minimum":40,"price":2.5,"shelf":"A"},{"item":"lamp","count":12,"minimum":5,"price":18,"shelf":"B"},{"item":"tent","count":3,"minimum":3,"price":120,"shelf":"B"}]`
	orderCSV = "订单号,下单日期,客户,商品,件数,单价,状态\nA1,2026-02-03,老王,台灯,2,80,已完成\nA2,2026-02-11,小李,风扇,1,150,已退货\nA3,2026-02-19,老王,风扇,3,150,已完成\nA4,2026-03-14,小李,水壶,4,60,待发货\n"
	spentCSV = "日期,类别,金额,付款人\n2026-01-08,吃饭,186,小雨\n2026-02-03,房租,3200,我\n2026-02-14,吃饭,420,小雨\n"
	teaCSV   = "日期,门店,饮品,杯数,营业额,报账人\n2026-06-01,东店,红茶,40,600,老许\n2026-06-02,西店,绿茶,55,300,小曹\n2026-06-02,东店,绿茶,30,90,老许\n"
	hoursCSV = "员工,项目,工时,加班工时,处理工单\n范姐,甲,8,2,1\n小邓,甲,8,0,5\n小邓,乙,8,3.5,5\n范姐,乙,1,0,6\n范姐,乙,1,0,1\n"
	chores   = "# 周末\n- [x] 洗车（爸爸）\n- [ ] 买菜（妈妈）\n- [ ] 修自行车（爸爸）\n- 待办：打电话\n"
	mealCSV  = "nr,date,table_no,waiter,dish,portions,bill,tip\n1,2026-03-06,4,Ana,soup,2,14,1\n2,2026-03-07,2,Ben,steak,3,96,8\n3,2026-03-21,4,Ana,stew,1,32,3\n4,2026-04-03,7,Ben,soup,5,35,0\n"
	roseCSV  = "单据,日期,顾客,花材,支数,总价,配送员\nF1,2026-05-01,吕太太,玫瑰,20,200,阿亮\nF2,2026-05-03,马先生,百合,5,75,小武\nF3,2026-05-20,吕太太,玫瑰,99,990,小武\n"
	planMD   = "# Plan\n## Open questions\n- Who pays?\n- Which region?\n## Risks\nTODO: test the rollback.\nThe migration is slow. TODO: ask legal.\nNothing here is a todo: list.\n"
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
		{"plan.md", planMD, "How many TODOs are there?", []string{"**2 tasks**", "test the rollback. (plan.md:6)", "ask legal. (plan.md:7)"}},
		{"plan.md", planMD, "What are the open questions?", []string{"**Open questions** (plan.md:2)", "> - Who pays? (plan.md:3)"}},
		{"home.md", homeMD, "Which tasks are among the open ones?", []string{"**3 open tasks** in"}},
		{"plan.md", planMD, "What are the open tasks for Bob?", []string{"**0 open tasks** with `bob`"}},
		{"plan.md", planMD, "What is still open under Risks?", []string{"**2 open tasks**", "ask legal"}},
		{"home.md", homeMD, "How many things are done?", []string{"**2 finished tasks**", "buy soap"}},
		{"home.md", homeMD, "What does Jo still have to do?", []string{"**1 open task**", "fix the tap"}},
		{"home.md", homeMD, "What is Jo supposed to do and by when?", []string{"**1 open task**", "fix the tap"}},
		{"cafe.csv", cafeCSV, "What sells best?", []string{"sum of crates by item", "1. roll: **30**"}},
		{"cafe.csv", cafeCSV, "Rolls sold?", []string{"sum of crates", "**30**"}},
		{"cafe.csv", cafeCSV, "Which shop earns more?", []string{"1. North: **73**"}},
		{"cafe.csv", cafeCSV, "Who was our best clerk?", []string{"1. Finn: **80**"}},
		{"cafe.csv", cafeCSV, "Which item has the lowest total?", []string{"1. cake: **32**"}},
		{"cafe.csv", cafeCSV, "Earnings per clerk, and which month was best?", []string{"Finn: **80**", "by month", "1. 2026-05: **57**"}},
		{"shifts.csv", shiftsEN, "Who worked the most?", []string{"sum of hours by person", "1. Omar: **9**"}},
		{"shifts.csv", shiftsEN, "How many hours can't we bill?", []string{"billable != yes", "**7**"}},
		{"films.json", reelJSON, "Which films haven't I seen?", []string{"**1 row**", "Alien"}},
		{"films.json", reelJSON, "What's the longest film?", []string{"**170**", "Heat"}},
		{"films.json", reelJSON, "Who directed the most films?", []string{"rows by director", "1. Scott: **2**"}},
		{"away.csv", awayCSV, "How many sick days did Kim take?", []string{"sum of days", "**3**"}},
		{"pupils.csv", pupilCSV, "Which class has the better English average?", []string{"1. A: **77**"}},
		{"pupils.csv", pupilCSV, "How many days was Vic absent?", []string{"sum of absences", "**6**"}},
		{"bikes.csv", bikeCSV, "Which booking was the longest?", []string{"B1", "to-from=3"}},
		{"bikes.csv", bikeCSV, "Which bike is rented most?", []string{"1. city: **2**"}},
		{"loans.csv", bookCSV, "Which loans haven't come back?", []string{"returned empty", "L3"}},
		{"loans.csv", bookCSV, "How long did people keep the books?", []string{"returned-borrowed=50", "returned-borrowed=17"}},
		{"loans.csv", bookCSV, "Who had to pay a fine?", []string{"**1 row**", "Cleo"}},
		{"rack.json", rackJSON, "What's running low?", []string{"**2 rows**", "rope", "tent"}},
		{"rack.json", rackJSON, "What is everything on shelf B worth?", []string{"count*price", "**576**"}},
		{"订单.csv", orderCSV, "哪个客户花钱最多？", []string{"1. 老王: **610**"}},
		{"订单.csv", orderCSV, "退货损失了多少钱？", []string{"状态 = 已退货", "**150**"}},
		{"订单.csv", orderCSV, "风扇卖了几台？", []string{"件数 的总和", "**4**"}},
		{"订单.csv", orderCSV, "还有哪些单没发货？", []string{"状态 = 待发货", "A4"}},
		{"成绩.csv", formCSV, "哪个班数学考得好？", []string{"数学的平均值", "1. 二班: **99**"}},
		{"开支.csv", spentCSV, "小雨一共付了多少？", []string{"金额 的总和", "**606**"}},
		{"奶茶.csv", teaCSV, "绿茶一共卖了多少杯？", []string{"杯数 的总和", "**85**"}},
		{"奶茶.csv", teaCSV, "哪家店收入最高？", []string{"营业额的总和", "1. 东店: **690**"}},
		{"奶茶.csv", teaCSV, "谁报的钱最多？", []string{"1. 老许: **690**"}},
		{"工时.csv", hoursCSV, "谁加班最多？", []string{"加班工时的总和", "1. 小邓: **3.5**"}},
		{"工时.csv", hoursCSV, "谁处理的工单最多？", []string{"处理工单的总和", "1. 小邓: **10**"}},
		{"服务.log", stackLog, "哪个服务出错最多？", []string{"1. 订单服务: **2**"}},
		{"栈.log", stackLog, "出错最多的是几点？", []string{"1. 2026-06-01 08:00: **2**"}},
		{"mix.log", mixLog, "Which service fails the most?", []string{"1. auth: **2**"}},
		{"mix.log", mixLog, "Which service is the best?", []string{"does not tell what is good"}},
		{"周末.md", chores, "爸爸还要做什么？", []string{"**1**", "修自行车"}},
		{"周末.md", chores, "还剩几件事没做？", []string{"**3**"}},
		{"meals.csv", mealCSV, "Which waiter takes in the most?", []string{"sum of bill", "1. Ben: **131**"}},
		{"meals.csv", mealCSV, "How much did table 4 spend?", []string{"`4` could not be applied"}},
		{"meals.csv", mealCSV, "Who got the most tips?", []string{"sum of tip by waiter", "1. Ben: **8**"}},
		{"meals.csv", mealCSV, "What sells best?", []string{"sum of portions by dish", "1. soup: **7**"}},
		{"花店.csv", roseCSV, "哪个顾客花得最多？", []string{"总价的总和", "1. 吕太太: **1190**"}},
		{"花店.csv", roseCSV, "谁送的单最多？", []string{"按 配送员", "1. 小武: **2**"}},
		{"home.md", homeMD, "还有哪些事没做完？", []string{"**3**"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			has(t, newKit(t, map[string]string{tt.file: tt.text}).ask(tt.words), tt.want...)
		})
	}
}

// TestSecondHalfIsNoList asks who did what was just counted: all rows of the file are no answer to that.
func TestSecondHalfIsNoList(t *testing.T) {
	answer := newKit(t, map[string]string{"stall.csv": stallCSV}).ask("How many orders were returned and who returned them?")
	if strings.Contains(answer, "**5 rows**") {
		t.Errorf("the answer lists every row:\n%s", answer)
	}
}
