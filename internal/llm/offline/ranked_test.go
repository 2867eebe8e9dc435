package offline_test

import "testing"

const (
	paidCSV = "full_name,team,manager,annual_salary\nAda Gray,Core,Kim,90000\nBea Stone,Core,Kim,50000\nCal Wolf,Web,Ada,80000\nDan Hill,Web,Ada,78000\nEve Marsh,Help,Kim,40000\n"
	soldCSV = "date,customer,product,qty,total\n2026-01-03,Ann,tea,5,50\n2026-01-09,Bob,tea,1,10\n2026-02-02,Bob,tea,9,90\n2026-02-03,Ann,cup,30,60\n2026-03-01,Bob,tea,2,20\n2026-03-02,Bob,tea,1,10\n"
	售茶CSV   = "日期,客户,商品,数量,金额\n2026-01-03,宏达,普洱茶,5,50\n2026-01-09,晨光,普洱茶,1,10\n2026-02-02,晨光,普洱茶,1,10\n2026-02-03,绿源,茶杯,30,60\n2026-03-01,晨光,普洱茶,1,10\n"
)

// TestRankedAsMeant asks for the order, the group and the unit of time in the words that people use for them.
func TestRankedAsMeant(t *testing.T) {
	for _, tt := range []struct {
		file, text, words string
		want              []string
	}{
		{"crew.csv", paidCSV, "Which team has the highest pay?", []string{"average of annual_salary by team", "1. Web: **79000**"}},
		{"crew.csv", paidCSV, "Which team has the lowest salary?", []string{"average of annual_salary by team", "1. Help: **40000**"}},
		{"crew.csv", paidCSV, "Who has the highest salary?", []string{"**90000**", "full_name=Ada Gray"}},
		{"crew.csv", paidCSV, "Which team has the highest single salary?", []string{"**90000**", "full_name=Ada Gray"}},
		{"shop.csv", soldCSV, "Which months did we sell the most tea?", []string{"sum of qty by month (product = tea)", "1. 2026-02: **9**", "2. 2026-01: **6**"}},
		{"shop.csv", soldCSV, "Which months had tea sold the most?", []string{"product = tea"}},
		{"shop.csv", soldCSV, "Total per customer. Sort ascending.", []string{"sum of total by customer", "1. Ann: **110**", "2. Bob: **130**"}},
		{"店.csv", 售茶CSV, "哪几个月普洱茶卖得最多？", []string{"数量的总和，按 month（商品 = 普洱茶）", "1. 2026-01: **6**"}},
		{"店.csv", 售茶CSV, "哪个客户买的普洱茶最多？", []string{"数量的总和，按 客户（商品 = 普洱茶）", "1. 宏达: **5**"}},
		{"店.csv", 售茶CSV, "哪个客户买的次数最多？", []string{"行数，按 客户", "1. 晨光: **3**"}},
		{"店.csv", 售茶CSV, "哪个客户买的种类最多？", []string{"无法从 店.csv 回答"}},
		{"店.csv", 售茶CSV, "列出所有晨光的订单，按数量从高到低", []string{"数量 最大的"}},
		{"店.csv", 售茶CSV, "哪个客户金额最高？前两名", []string{"1. 绿源: **60**", "2. 宏达: **50**"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			has(t, newKit(t, map[string]string{tt.file: tt.text}).ask(tt.words), tt.want...)
		})
	}
}
