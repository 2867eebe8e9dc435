package offline_test

import (
	"strings"
	"testing"
)

// tables are files whose columns are to be set against each other, shared out, joined and left empty.
func tables() map[string]string {
	return map[string]string{
		"quarry.csv": "block,team,planned hours,actual hours,budget (€),spent (€),blasted,due,finished,dusty,foreman\n" +
			"K1,north,40,52,900,700,yes,2026-03-04,2026-03-09,no,Ode\n" +
			"K2,north,30,30,400,450,no,2026-03-11,2026-03-10,no,\n" +
			"K3,south,70,41,800,990,yes,2026-04-02,,yes,Pim\n" +
			"K4,south,20,45,100,90,no,2026-04-20,2026-04-20,no,\n",
		"窑口.csv": "窑口编号,班组,计划工时,实际工时,预算(元),支出(元),状态,是否封窑,点火日期,检修日期,断料次数\n" +
			"Y1,甲组,40,52,900,700,已出窑,是,2026-03-04,2026-05-09,0\n" +
			"Y2,甲组,30,30,400,450,烧制中,否,2026-03-11,,3\n" +
			"Y3,乙组,70,41,800,990,已出窑,是,2026-04-02,2026-06-01,8\n" +
			"Y4,乙组,20,45,100,90,已停火,否,2026-04-20,2026-06-20,5\n",
		"lamps.csv":   "lamp_id,name,island\n1,Skerry,Unst\n2,Noss,Yell\n3,Holm,Unst\n4,Vaila,Fetlar\n",
		"visits.csv":  "visit,lamp_id,hours,repaired\nV1,1,4,true\nV2,1,2,false\nV3,2,6,true\nV4,3,1,false\nV5,1,3,true\n",
		"灯塔.csv":      "灯号,姓名,岛\nD1,阿海,北岛\nD2,阿礁,南岛\nD3,阿浪,北岛\n",
		"值守.csv":      "灯号,日期,迟到分钟,守夜小时\nD1,2026-05-01,20,8\nD2,2026-05-01,0,9\nD2,2026-05-02,5,7\nD2,2026-05-03,3,1\n",
		"rota.csv":    "who,state,left over\nAda,on leave,3\nBo,active,0\nCy,on leave,1\n",
		"hooks.jsonl": `{"path":"/a","ok":true}` + "\n" + `{"path":"/b","ok":false}` + "\n" + `{"path":"/b","ok":true}` + "\n",
		"lots.csv":    "lot,agent,listed,sold on\nL1,Ulla,2026-03-02,2026-04-09\nL2,Odd,2026-03-05,\nL3,Odd,2026-04-01,\n",
		"crates.json": `[{"crate":"C1","packed":"2026-02-03","opened":"2026-03-05","eggs":120,"trays":4,"cracked":6,"online":true},{"crate":"C2","packed":"2026-02-20","opened":null,"eggs":90,"trays":9,"cracked":0,"online":false},{"crate":"C3","packed":"2026-03-01","opened":"2026-03-31","eggs":60,"trays":2,"cracked":9,"online":false}]`,
		"crabs.log": `time=2026-04-02T08:00:00Z level=info pot=7 msg="hauled" status=200
time=2026-04-02T08:01:00Z level=error pot=7 msg="rope cut" status=503
time=2026-04-02T08:02:00Z level=error pot=9 msg="rope cut" status=404
time=2026-04-02T08:03:00Z level=info pot=7 msg="hauled" status=200
`,
		"pods.log": "I0402 08:00:00.000001       7 hive.go:12] \"Comb laid\" hive=\"east/a\"\nE0402 08:01:00.000001       7 hive.go:40] \"Comb lost\" err=\"Melted\" hive=\"east/a\"\nE0402 08:02:00.000001       7 hive.go:40] \"Comb lost\" err=\"Melted\" hive=\"west/b\"\n",
		"窖藏.csv":   "酒品编码,酒品名称,库存数量,安全库存,单价(元),最近入库\nJ1,陈酿,10,20,30.5,2026.03.01\nJ2,新酿,0,5,10,2026.05.01\nJ3,花雕,40,5,2.5,2026.04.01\n",
		"班级.csv":   "姓名,班级,性别,算术,书法,旷课次数,是否走读\n甲某,一班,男,55,80,0,是\n乙某,二班,女,90,70,6,否\n丙某,一班,女,,60,2,否\n",
	}
}

