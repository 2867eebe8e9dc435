package offline_test

import "testing"

const (
	tradeCSV  = "region,product,amount\nNorth,tea,10\nNorth,tea,20\nNorth,cup,5\nSouth,tea,500\nEast,cup,70\nEast,tea,30\n"
	贸易CSV     = "地区,产品,金额\n北京,茶,10\n北京,茶,20\n北京,杯,5\n上海,茶,500\n广州,杯,70\n广州,茶,30\n"
	tookLog   = "2026-08-03T10:00:00Z INFO [api] request done user=ann duration_ms=40\n2026-08-03T10:00:01Z INFO [api] request done user=ann duration_ms=50\n2026-08-03T10:00:02Z INFO [api] request done user=bob duration_ms=900\n"
	svcJSON   = `{"ts":"2026-08-03T10:00:00Z","level":"info","svc":"list","msg":"done","ms":400}` + "\n" + `{"ts":"2026-08-03T10:00:01Z","level":"info","svc":"list","msg":"done","ms":500}` + "\n" + `{"ts":"2026-08-03T10:00:02Z","level":"info","svc":"list","msg":"done","ms":600}` + "\n" + `{"ts":"2026-08-03T10:00:03Z","level":"info","svc":"pay","msg":"done","ms":900}` + "\n"
	pathsLog  = "2026-08-03T10:00:00Z INFO [api] done path=/list duration_ms=400\n2026-08-03T10:00:01Z INFO [api] done path=/list duration_ms=500\n2026-08-03T10:00:02Z INFO [api] done path=/list duration_ms=600\n2026-08-03T10:00:03Z INFO [api] done path=/pay duration_ms=900\n2026-08-03T10:00:04Z INFO [api] done path=/ping duration_ms=3\n2026-08-03T10:00:05Z INFO [api] done path=/ping duration_ms=5\n"
	plainLog  = "2026-08-03T10:00:00Z INFO [api] request done user=ann\n2026-08-03T10:00:01Z INFO [api] request done user=ann\n2026-08-03T10:00:02Z INFO [api] request done user=bob\n"
	hitsLog   = "192.0.2.4 - - [03/Aug/2026:08:00:01 +0000] \"GET /api/users HTTP/1.1\" 200 512 0.031\n192.0.2.5 - - [03/Aug/2026:08:00:04 +0000] \"GET /out HTTP/1.1\" 200 90 4.500\n192.0.2.5 - - [03/Aug/2026:08:00:06 +0000] \"GET /api/users HTTP/1.1\" 500 90 1.500\n"
	noUsers   = "it has no column for `user`"
	noTimings = "it has no column of how long something took"
)

