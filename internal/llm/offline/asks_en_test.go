package offline_test

// ask is a sentence, the files it is asked about, and what the answer must hold.
type ask struct {
	intent string
	files  string
	words  string
	want   []string
}

var asksEN = []ask{
	{"count", "relay.log", "How many errors are in relay.log?", []string{"**6 rows**", "ERROR 5, FATAL 1", "relay.log:5", "relay.log:15"}},
	{"count", "relay.log", "Count the lines with level WARN", []string{"**3 rows**", "relay.log:4", "relay.log:13"}},
	{"count", "relay.log", "How many times does 'timeout' appear in the log?", []string{"**3 rows**", "relay.log:5", "relay.log:12"}},
	{"count", "access.log", "What is the number of requests that returned 500?", []string{"**1 row**", "access.log:3"}},
	{"count", "sales.csv", "How many orders have an amount over 100?", []string{"**5 rows**", "amount > 100"}},
	{"count", "sales.csv", "How many different products were sold?", []string{"**3**", "product"}},
	{"count", "sales.csv", "How many paid orders are there from the North?", []string{"**3 rows**", "status = paid", "region = north"}},
	{"count", "relay.log", "How many zebras are in relay.log?", []string{"nothing in it mentions `zebras`", "there is no figure"}},
	{"count", "notes.md", "How many gears are there?", []string{"count=15", "notes.md:23"}},

	{"filter", "relay.log", "Show the warnings in relay.log", []string{"**3 rows**", "relay.log:4", "relay.log:9", "relay.log:13", "92 percent"}},
	{"filter", "sales.csv", "List all rows where region is East", []string{"**2 rows**", "sales.csv:5", "sales.csv:10"}},
	{"filter", "access.log", "Which requests took longer than 2 seconds?", []string{"**2 rows**", "access.log:3", "access.log:6"}},
	{"filter", "relay.log", `Find lines containing "checksum"`, []string{"**2 rows**", "relay.log:10", "relay.log:14"}},
	{"filter", "sales.csv", "Give me the orders that are not paid, i.e. where status is not paid", []string{"**3 rows**", "sales.csv:4", "sales.csv:6", "sales.csv:8"}},
	{"filter", "relay.log", "Find lines containing refused", []string{"**0**"}},

	{"group and top", "relay.log", "What are the top 2 error messages?", []string{"`cannot reach broker-a: timeout`: **2**", "`job <n> rejected: bad checksum`: **2**", "relay.log:7"}},
	{"group and top", "sales.csv", "Which region has the highest total amount?", []string{"1. North: **719.75**"}},
	{"group and top", "sales.csv", "Average amount per product", []string{"Desk: **265.3333**", "Chair: **105**", "Lamp: **55.6875**"}},
	{"group and top", "access.log", "Count the requests by status", []string{"200: **3**", "304: **1**", "404: **1**", "500: **1**", "502: **1**"}},
	{"group and top", "relay.log", "How many errors per minute?", []string{"2026-05-04 10:10: **2**", "2026-05-04 10:02: **1**"}},
	{"group and top", "sales.csv", "Top 3 orders by amount", []string{"amount=398.00", "amount=199.00", "sales.csv:7"}},
	{"group and top", "access.log", "Who sent the most requests, by client?", []string{"203.0.113.5: **4**"}},
	{"group and top", "access.log", "What is the slowest request?", []string{"**3100**", "access.log:6"}},
	{"group and top", "people.csv", "Which 城市 has the most rows?", []string{"北京: **3**"}},

	{"figures", "sales.csv", "What is the total amount?", []string{"**1333.75**", "10 rows"}},
	{"figures", "sales.csv", "What was the average quantity for Lamp?", []string{"**2.75**", "product = lamp"}},
	{"figures", "sales.csv", "What is the maximum amount in March?", []string{"**199.00**", "sales.csv:10"}},
	{"figures", "sales.csv", "Median of the amount column", []string{"**95.625**"}},
	{"figures", "events.jsonl", "What is the average latency of errors?", []string{"**895**"}},
	{"figures", "notes.md", "What is the sum of count in the table?", []string{"**215**"}},

	{"first and last", "relay.log", "When did the first error happen?", []string{"relay.log:5", "2026-05-04 10:02:15.450"}},
	{"first and last", "relay.log", "What is the last line of the log?", []string{"relay.log:20", "`idle`"}},
	{"first and last", "relay.log", "Show the last 2 warnings", []string{"relay.log:9", "relay.log:13"}},
	{"first and last", "sales.csv", "What is the most recent order with status open?", []string{"sales.csv:8", "2026-02-14"}},
	{"first and last", "access.log", "When was the earliest request with status 404?", []string{"access.log:5", "2026-05-04T10:01:05Z"}},
	{"first and last", "relay.log", "When did the errors start and end?", []string{"relay.log:5", "relay.log:15"}},

	{"time range", "relay.log", "Show errors between 10:02 and 10:05", []string{"**2 rows**", "relay.log:5", "relay.log:7"}},
	{"time range", "relay.log", "What happened after 10:11?", []string{"**5 rows**", "relay.log:16", "relay.log:20"}},
	{"time range", "relay.log", "How many warnings before 10:05?", []string{"**1 row**", "relay.log:4"}},
	{"time range", "relay.log", "List the lines since 2026-05-04 10:13", []string{"**3 rows**", "relay.log:18"}},
	{"time range", "sales.csv", "Total amount in February", []string{"**524**", "2026-02"}},
	{"time range", "sales.csv", "How many orders from 2026-01-06 to 2026-02-01?", []string{"**3 rows**", "sales.csv:3", "sales.csv:5"}},
	{"time range", "relay.log", "How many lines are there in the last 10 minutes?", []string{"**2 rows**", "relay.log:19"}},

	{"compare", "relay.log pump.log", "Compare relay.log and pump.log", []string{"relay.log 6", "pump.log 2"}},
	{"compare", "relay.log pump.log", "Which of relay.log and pump.log has more errors?", []string{"**Most errors: relay.log**"}},
	{"compare", "relay.log pump.log", "What is the difference between pump.log and relay.log?", []string{"relay.log 6", "20 lines", "4 lines"}},
	{"compare", "old.csv new.csv", "Which ids are in old.csv but not in new.csv?", []string{"**1 value**", "- 2 (old.csv:3)"}},
	{"compare", "old.csv new.csv", "Which ids are in both old.csv and new.csv?", []string{"**2 values**", "- 1 (old.csv:2)", "- 3 (old.csv:4)"}},
	{"compare", "old.csv new.csv", "Which names in new.csv are missing from old.csv?", []string{"**1 value**", "dora (new.csv:4)"}},

	{"correlate", "relay.log pump.log", "Correlate relay.log with pump.log by time", []string{"**2** of the 5", "2026-05-04 10:02: relay.log 1 (relay.log:5), pump.log 1 (pump.log:1)"}},
	{"correlate", "relay.log pump.log", "What happened within 30 seconds of the first error in relay.log?", []string{"pump.log:1", "relay.log:6"}},
	{"correlate", "relay.log", "What happened 2 minutes before the FATAL error?", []string{"relay.log:13", "relay.log:14"}},
	{"correlate", "relay.log pump.log", "Did anything go wrong at the same time in relay.log and pump.log?", []string{"10:08", "pump.log:3"}},
	{"correlate", "engine.log change.md", "Did the errors start after the deploy?", []string{"engine starts to fail", "change.md:3", "4 min 10 s after the change"}},

	{"fields", "relay.log", "Extract time and message from relay.log", []string{"relay.log:1: 2026-05-04 09:58:01.120 `relay starting version 7`"}},
	{"fields", "sales.csv", "List the product and amount columns", []string{"product=Lamp amount=40.50"}},
	{"fields", "access.log", "Extract the path and status fields of requests with status 404", []string{"**1 row**", "path=/missing"}},
	{"fields", "events.jsonl", "Pull out the user field", []string{"user=ann", "user=cyd"}},
	{"fields", "notes.md", "Extract the item and shelf columns", []string{"item=bolt shelf=A1", "notes.md:21"}},

	{"files", "relay.log sales.csv notes.md", "Which files are there?", []string{"**3 files**", "- notes.md", "- relay.log"}},
	{"files", "relay.log sales.csv notes.md", "List all CSV files", []string{"**1 .csv file**", "sales.csv"}},
	{"files", "relay.log sales.csv notes.md", "Which files mention timeout?", []string{"**1 file**", "relay.log: 3 lines"}},
	{"files", "relay.log sales.csv notes.md", "Is there a file called notes.md?", []string{"Yes, there is notes.md"}},
	{"files", "relay.log sales.csv notes.md", `Find files that contain "Lamp"`, []string{"sales.csv: 4 lines"}},
	{"files", "relay.log sales.csv", "Is there a file called plans.md?", []string{"No, there is no plans.md", "relay.log, sales.csv"}},

	{"summary", "notes.md", "Summarise notes.md", []string{"Refunds are paid within 14 days", "notes.md:9"}},
	{"summary", "sales.csv", "Give me an overview of sales.csv", []string{"10 rows, 7 columns", "sum 1333.75"}},
	{"summary", "relay.log", "What is in this log?", []string{"20 lines", "INFO 11, ERROR 5, WARN 3, FATAL 1"}},
	{"summary", "events.jsonl", "Describe events.jsonl", []string{"`payment declined`", "1 not readable", "lines 4"}},
	{"summary", "sales.csv notes.md", "Summarize these files", []string{"sales.csv", "Opening hours"}},

	{"sections", "notes.md", "What headings does notes.md have?", []string{"**5 headings**", "Exceptions (notes.md:13)"}},
	{"sections", "notes.md", "Show the table of contents", []string{"Opening hours (notes.md:5)"}},
	{"sections", "notes.md", "What does the section on refunds say?", []string{"14 days", "notes.md:11"}},
	{"sections", "notes.md", "When are refunds paid?", []string{"14 days", "notes.md:11"}},
	{"sections", "notes.md", "Which item has the lowest count?", []string{"item=gear", "**15**"}},

	{"report", "relay.log", "Count the errors per level and write the result to out.md", []string{"out.md", "ERROR: **5**"}},
	{"report", "sales.csv", "Save the total amount by region to regions.md", []string{"North: **719.75**", "regions.md"}},
	{"report", "notes.md", "Summarise notes.md and write it to short.md.", []string{"short.md", "14 days"}},
	{"report", "relay.log", "Write a report of the first 3 errors into errors.txt", []string{"errors.txt", "relay.log:10"}},
	{"report", "sales.csv", "List the orders over 150 in a file called big.md", []string{"**4 rows**", "big.md"}},

	{"remember", "", "Remember that the on-call phone is 555-0101.", []string{"I will remember: the on-call phone is 555-0101."}},
	{"remember", "", "Please remember: reports go to the ops folder", []string{"reports go to the ops folder"}},
	{"remember", "", "Note that I prefer short answers", []string{"I prefer short answers"}},
	{"remember", "", "Keep in mind that billing closes on Fridays", []string{"billing closes on Fridays"}},
	{"remember", "", "Don't forget that Ann owns the depot", []string{"Ann owns the depot"}},

	{"help", "", "What can you do?", []string{"count, filter"}},
	{"help", "", "Hello", []string{"count, filter"}},
	{"help", "", "How can you help me?", []string{"count, filter"}},
	{"help", "", "Who are you?", []string{"count, filter"}},
	{"help", "", "What kind of questions can I ask?", []string{"count, filter"}},

	{"refuse", "relay.log", "Write a poem about the log", []string{"I cannot do this", "What I can do"}},
	{"refuse", "notes.md", "Translate notes.md into French", []string{"I cannot do this"}},
	{"refuse", "relay.log", "What do you think of this log?", []string{"I cannot do this"}},
	{"refuse", "", "Write a Python function that sorts a list", []string{"I cannot do this"}},
	{"refuse", "", "What is the capital of France?", []string{"I cannot do this"}},
	{"refuse", "", "Tell me a joke", []string{"I cannot do this"}},
	{"refuse", "sales.csv", "Draft an email to the customers", []string{"I cannot do this"}},

	{"several", "relay.log", "How many errors are there and when was the first one?", []string{"**6 rows**", "relay.log:5", "2026-05-04 10:02:15.450"}},
	{"several", "sales.csv", "What is the total amount? Which product has the highest quantity?", []string{"**1333.75**", "Lamp: **11**"}},
}
