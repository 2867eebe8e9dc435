package admin

import "testing"

// Whatever was heard, what is passed on ends with the answer, once.
func TestSaying(t *testing.T) {
	for _, tt := range []struct {
		name   string
		heard  []string // "|" begins a turn
		answer string
		want   string
	}{
		{"nothing", nil, "yes", "yes"},
		{"all", []string{"ye", "s"}, "yes", "yes"},
		{"the beginning", []string{"ye"}, "yes, it is", "yes, it is"},
		{"with blanks around", []string{"\n yes \n"}, "yes", "\n yes \n"},
		{"a blank between", []string{"yes, "}, "yes, it is", "yes, it is"},
		{"something before a call", []string{"let me see", "|", "yes"}, "yes", "let me see\n\nyes"},
		{"a call, and then nothing", []string{"let me see", "|"}, "yes", "let me see\n\nyes"},
		{"a call first", []string{"|", "yes"}, "yes", "yes"},
		{"two calls", []string{"one", "|", "|", "two", "|", "yes"}, "yes", "one\n\ntwo\n\nyes"},
		{"a piece is lost", []string{"y", "s"}, "yes", "ys\n\nyes"},
		{"taken back, then whole", []string{"ye", "yes"}, "yes", "yeyes"},
		{"another answer", []string{"no"}, "yes", "no\n\nyes"},
		{"a turn that is told late", []string{"let me see.", "ye", "s", "|"}, "yes", "let me see.yes"},
		{"a turn that is told in its middle", []string{"let me see.", "ye", "|", "s"}, "yes", "let me see.ye\n\ns\n\nyes"},
		{"by chance the same end", []string{"maybe yes", "|"}, "yes", "maybe yes\n\nyes"},
		{"by chance the same letter", []string{"maybe y", "|"}, "yes", "maybe y\n\nyes"},
	} {
		for _, often := range []bool{true, false} {
			s, got := newSaying(), ""
			for _, h := range tt.heard {
				if h == "|" {
					s.turn()
				} else {
					s.hear([]byte(h))
				}
				if often {
					got += s.take()
				}
			}
			got += s.take()
			if got += s.rest(tt.answer); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
	}
}
