package knowledge_test

import (
	"testing"
)

// What documents of each kind say is quoted with where it stands; of programs and logs nothing is.
func TestAnswer(t *testing.T) {
	b := harbour(t)
	add(t, b, "fleet.yaml", "tugs:\n  heron:\n    draught: 3.4\n    berth: B7\n  osprey:\n    draught: 4.1\n    berth: B9\n")
	for _, tt := range []struct{ ask, name, title, text string }{
		{"How many tonnes does the crane lift?", "quay.md", "Harbour > Crane", "The crane on the north quay lifts twelve tonnes."},
		{"When is the crane inspected?", "quay.md", "Harbour > Crane", "The crane on the north quay lifts twelve tonnes. It is inspected every March."},
		{"起重机什么时候检修？", "码头.md", "码头 > 起重机", "北码头的起重机可以吊起十二吨货物，每年三月检修一次。"},
		{"What is the depth of berth B2?", "berths.csv", "rows 1-2", "berth: B2; depth: 9.0; ship: Petrel"},
		{"Which berth does the osprey have?", "fleet.yaml", "", "berth: B9"},
		{"Who reported the anchor?", "", "", ""},
		{"When did Gannet report the anchor?", "", "", ""},
		{"What is the draught of the Petrel?", "", "", ""},
	} {
		got, err := b.Answer(t.Context(), tt.ask)
		switch {
		case err != nil:
			t.Fatal(err)
		case tt.text == "" && len(got) > 0, tt.text != "" && len(got) == 0:
			t.Errorf("%q: %+v", tt.ask, got)
		case tt.text != "" && (got[0].Text != tt.text || got[0].Name != tt.name || got[0].Title != tt.title || got[0].Line < 1):
			t.Errorf("%q: %+v, want %+v", tt.ask, got[0], tt)
		}
	}
}
