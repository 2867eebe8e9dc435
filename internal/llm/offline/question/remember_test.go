package question_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm/offline/question"
)

// TestWishesToRemember finds what is to be kept at any place of a message, and what else it asks.
func TestWishesToRemember(t *testing.T) {
	for _, tt := range []struct {
		words string
		facts []string
		rest  []question.Intent
	}{
		{"My name is Lin, please remember it and tell me how many lines notes.md has", []string{"My name is Lin"}, []question.Intent{question.Count}},
		{"My name is Lin, please remember it.", []string{"My name is Lin"}, nil},
		{"BTW my office is in room 12, keep that in mind.", []string{"my office is in room 12"}, nil},
		{"Please note for later: the spare key hangs behind the door", []string{"the spare key hangs behind the door"}, nil},
		{"I moved to Ghent last spring. Please remember that.", []string{"I moved to Ghent last spring"}, nil},
		{"My cat is called Pim. She is six years old. Don't forget this!", []string{"My cat is called Pim. She is six years old"}, nil},
		{"I am Joost. My desk is 14. Remember both please.", []string{"I am Joost", "My desk is 14"}, nil},
		{"I'd like you to remember that my train leaves at 7:40", []string{"my train leaves at 7:40"}, nil},
		{"Could you please remember that I am allergic to nuts?", []string{"I am allergic to nuts"}, nil},
		{"By the way, remember my locker is 33. How many lines are in notes.md?", []string{"my locker is 33"}, []question.Intent{question.Count}},
		{"How many lines are in notes.md? Also, remember that my locker is 33.", []string{"my locker is 33"}, []question.Intent{question.Count}},
		{"Remember this: the gate closes at ten. The dog sleeps inside.", []string{"the gate closes at ten", "The dog sleeps inside"}, nil},
		{"Write this down: our supplier is Vos & Sons", []string{"our supplier is Vos & Sons"}, nil},
		{"The wifi router stands in the attic - make a note of that, thanks", []string{"The wifi router stands in the attic"}, nil},
		{"For future reference, invoices go to Petra", []string{"invoices go to Petra"}, nil},
		{"I prefer short answers, so remember that from now on", []string{"I prefer short answers"}, nil},
		{"My room is 12, which you should remember", []string{"My room is 12"}, nil},
		{"Remember that my dog is called Rex and tell me what time it is", []string{"my dog is called Rex"}, []question.Intent{question.Clock}},
		{"Remember to count the errors every day", []string{"to count the errors every day"}, nil},
		{"我叫小林，请记住。", []string{"我叫小林"}, nil},
		{"我叫小林，请记住，然后告诉我 notes.md 有多少行", []string{"我叫小林"}, []question.Intent{question.Count}},
		{"对了，我的工位在 3 楼，帮我记一下", []string{"我的工位在 3 楼"}, nil},
		{"请把我的车停在B2层记下来", []string{"我的车停在B2层"}, nil},
		{"我老家在扬州。记住这一点哦", []string{"我老家在扬州"}, nil},
		{"麻烦你记住我对花生过敏", []string{"我对花生过敏"}, nil},
		{"我喜欢喝乌龙茶，以后别忘了", []string{"我喜欢喝乌龙茶"}, nil},
		{"顺便说一下，你要记得我每周三休息", []string{"我每周三休息"}, nil},
		{"notes.md 有多少行？另外请记住我的柜子是 33 号", []string{"我的柜子是 33 号"}, []question.Intent{question.Count}},
		{"我的储物柜在地下室，请帮我记住", []string{"我的储物柜在地下室"}, nil},
		{"以后请用中文回答我，记住了吗？", []string{"以后请用中文回答我"}, nil},
		{"我的车牌是沪A12345，把它记下来", []string{"我的车牌是沪A12345"}, nil},
		{"I'm Oskar. I'd be grateful if you kept that in mind.", []string{"I'm Oskar"}, nil},
		{"请记住下面的内容：钥匙在花盆下面。", []string{"钥匙在花盆下面"}, nil},
	} {
		a := question.Parse(tt.words, []string{"notes.md"})
		var facts []string
		var rest []question.Intent
		for _, q := range a.Questions {
			if q.Intent == question.Remember {
				facts = append(facts, strings.TrimRight(q.Fact, ".。!！"))
			} else {
				rest = append(rest, q.Intent)
			}
		}
		if !slices.Equal(facts, tt.facts) || !slices.Equal(rest, tt.rest) {
			t.Errorf("%s\nfacts %q, want %q\nrest %q, want %q", tt.words, facts, tt.facts, rest, tt.rest)
		}
	}
}

// TestNoWishToRemember keeps nothing of questions, of a no, and of what is told of remembering.
func TestNoWishToRemember(t *testing.T) {
	for _, words := range []string{
		"Count the errors in notes.md. Write it down in out.md.", "Do you remember my name?", "Can you remember what I told you?", "My name is Lin. Do you remember it?",
		"My name is Lin, don't remember it.", "You need not remember this: my name is Lin", "Please do not remember that I was here",
		"My name is Lin, no need to remember that.", "I can't remember where I put the key", "I remember that the gate was red",
		"What does 'please remember it' mean?", "He remembers the war, and that is why he is sad",
		"你还记得我叫什么吗？", "我叫小林，不用记住。", "别记住这个：我叫小林", "我记得昨天下雨了", "我叫什么，你记得吗？", "我记不住密码",
	} {
		for _, q := range question.Parse(words, nil).Questions {
			if q.Intent == question.Remember && q.Fact != "" {
				t.Errorf("%s: keeps %q", words, q.Fact)
			}
		}
	}
}
