package quote_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/knowledge/quote"
)

const marina = `Marina Saltholm was founded in 1962 by the fisherman Nils Ehrling. It belongs to the town since 1988.

The harbour master is Karin Dahl. Her office is on the first floor of the customs house. The office opens at 8:00 on weekdays and closes at noon on Saturdays.

Guests pay 32 euros a night. Electricity is included, water is not included.

The slipway crane lifts 14 tonnes. Boats longer than 18 metres may not use the crane because the pit is too short.

The marina has 240 berths. Dogs must be kept on a leash on all jetties.`

const locks = `| Lock | Length | Opened | Keeper |
|---|---|---|---|
| Brunnen | 86 m | 1911 | Ole Friis |
| Torsk | 112 m | 1934 | Mette Holm |`

const ports = `Services listen on these ports:

- tide-api: 8841
- berth-db: 5439 (read only from the office)
- radar-feed: 9907`

const howto = `1. Switch off the fuel pump.
2. Drain the filter bowl into a can.
3. Close the valve and start the engine.`

const yard = `海螺船厂成立于1957年，由渔民陈阿水创办。现任厂长是林秀梅。

船厂有6条滑道，其中两条可以停放40米长的渔船。食堂每天上午十一点半开饭，周日关闭。

外来车辆必须停放在东门停车场，因为厂区道路太窄。码头内禁止吸烟。

起重机年检由设备科负责。备用钥匙存放在值班室的红色柜子里。`

var shelf = []quote.Passage{
	{Title: "Marina Saltholm", Text: marina, Line: 1},
	{Title: "Locks of the canal", Text: locks, Line: 1},
	{Title: "Operations > Ports", Text: ports, Line: 1},
	{Title: "Engine > Changing the fuel filter", Text: howto, Line: 1},
	{Title: "海螺船厂 > 简介", Text: yard, Line: 1},
}

func TestFind(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"When was the marina founded?", "founded in 1962"},
		{"Who founded Marina Saltholm?", "Nils Ehrling"},
		{"Who is the harbour master?", "Karin Dahl"},
		{"When does the office open?", "8:00"},
		{"What time does the office open on weekdays?", "8:00"},
		{"Can you tell me how many berths the marina has?", "240 berths"},
		{"How many berths are there?", "240 berths"},
		{"How many tonnes does the crane lift?", "14 tonnes"},
		{"What does a guest pay a night?", "32 euros"},
		{"Is electricity included?", "Electricity is included"},
		{"Is water included?", "not included"},
		{"Why may long boats not use the crane?", "pit is too short"},
		{"Why can boats longer than 18 metres not use the crane?", "pit is too short"},
		{"Must dogs be kept on a leash?", "Dogs must be kept"},
		{"Since when does it belong to the town?", "1988"},
		{"Who is the keeper of the Torsk lock?", "Mette Holm"},
		{"How long is the Brunnen lock?", "86 m"},
		{"When was the lock Torsk opened?", "1934"},
		{"What is the port of the berth-db?", "5439"},
		{"Which port does radar-feed listen on?", "9907"},
		{"How do I change the fuel filter?", "Switch off the fuel pump"},
		{"海螺船厂是哪一年成立的？", "1957"},
		{"海螺船厂是谁创办的？", "陈阿水"},
		{"现任厂长是谁？", "林秀梅"},
		{"船厂有几条滑道？", "6条滑道"},
		{"食堂几点开饭？", "十一点半"},
		{"外来车辆停放在哪里？", "东门停车场"},
		{"为什么外来车辆必须停放在东门停车场？", "道路太窄"},
		{"谁负责起重机年检？", "设备科"},
		{"备用钥匙存放在哪里？", "红色柜子"},
		{"码头内可以吸烟吗？", "禁止吸烟"},
		{"请问食堂周日关闭吗？", "周日关闭"},
		// What they do not hold, however near it sounds.
		{"When was the harbour master born?", ""},
		{"Who is the mayor of the town?", ""},
		{"How many cranes does the marina have?", ""},
		{"How many boats does the marina have?", ""},
		{"What is the port of the weather-api?", ""},
		{"What is the password of the berth-db?", ""},
		{"When was the customs house founded?", ""},
		{"Who founded the customs house?", ""},
		{"How long is the Saltholm lock?", ""},
		{"Where is the customs house?", ""},
		{"What does the slipway cost a night?", ""},
		{"How do I change the oil filter?", ""},
		{"Why is electricity included?", ""},
		{"When does the crane open?", ""},
		{"What is a leash?", ""},
		{"What is my berth?", ""},
		{"Is the marina open in winter?", ""},
		{"What happened?", ""},
		{"海螺船厂有几台起重机？", ""},
		{"厂长的电话是多少？", ""},
		{"西门停车场在哪里？", ""},
		{"谁批准了起重机年检？", ""},
		{"食堂有多少个座位？", ""},
		{"为什么食堂周日关闭？", ""},
		{"青山船厂是哪一年成立的？", ""},
		{"我的钥匙存放在哪里？", ""},
		{"备用钥匙多少钱？", ""},
		{"", ""},
	} {
		var got []string
		for _, q := range quote.Find(tt.ask, shelf) {
			got = append(got, q.Text)
		}
		said := strings.Join(got, " / ")
		if tt.want == "" && said != "" || !strings.Contains(said, tt.want) {
			t.Errorf("%q is answered by %q, want %q", tt.ask, said, tt.want)
		}
	}
}
