package offline_test

import (
	"strings"
	"testing"
)

// What is remembered of a person is told to plain questions, in their language: all of it, or what they like
// or do not like; and nothing but that.
func TestWhatIsRememberedOfMe(t *testing.T) {
	k := newKit(t, nil)
	for words, want := range map[string]string{
		"What do you remember about me?": "nothing about you yet", "你记得关于我的什么？": "我还没有记住关于您的内容",
		"What do I like?": "do not remember that you like", "我喜欢什么？": "我没有记住您喜欢什么",
	} {
		has(t, k.ask(words), want)
	}
	for _, fact := range []string{"Remember that I like green tea", "remember I hate loud music", "Remember that my boat is called Heron", "记住我喜欢爬山"} {
		k.ask(fact)
	}
	const tea, music, boat, hills = "green tea", "loud music", "Heron", "爬山"
	for words, want := range map[string][]string{
		"What do I like?": {tea, hills}, "what things do I love?": {tea, hills}, "Do you remember what I like?": {tea, hills}, "What are my preferences?": {tea, hills},
		"Which drinks do I like?": {tea, hills}, "我喜欢什么？": {tea, hills}, "你知道我喜欢什么吗？": {tea, hills}, "我的爱好有哪些": {tea, hills},
		"What do I dislike?": {music}, "what don't I like?": {music}, "What do I not like?": {music}, "我讨厌什么？": {music}, "我不喜欢什么": {music},
		"What do you remember about me?": {tea, music, boat, hills}, "What do you know about me?": {tea, music, boat, hills}, "你还记得我什么？": {tea, music, boat, hills},
		"关于我你知道什么？": {tea, music, boat, hills}, "do you remember anything about me": {tea, music, boat, hills},
		"What do you remember about my boat?": {boat}, "What is my boat called?": {boat},
	} {
		got := k.ask(words)
		for _, part := range []string{tea, music, boat, hills} {
			wanted := false
			for _, w := range want {
				wanted = wanted || w == part
			}
			if strings.Contains(got, part) != wanted {
				t.Errorf("%q: %q tells of %s: %v, want %v", words, got, part, !wanted, wanted)
			}
		}
		if zh := strings.ContainsAny(words, "我你"); strings.Contains(got, "我记得：") != zh || strings.Contains(got, "I remember:") == zh {
			t.Errorf("%q is answered in another language: %q", words, got)
		}
	}
}
