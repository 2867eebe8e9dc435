package offline_test

import "testing"

const (
	kioskCSV = "day,customer,thing,kind,qty,unit_price,total,status\n2026-02-03,Ira Nox,Kettle,kitchen,4,20,80,sent\n2026-02-09,Uma Roe,Kettle,kitchen,5,20,100,cancelled\n2026-03-01,Ira Nox,Rug,living,1,100,100,sent\n2026-03-05,Pip Orr,Bowl,kitchen,7,3,21,sent\n2026-03-08,Ira Nox,Bowl,kitchen,1,3,3,sent\n"
	crewCSV  = "name,team,age,pay,start_date,end_date\nIra Nox,Dock,61,3000,2019-03-01,\nUma Roeus,Dock,25,2500,2021-05-01,2023-05-01\nPip Orr,Yard,61,4100,2024-01-15,\nZed Ash,Yard,33,2800,2020-02-02,2022-02-02\n"
	crewBare = "name,team,age,pay\nIra Nox,Dock,61,3000\nUma Roe,Dock,25,2500\n"
	shelfCSV = "编号,品名,类别,库存数量,最低库存,单价,供应商\nK1,尺子,文具,12,5,2,甲铺\nK2,胶水,文具,30,5,4,乙铺\nK3,风扇,电器,6,5,90,甲铺\n"
	marksCSV = "姓名,班级,年龄,数学,备注\n甲一,一班,17,60,正常\n乙二,一班,18,,缺考\n丙三,二班,16,90,正常\n丁四,二班,19,40,正常\n"
	doorLog  = "192.0.2.4 - - [03/Aug/2026:08:00:01 +0000] \"GET /a HTTP/1.1\" 200 512\n192.0.2.5 - - [03/Aug/2026:08:00:04 +0000] \"GET /b HTTP/1.1\" 404 90\n192.0.2.5 - - [03/Aug/2026:08:00:06 +0000] \"GET /b HTTP/1.1\" 503 90\n192.0.2.5 - - [03/Aug/2026:08:00:09 +0000] \"GET /a HTTP/1.1\" 502 90\n"
	tankLog  = "2026-08-03 10:00:00 ERROR [pump] no space left\n2026-08-03 10:00:01 ERROR [pump] no space left\n2026-08-03 10:00:02 ERROR [tank] leak\n2026-08-03 10:00:03 INFO [tank] fine\n"
)

// TestPlain asks what people at a till, in an office and in a school ask, in their own words.
func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		file, text, words string
		want              []string
	}{
		{"kiosk.csv", kioskCSV, "How many kettles were sold?", []string{"sum of qty", "**9** (over 2 rows"}},
		{"kiosk.csv", kioskCSV, "How many bowls did we sell in March?", []string{"sum of qty", "**8** (over 2 rows"}},
		{"kiosk.csv", kioskCSV, "How many kitchen orders were there?", []string{"**4 rows**"}},
		{"kiosk.csv", kioskCSV, "How many kettle orders did we sell?", []string{"**2 rows**"}},
		{"kiosk.csv", kioskCSV, "How many orders were cancelled?", []string{"**1 row**"}},
		{"kiosk.csv", kioskCSV, "Who bought the most?", []string{"sum of qty by customer", "1. Pip Orr: **7**"}},
		{"kiosk.csv", kioskCSV, "哪个客户买得最多？", []string{"1. Pip Orr: **7**"}},
		{"kiosk.csv", kioskCSV, "What is the largest order?", []string{"The largest total in kiosk.csv is **100**, in 2 rows:\n- kiosk.csv:3", "- kiosk.csv:4"}},
		{"kiosk.csv", kioskCSV, "Which was the smallest order and who placed it?", []string{"smallest total in kiosk.csv is **3**"}},
		{"kiosk.csv", kioskCSV, "What are the cheapest and dearest things?", []string{"smallest unit_price in kiosk.csv is **3**, in 2 rows", "largest unit_price in kiosk.csv is **100**:"}},
		{"crew.csv", crewCSV, "Who is the oldest?", []string{"The largest age in crew.csv is **61**, in 2 rows:", "Ira Nox", "Pip Orr"}},
		{"crew.csv", crewCSV, "年龄最大的人是谁？", []string{"**61**，共 2 行", "Ira Nox", "Pip Orr"}},
		{"crew.csv", crewCSV, "How many people have left?", []string{"**2 rows**", "end_date not empty"}},
		{"crew.csv", crewCSV, "离职的人有几个？", []string{"**2** 行"}},
		{"crew.csv", crewCSV, "How many people are still with us?", []string{"**2 rows**", "end_date empty"}},
		{"crew.csv", crewCSV, "Who has left from the Dock?", []string{"**1 row**", "Uma Roe"}},
		{"crew.csv", crewBare, "How many people have left?", []string{"nothing in it mentions `left`"}},
		{"crew.csv", crewCSV, "Who joined last?", []string{"- crew.csv:4: name=Pip Orr"}},
		{"crew.csv", crewCSV, "List everyone over 60 with their team", []string{"**2 rows** of crew.csv (age > 60)"}},
		{"crew.csv", crewCSV, "Who has the highest and lowest pay?", []string{"largest pay in crew.csv is **4100**", "smallest pay in crew.csv is **2500**"}},
		{"crew.csv", crewCSV, "pay 最高和最低的人分别是谁？", []string{"**4100**", "Pip Orr", "**2500**", "Uma Roe"}},
		{"货架.csv", shelfCSV, "还剩多少把尺子？", []string{"库存数量 的总和（品名 = 尺子）：**12**"}},
		{"货架.csv", shelfCSV, "胶水还有多少？", []string{"**30**（共 1 行"}},
		{"door.log", doorLog, "What was the largest and smallest response?", []string{"largest bytes in door.log is **512**:", "smallest bytes in door.log is **90**, in 3 rows"}},
		{"kiosk.csv", kioskCSV, "Who are our best and worst customers?", []string{"sum of total by customer", "1. Ira Nox: **183**", "1. Pip Orr: **21**"}},
		{"货架.csv", shelfCSV, "文具类一共有多少件库存？", []string{"**42**（共 2 行"}},
		{"货架.csv", shelfCSV, "最贵的和最便宜的是什么？", []string{"**90**", "品名=风扇", "**2**", "品名=尺子"}},
		{"货架.csv", shelfCSV, "甲铺供应多少种商品？", []string{"品名 的不同值的个数（供应商 = 甲铺）：**2**"}},
		{"货架.csv", shelfCSV, "这些货品一共值多少钱？", []string{"**684**"}},
		{"成绩.csv", marksCSV, "有几个人没来考试？", []string{"**1** 行（备注 = 缺考）"}},
		{"成绩.csv", marksCSV, "未满十八岁的学生有几个？", []string{"**2** 行（年龄 < 18）"}},
		{"成绩.csv", marksCSV, "Which class has the best average in maths?", []string{"average of 数学 by 班级", "1. 二班: **65**"}},
		{"door.log", doorLog, "How many requests were not found?", []string{"**1 row**", "status = 404"}},
		{"door.log", doorLog, "How many server errors were there?", []string{"**2 rows**"}},
		{"pump.log", tankLog, "What went wrong most often?", []string{"1. `no space left`: **2**"}},
		{"pump.log", tankLog, "磁盘满出现了几次？", []string{"**2** 行"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			has(t, newKit(t, map[string]string{tt.file: tt.text}).ask(tt.words), tt.want...)
		})
	}
}
