package offline_test

import (
	"strings"
	"testing"
)

// shop are small tables and a log of one shop.
var shop = map[string]string{
	"orders.csv": "order_id,customer,date,shipped,amount,category\n1,Dawn,2026-03-01,2026-03-05,120,Office\n2,Blue,2026-03-02,2026-03-04,80,office\n3,Dawn,2026-03-20,2026-03-30,60,Office\n4,Blue,2026-04-11,2026-04-12,,Home\n5,Faraway,2026-04-28,2026-05-01,300,Home\n",
	"订单.csv":     "订单号,客户,下单日期,金额\nA1,晨光超市,2026-03-01,120\nA2,蓝天书店,2026-02-02,80\nA3,晨光超市,2026-03-20,60\nA4,蓝天书店,2026-04-11,300\nA5,远航公司,2026-04-28,40\n",
	"tea.csv":    "shop,product,month,units\nNorth,tea,2026-01,10\nSouth,coffee,2026-01,30\nNorth,coffee,2026-02,25\nSouth,tea,2026-02,12\n",
	"subs.csv":   "service,cost_per_month,renews\nZoom,15,2026-05-01\nFigma,45,2026-06-01\nSlack,80,2026-04-01\n",
	"考勤.csv":     "姓名,日期,迟到分钟,请假天数,状态\n李强,2026-03-01,0,0,正常\n赵敏,2026-03-01,12,0,迟到\n王芳,2026-03-01,0,1,请假\n李强,2026-03-02,0,2,请假\n赵敏,2026-03-02,0,0,正常\n王芳,2026-03-02,5,0,迟到\n",
	"成绩.csv":     "姓名,科目,分数\n李强,数学,90\n赵敏,数学,82\n李强,语文,70\n赵敏,语文,75\n",
	"staff.csv":  "name,department,hired,salary\nAnn,Sales,2019-04-01,5200\nBob,IT,2021-08-15,6100\nCid,Sales,2016-01-10,4300\nDee,HR,2023-02-02,7000\n",
	"门店.csv":     "日期,门店,品类,销售额,客流\n2026-10-01,中山路店,女装,\"12,500.00\",310\n2026-10-01,人民路店,男装,\"8,900.50\",205\n2026-10-02,中山路店,童装,\"6,300.00\",180\n2026-10-03,大学城店,女装,,90\n",
	"boxes.csv":  "box,sent,weight_kg,fee,height_cm\nB1,2026-03-01,2.4,6.5,30\nB2,2026-03-02,11,14.9,60\nB3,2026-03-05,7.9,9.8,20\nB4,2026-03-06,0.4,3.7,10\n",
	"pay.log":    "2026-05-01 10:00:00 ERROR [pay] Timeout calling bank\n2026-05-01 10:01:00 INFO [pay] ok\n2026-05-01 10:02:00 ERROR [auth] Token expired\n2026-05-01 10:03:00 ERROR [pay] Timeout calling bank\n",
}