// TestTables asks about them; every figure was worked out by hand.
func TestTables(t *testing.T) {
	for _, tt := range []struct {
		files, words string
		want         []string
	}{
		{"quarry.csv", "Which blocks took more hours than planned?", []string{"**2 rows**", "actual_hours > planned_hours", "quarry.csv:2", "quarry.csv:5"}},
		{"quarry.csv", "How many blocks have actual hours above planned hours by more than 15?", []string{"**1**", "actual_hours - planned_hours > 15"}},
		{"quarry.csv", "How many blocks did not exceed their budget?", []string{"**2**", "spent_(€) <= budget_(€)"}},
		{"quarry.csv", "which blocks are over budget", []string{"**2 rows**", "quarry.csv:3", "quarry.csv:4"}},
		{"quarry.csv", "How many blocks were finished late?", []string{"**1**", "finished > due", "quarry.csv:2"}},
		{"quarry.csv", "How many blocks were finished more than 3 days after the due date?", []string{"**1**", "finished - due > 3 days", "quarry.csv:2"}},
		{"quarry.csv", "How many blocks are not finished?", []string{"**1**", "finished empty", "quarry.csv:4"}},
		{"quarry.csv", "How many unfinished blocks?", []string{"**1 row**", "quarry.csv:4"}},
		{"quarry.csv", "How many blocks were finished in March?", []string{"**2**", "finished in 2026-03"}},
		{"quarry.csv", "blocks per month of finished", []string{"2026-03: **2**", "2026-04: **1**"}},
		{"quarry.csv", "average days from due to finished", []string{"**1.33**", "finished-due"}},
		{"quarry.csv", "which dusty blocks spent less than 2000", []string{"**1 row**", "dusty = yes", "quarry.csv:4"}},
		{"quarry.csv", "what percentage of the north blocks were blasted", []string{"**1 row**", "50.0 % of 2 rows"}},
		{"quarry.csv", "share of blasted blocks per team", []string{"north", "**1**"}},
		{"quarry.csv", "how many blocks have a foreman", []string{"**2**", "foreman not empty"}},
		{"quarry.csv", "which blocks are missing a foreman", []string{"**2 rows**", "foreman empty"}},
		{"quarry.csv", "waht is teh averge spent of the south team", []string{"**540**"}},
		{"quarry.csv", "how many blocks have a budgett of more than five hundred", []string{"**2**", "budget_(€) > 500"}},
		{"quarry.csv", "Did team south have any blasted blocks? How many?", []string{"**1 row**", "quarry.csv:4"}},
		{"quarry.csv", "top 2 blocks by spent and who was the foreman?", []string{"quarry.csv:4", "The 2 rows"}},

		{"rota.csv", "Who is on leave?", []string{"**2 rows**", "state = on leave"}},
		{"rota.csv", "how many are not on leave", []string{"**1 row**"}},
		{"hooks.jsonl", "which path has the worst failure rate", []string{"/b: **50.0 %**"}},
		{"lots.csv", "how many lots were listed in March and how many were sold in April?", []string{"**2 rows**", "**1 row**", "sold_on in 2026-04"}},
		{"lots.csv", "Which agent sold the most?", []string{"Ulla: **1**"}},
		{"lamps.csv visits.csv", "which lamps were never visited?", []string{"**1 row**", "Vaila"}},

		{"窑口.csv", "实际工时超过计划工时的窑口有哪些？", []string{"**2** 行", "实际工时 > 计划工时", "窑口.csv:2", "窑口.csv:5"}},
		{"窑口.csv", "实际工时比计划工时多二十小时以上的有几个？", []string{"**1** 行", "实际工时 - 计划工时 >= 20"}},
		{"窑口.csv", "哪些窑口超预算了？", []string{"**2** 行", "窑口.csv:3", "窑口.csv:4"}},
		{"窑口.csv", "各班组的出窑率是多少？", []string{"甲组: **50.0 %**", "乙组: **50.0 %**"}},
		{"窑口.csv", "没有封窑的有几个？", []string{"**2** 行", "是否封窑 != 是"}},
		{"窑口.csv", "乙组有几个窑口停火了？", []string{"**1** 行", "状态 = 已停火"}},
		{"窑口.csv", "六月检修的窑口有几个？", []string{"**2** 行", "检修日期"}},
		{"窑口.csv", "支出少于五百的有多少？", []string{"**2** 行", "支出(元) < 500"}},
		{"窑口.csv", "断料三次以上的窑口有几个？", []string{"**3** 行", "断料次数 >= 3"}},
		{"窑口.csv", "甲组和乙组哪个支出更高？", []string{"乙组: **1080**", "甲组: **1150**"}},
		{"窑口.csv", "支出总数是多少？", []string{"**2230**"}},

		{"lamps.csv visits.csv", "How many visits per island?", []string{"visits.csv with lamps.csv", "Unst: **4**", "Yell: **1**"}},
		{"lamps.csv visits.csv", "total hours per island", []string{"Unst: **10**", "Yell: **6**"}},
		{"lamps.csv visits.csv", "Which lamps have no visit?", []string{"**1 row**", "Vaila"}},
		{"lamps.csv visits.csv", "How many repaired visits were on Unst?", []string{"**2 rows**", "repaired = true"}},
		{"lamps.csv visits.csv", "Which lamp had the most visits?", []string{"Skerry: **3**"}},
		{"灯塔.csv 值守.csv", "各岛的守夜小时总和", []string{"南岛: **17**", "北岛: **8**"}},
		{"灯塔.csv 值守.csv", "谁迟到次数最多？", []string{"阿礁: **2**"}},
		{"值守.csv", "迟到次数是多少？", []string{"**3** 行", "迟到分钟 > 0"}},

		{"crates.json", "crates opened in March", []string{"**2 rows**", "opened in 2026-03"}},
		{"crates.json", "How many crates were packed in February?", []string{"**2 rows**"}},
		{"crates.json", "eggs per tray for each crate", []string{"eggs/trays", "**30**", "C2: **10**"}},
		{"crates.json", "which crates are offline", []string{"**2 rows**", "online = false"}},
		{"crabs.log", "error rate per pot", []string{"7: **33.3 %** [1 of 3 rows]", "9: **100.0 %** [1 of 1 rows]"}},
		{"crabs.log", "what was the line right before the first error?", []string{"crabs.log:1"}},
		{"crabs.log", "how many lines at error level or worse?", []string{"**2 rows**"}},
		{"crabs.log", "Which pot had the most lines, and how many of them were errors?", []string{"7: **3**", "**1 row**"}},
		{"pods.log", "errors per hive", []string{"east/a: **1**", "west/b: **1**"}},

		{"窖藏.csv", "哪些酒品的库存低于安全库存？", []string{"**2** 行", "窖藏.csv:2", "窖藏.csv:3"}},
		{"窖藏.csv", "库存总价值是多少？", []string{"**405**"}},
		{"窖藏.csv", "最近一次入库的是哪个酒品？", []string{"窖藏.csv:3"}},
		{"班级.csv", "算术不及格的有谁？", []string{"**1** 行", "算术 < 60", "甲某"}},
		{"班级.csv", "书法比算术高的有几个？", []string{"**1** 行", "书法 > 算术"}},
		{"班级.csv", "一班女生有几个？", []string{"**1** 行", "性别 = 女"}},
		{"班级.csv", "走读的学生占多少？", []string{"**1** 行", "33.3 %"}},
		{"班级.csv", "每个班的书法平均分", []string{"一班: **70**", "二班: **70**"}},
		{"班级.csv", "旷课五次以上的有谁？", []string{"**1** 行", "乙某"}},
		{"班级.csv", "算术和书法的总分最高的是谁？", []string{"**160**", "乙某"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			files := map[string]string{}
			for name := range strings.FieldsSeq(tt.files) {
				files[name] = tables()[name]
			}
			has(t, newKit(t, files).ask(tt.words), tt.want...)
		})
	}
}