// TestSuperlatives asks for the highest and the longest without saying of what: it is of what was reckoned
// just before, or of how long things took, and never of a count that nobody asked for.
func TestSuperlatives(t *testing.T) {
	for _, tt := range []struct {
		file, text, before, words string
		want                      []string
	}{
		{"trade.csv", tradeCSV, "", "What is the total amount per region? Which region is highest?", []string{"South: **500** (1 row) (first trade.csv:5, last trade.csv:5)\n(2 more groups)"}},
		{"trade.csv", tradeCSV, "", "What is the total amount per region? And which one is the lowest?", []string{"North: **35** (3 rows) (first trade.csv:2, last trade.csv:4)\n(2 more groups)"}},
		{"trade.csv", tradeCSV, "", "Total amount per region, and which region has the most?", []string{"South: **500** (1 row) (first trade.csv:5, last trade.csv:5)\n(2 more groups)"}},
		{"trade.csv", tradeCSV, "", "What is the average amount per product? Which is the lowest?", []string{"cup: **37.5** (2 rows) (first trade.csv:4, last trade.csv:6)\n(1 more group)"}},
		{"trade.csv", tradeCSV, "", "What is the total amount per region? Which product is highest?", []string{"tea: **560**"}},
		{"trade.csv", tradeCSV, "", "What is the total amount per region for tea? Which is the lowest?", []string{"1. North: **30** (2 rows)", "(1 more group)"}},
		{"trade.csv", tradeCSV, "", "What is the total amount per region? Which salesperson is highest?", []string{"nothing in it mentions `salesperson`"}},
		{"trade.csv", tradeCSV, "", "What is the total amount per region? Which region has the most rows?", []string{"rows by region", "1. North: **3**"}},
		{"svc.jsonl", svcJSON, "", "哪个服务最慢？", []string{"ms的平均值，按 svc", "1. pay: **900**"}},
		{"svc.jsonl", svcJSON, "", "哪个服务最快？", []string{"ms的平均值，按 svc", "1. list: **500**"}},
		{"paths.log", pathsLog, "", "which path took the most time in total?", []string{"sum of duration_ms by path", "1. /list: **1500**"}},
		{"trade.csv", tradeCSV, "", "How many rows per region? Which region is highest?", []string{"1. North: **3** (first trade.csv:2, last trade.csv:4)\n(2 more groups)"}},
		{"trade.csv", tradeCSV, "What is the average amount per product?", "Which product is lowest?", []string{"average of amount", "1. cup: **37.5**"}},
		{"trade.csv", tradeCSV, "What is the average amount per product?", "And which one is the highest?", []string{"average of amount", "1. tea: **140**"}},
		{"trade.csv", tradeCSV, "", "How many regions are there and which one sold the tea most often?", []string{"The number of different values of region in trade.csv: **3**", "rows by region (product = tea)", "1. North: **2**"}},
		{"trade.csv", tradeCSV, "", "How many regions are there? Which of them has the most cup rows?", []string{"different values of region in trade.csv: **3**", "rows by region (product = cup)"}},
		{"trade.csv", tradeCSV, "", "How many distinct regions are there and which one has the most tea?", []string{"different values of region in trade.csv: **3**", "rows by region (product = tea)", "1. North: **2**"}},
		{"hits.log", hitsLog, "", "How many distinct client IPs are there and which one sent the most GET requests?", []string{"different values of client in hits.log: **2**", "1. 192.0.2.5: **2**"}},
		{"trade.csv", tradeCSV, "", "Sum the amount column by region and sort descending", []string{"sum of amount by region", "1. South: **500**", "3. North: **35**"}},
		{"trade.csv", tradeCSV, "", "total amount per region, sorted by total ascending", []string{"sum of amount by region", "1. North: **35**", "3. South: **500**"}},
		{"trade.csv", tradeCSV, "", "average amount by product sorted from lowest to highest", []string{"average of amount by product", "1. cup: **37.5**", "2. tea: **140**"}},
		{"trade.csv", tradeCSV, "", "count the rows per region and sort them, and write it to r.md", []string{"rows by region", "1. North: **3**", "r.md"}},
		{"trade.csv", tradeCSV, "", "List all rows sorted by amount descending", []string{"with the largest amount", "South"}},
		{"trade.csv", tradeCSV, "", "Sum the amount of each row sorted by amount", []string{"with the smallest amount"}},
		{"贸易.csv", 贸易CSV, "", "按地区汇总金额，降序", []string{"金额的总和，按 地区", "1. 上海: **500**"}},
		{"贸易.csv", 贸易CSV, "", "按地区汇总金额，按总和排序", []string{"金额的总和，按 地区", "1. 上海: **500**"}},
		{"贸易.csv", 贸易CSV, "", "列出所有行，按金额降序", []string{"金额 最大的"}},
		{"goods.csv", "sku,price\nA,10\nB,30\nC,20\n", "", "List the 2 most expensive SKUs", []string{"sku=B price=30", "sku=C price=20"}},
		{"贸易.csv", 贸易CSV, "", "每个地区的总金额是多少？哪个地区最高？", []string{"上海: **500**（1 行）（首 贸易.csv:5，末 贸易.csv:5）\n（另有 2 组）"}},
		{"贸易.csv", 贸易CSV, "", "各地区的平均金额是多少，哪个最低？", []string{"北京: **11.67**（3 行）（首 贸易.csv:2，末 贸易.csv:4）\n（另有 2 组）"}},
		{"贸易.csv", 贸易CSV, "", "每个地区的总金额是多少？哪个产品最高？", []string{"茶: **560**"}},
		{"贸易.csv", 贸易CSV, "", "每个地区的总金额是多少？哪个地区订单最多？", []string{"1. 北京: **3**"}},
		{"贸易.csv", 贸易CSV, "各产品的平均金额是多少？", "哪个产品最低？", []string{"金额的平均值", "1. 杯: **37.5**"}},
		{"took.log", tookLog, "", "Which user had the longest request?", []string{"**900**", "user=bob"}},
		{"took.log", tookLog, "", "Which user has the shortest request?", []string{"**40**", "user=ann"}},
		{"took.log", tookLog, "", "哪个用户的请求时间最长？", []string{"**900**", "user=bob"}},
		{"took.log", tookLog, "", "Which user made the most requests?", []string{"ann: **2**"}},
		{"plain.log", plainLog, "", "Which user had the longest request?", []string{noTimings}},
		{"plain.log", plainLog, "", "哪个用户的请求最长？", []string{"其中没有记录用时的列"}},
		{"hits.log", hitsLog, "", "Which user had the longest request?", []string{noUsers}},
		{"hits.log", hitsLog, "", "Which user made the most requests?", []string{noUsers}},
		{"hits.log", hitsLog, "", "Which users got a 500?", []string{"it has no column for `users`"}},
		{"hits.log", hitsLog, "", "哪个用户的请求最慢？", []string{"其中没有与 `用户` 对应的列"}},
		{"hits.log", hitsLog, "", "Which path had the longest request?", []string{"**4500**", "path=/out"}},
		{"hits.log", hitsLog, "", "How many requests to users?", []string{"**2 rows**", "containing `users`"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			k := newKit(t, map[string]string{tt.file: tt.text})
			if tt.before != "" {
				k.said = []string{tt.before}
			}
			has(t, k.ask(tt.words), tt.want...)
		})
	}
}