// TestShop asks about them; every figure was counted by hand.
func TestShop(t *testing.T) {
	for _, tt := range []struct {
		file, words string
		want        []string
	}{
		// Whoever stands at one end of a span is meant at the other end too.
		{"订单.csv", "晨光超市第一次下单和最后一次下单隔了几天", []string{"**19 天**"}},
		{"订单.csv", "蓝天书店首次下单与末次下单相隔几天", []string{"**68 天**"}},
		{"订单.csv", "晨光超市第一次下单和蓝天书店最后一次下单隔了几天", []string{"**41 天**"}},
		{"orders.csv", "How many days were there between Dawn's first order and last order?", []string{"**19 days**"}},
		{"orders.csv", "How many days were there between Blue's first order and their last?", []string{"**40 days**"}},
		{"pay.log", "How long was it from the first error to the first error in auth?", []string{"**2 min**"}},

		// A word of the file's name is a value where some rows have it and others have not.
		{"tea.csv", "Which shop sold the most tea?", []string{"South: **12**"}},
		{"tea.csv", "How much tea did North sell?", []string{"product = tea", "**10**"}},

		// What is equal to a filter is one group.
		{"orders.csv", "How many orders are in each category?", []string{"Office: **3**", "Home: **2**"}},
		{"orders.csv", "amount per category", []string{"Office: **260**"}},
		{"orders.csv", "How many different categories are there?", []string{"**2**"}},

		// An order in time is of all rows.
		{"orders.csv", "Show the orders, newest first", []string{"orders.csv:6", "orders.csv:4", "orders.csv:2"}},
		{"staff.csv", "List the staff, earliest first", []string{"staff.csv:4", "staff.csv:2", "staff.csv:3", "staff.csv:5"}},
		{"订单.csv", "列出订单，最新的在前", []string{"订单.csv:6", "订单.csv:2", "订单.csv:3"}},

		{"orders.csv", "Show the orders, latest shipped first", []string{"orders.csv:6", "orders.csv:5", "orders.csv:4", "orders.csv:2", "orders.csv:3"}},
		{"staff.csv", "List the staff, oldest first", []string{"not clear what to group or order by"}},

		// A unit or a comparative names the column of a bound, and a column in another unit is none.
		{"boxes.csv", "boxes heavier than 5 kilos", []string{"**2 rows**", "weight_kg > 5"}},
		{"boxes.csv", "How many boxes are lighter than 3 kg?", []string{"**2 rows**", "weight_kg < 3"}},
		{"boxes.csv", "boxes over 5 kg sent after March 3", []string{"**1 row**", "boxes.csv:4"}},
		{"boxes.csv", "boxes over 25 cm", []string{"**2 rows**", "height_cm > 25"}},
		{"boxes.csv", "boxes more expensive than 9", []string{"**2 rows**", "fee > 9"}},
		{"boxes.csv", "boxes heavier than 500 grams", []string{"not clear which column > 500"}},
		{"boxes.csv", "boxes over 5 miles", []string{"not clear which column > 5"}},
		{"boxes.csv", "超过5公斤的有几个？", []string{"**2** 行", "weight_kg > 5"}},

		// What was sold of a table that counts no pieces is its money; the most of what no column tells is not the most rows.
		{"门店.csv", "中山路店一共卖了多少", []string{"**18800**"}},
		{"门店.csv", "10月1号卖了多少？", []string{"**21400.5**"}},
		{"门店.csv", "卖了多少笔？", []string{"**4** 行"}},
		{"门店.csv", "客单价最高的是哪天", []string{"没有与 `客单价` 对应的列"}},
		{"门店.csv", "利润最高的门店", []string{"没有与 `利润` 对应的列"}},
		{"门店.csv", "哪个门店客流最多", []string{"中山路店: **490**"}},

		// Rows without something are no people without it.
		{"考勤.csv", "谁从来没有迟到过？", []string{"无法判断哪些 `姓名` 一行都没有"}},

		// Two values, or both ends of a ranking, are set apart by the figure that is meant.
		{"成绩.csv", "李强比赵敏的数学好多少", []string{"李强: **90**", "赵敏: **82**", "相差 **8**"}},
		{"orders.csv", "How much more did Dawn order than Blue?", []string{"Dawn: **180**", "**100** apart"}},
		{"订单.csv", "晨光超市比蓝天书店多订了多少金额", []string{"蓝天书店: **380**", "相差 **200**"}},
		{"tea.csv", "How many more units did South sell than North?", []string{"South: **42**", "**7** apart"}},
		{"orders.csv", "How many more orders did Dawn make than Faraway?", []string{"Dawn: **2**", "**1** apart"}},
		{"orders.csv", "How many more parcels did Dawn make than Faraway?", []string{"I cannot answer"}},
		{"staff.csv", "What is the difference between the best and the worst paid?", []string{"**2700** apart: 7000 and 4300"}},
		{"staff.csv", "highest salary minus lowest salary in Sales", []string{"department = sales", "**900** apart"}},
		{"成绩.csv", "最高分和最低分差多少", []string{"相差 **20**"}},
		{"staff.csv", "What is the gap between the highest and the lowest salary per department?", []string{"not clear between which two figures"}},

		// How many days of something there were stands in the column that counts them.
		{"考勤.csv", "一共请了几天假", []string{"请假天数", "**3**"}},
		{"考勤.csv", "李强请假几天", []string{"**2**"}},
		{"考勤.csv", "谁请假最多", []string{"李强: **2**"}},
		{"考勤.csv", "谁请假了", []string{"**2** 行"}},

		// The kinds of errors are their messages.
		{"pay.log", "有哪几种错误，各出现多少次？", []string{"`Timeout calling bank`: **2**", "`Token expired`: **1**"}},
		{"pay.log", "哪些种类的错误，各有多少次", []string{"`Timeout calling bank`: **2**", "`Token expired`: **1**"}},
		{"pay.log", "What kinds of errors are there and how many of each?", []string{"`Timeout calling bank`: **2**", "`Token expired`: **1**"}},

		// Sums need no file, and what may be no sum is none.
		{"orders.csv", "帮我算一下 12 * 7", []string{"12 * 7 = **84**"}},
		{"orders.csv", "what is (1 + 2) × 3.5?", []string{"**10.5**"}},
		{"orders.csv", "calculate 10/3", []string{"≈ **3.333333**"}},
		{"orders.csv", "1,200 + 300 =", []string{"**1500**"}},
		{"orders.csv", "算一下 5 / 0", []string{"不能除以零"}},

		// A column may say for which time its figures are.
		{"subs.csv", "cost per month of Figma", []string{"**45**"}},
		{"subs.csv", "What is the total cost per month?", []string{"**140**"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			answer := newKit(t, map[string]string{tt.file: shop[tt.file]}).team(tt.words).Text
			has(t, answer, tt.want...)
			from := 0 // rows come in the order that is wanted
			for _, w := range tt.want {
				if at := strings.Index(answer[from:], w); at >= 0 {
					from += at
				} else {
					t.Errorf("%q does not come in its place:\n%s", w, answer)
				}
			}
		})
	}
}

