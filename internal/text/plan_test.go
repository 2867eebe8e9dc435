package text_test

import (
	"fmt"
	"testing"

	"github.com/akitad/akitad/internal/text"
)

func TestReadChoice(t *testing.T) {
	for words, want := range map[string]text.Choice{
		"retry": text.Retry, "Retry!": text.Retry, " try  again ": text.Retry, "please retry": text.Retry, "重试": text.Retry, "请重试。": text.Retry, "再试一次吧": text.Retry,
		"skip": text.Skip, "/skip": text.Skip, "Continue.": text.Skip, "跳过": text.Skip, "跳过吧": text.Skip,
		"stop": text.Stop, "STOP": text.Stop, "no, please": text.Stop, "停止": text.Stop, "算了": text.Stop, "取消！": text.Stop,
		"approve": text.Approve, "Yes": text.Approve, "ok please": text.Approve, "go ahead": text.Approve, "好的": text.Approve, "可以了": text.Approve, "同意。": text.Approve,
		"": "", "please": "", "no idea": "", "stop using grep": "", "retry with b.log": "", "yes but skip b": "", "不要停止": "", "好的，但先改第二步": "",
	} {
		if got := text.ReadChoice(words); got != want {
			t.Errorf("%q is %q, want %q", words, got, want)
		}
	}
}

func TestChoiceWordsAreUnderstood(t *testing.T) {
	all := []text.Choice{text.Retry, text.Skip, text.Stop, text.Approve}
	for _, l := range text.Langs {
		for i, w := range text.ChoiceWords(l, all...) {
			if text.ReadChoice(w) != all[i] {
				t.Errorf("%s: %q is not read as %s", l, w, all[i])
			}
		}
	}
	if en, zh := text.ChoiceWords(text.En, all...), text.ChoiceWords(text.Zh, all...); fmt.Sprint(en) == fmt.Sprint(zh) {
		t.Errorf("both languages say %q", en)
	}
}