// TestNoSum leaves alone what may be a date, a phone number or a decimal comma.
func TestNoSum(t *testing.T) {
	for _, words := range []string{"what is 2026-05-01", "5/1/2026", "5/1", "what is 555-0101", "1,5 + 1", "12 *", "(1 + 2", "what is 7", "what is 9/11?", "what is 24/7", "请问 9/11 是什么"} {
		if answer := newKit(t, nil).ask(words); strings.Contains(answer, "= **") || strings.Contains(answer, "≈") {
			t.Errorf("%q was taken for a sum: %s", words, answer)
		}
	}
}

// TestAllRows lists all rows that are asked for, and else says how to have the rest.
func TestAllRows(t *testing.T) {
	table := "id,city\n" + strings.Repeat("1,Ulm\n", 60)
	has(t, newKit(t, map[string]string{"many.csv": table}).ask("list every row"), "**60 rows**", "many.csv:61")
	has(t, newKit(t, map[string]string{"many.csv": table}).ask("show the rows in Ulm"), "the first 20", "40 more rows", "`all.csv`")
}

// What is asked of orders is not asked of the people who made them.
func TestNeverOfRows(t *testing.T) {
	const orders = "order_id,customer,date,shipped,amount\n1,Dawn,2026-03-01,yes,120\n2,Blue,2026-03-02,no,80\n3,Dawn,2026-03-20,no,60\n4,Blue,2026-04-11,yes,10\n"
	for words, want := range map[string]string{"Which orders were never shipped?": "**2 rows**", "Which orders of Dawn were never shipped?": "**1 row**", "List the orders which never shipped": "**2 rows**"} {
		has(t, newKit(t, map[string]string{"orders.csv": orders}).ask(words), want)
	}
}
