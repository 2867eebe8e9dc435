package telegram_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

func yesNo() []akitad.Choice {
	return []akitad.Choice{{ID: "approve:1", Label: "Yes, do it", Style: "primary"}, {ID: "deny:1", Label: "No", Style: "danger"}}
}

// ask has the bot ask a question in place of a placeholder and gives the question's id.
func (r *rig) ask(t *testing.T, to akitad.Origin, choices []akitad.Choice) int {
	t.Helper()
	id := must[string](t)(r.Placeholder(soon(t), to, "…", ""))
	d := answer(to, id, "**Delete** it?")
	d.Kind, d.Choices = akitad.DeliverQuestion, choices
	must[[]string](t)(r.Final(soon(t), d))
	n, _ := strconv.Atoi(id)
	return n
}

func TestQuestionHasButtonsAndAPressComesBack(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	const group = -1001234567890
	r.api.Say(7, group, "@akita_bot clean up", telegramtest.Said{Thread: 55})
	to := next(t, r).Origin
	question := r.ask(t, to, yesNo())
	got := r.api.FromBot(group)[0]
	if len(got.Buttons) != 1 || len(got.Buttons[0]) != 2 || got.Buttons[0][0] != (telegramtest.Button{Text: "Yes, do it", Data: "approve:1", Style: "primary"}) {
		t.Fatalf("buttons = %+v", got.Buttons)
	}
	press := r.api.Press(8, group, question, "deny:1")
	m := next(t, r)
	want := akitad.Origin{Channel: "telegram", Chat: "-1001234567890", Thread: "55", Sender: "8", Message: strconv.Itoa(question), Lang: "en", Group: true, Name: "Person 8"}
	if m.Origin != want || m.ID != "tg:cb:"+press || m.Press == nil || *m.Press != (akitad.Press{Event: press, Message: strconv.Itoa(question), Choice: "deny:1"}) || m.Text != "" {
		t.Fatalf("message = %+v, press %+v", m, m.Press)
	}
	if err := r.Pressed(soon(t), m.Origin, *m.Press, "Not done.", ""); err != nil {
		t.Fatal(err)
	}
	if p := r.api.Pressed(press); !p.Answered || p.Toast != "Not done." {
		t.Errorf("press = %+v", p)
	}
	if len(r.api.FromBot(group)[0].Buttons) != 1 {
		t.Error("the buttons are gone, though nothing is settled")
	}
	if err := r.Pressed(soon(t), m.Origin, *m.Press, "", "Delete it? **No**, says Person 8."); err != nil {
		t.Fatal(err)
	}
	if got := r.api.FromBot(group); len(got) != 1 || got[0].Text != "Delete it? No, says Person 8." || got[0].Buttons != nil {
		t.Errorf("settled: %+v", got)
	}
	if again := r.api.Press(8, group, question, "deny:1"); again != "" {
		t.Error("the button can still be pressed")
	}
}

func TestPressesThatCannotBeAnswered(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	to := r.hear(7)
	next(t, r)
	question := r.ask(t, to, yesNo())
	r.api.PressOld(7, 7, 4711, "approve:1") // of a message that is too old to be shown
	m := next(t, r)
	if m.Press == nil || m.Press.Message != "4711" || m.Origin.Chat != "7" || m.Origin.Sender != "7" {
		t.Fatalf("message = %+v", m)
	}
	if err := r.Pressed(soon(t), m.Origin, *m.Press, "ok", "settled"); err != nil {
		t.Errorf("a message that is gone: %v", err)
	}
	if got := r.api.FromBot(7); len(got) != 1 {
		t.Errorf("a message of its own was sent: %q", texts(got))
	}
	late := akitad.Press{Event: "1", Message: strconv.Itoa(question), Choice: "approve:1"}
	if err := r.Pressed(soon(t), to, late, strings.Repeat("好", 300), "Done."); err != nil {
		t.Errorf("a press that is too old: %v", err)
	}
	if got := texts(r.api.FromBot(7)); got[0] != "Done." {
		t.Errorf("chat %q", got)
	}
	if err := r.Pressed(soon(t), to, late, "", "Done."); err != nil {
		t.Errorf("settled twice: %v", err)
	}
	press := r.api.PressOld(7, 7, question, "x")
	if err := r.Pressed(soon(t), to, akitad.Press{Event: press}, strings.Repeat("好", 300), ""); err != nil {
		t.Errorf("a long toast: %v", err)
	}
	if n := len([]rune(r.api.Pressed(press).Toast)); n != 200 {
		t.Errorf("a toast of %d characters, want 200", n)
	}
}

// Buttons stand below the last part of a long text, and one that is refused takes neither the
// question nor the choices with it.
func TestWhereButtonsStand(t *testing.T) {
	r, to := spoken(t, telegram.Options{Open: openText})
	d := answer(to, "", strings.Repeat("word ", 1200))
	d.Choices, d.Notify, d.Reply.Files = yesNo(), "look", []akitad.File{{Name: "a.txt"}}
	must[[]string](t)(r.Final(soon(t), d))
	got := r.api.FromBot(7)
	if len(got) != 4 || got[0].Buttons != nil || len(got[1].Buttons) != 1 || got[2].Buttons != nil || got[3].Buttons != nil {
		t.Errorf("chat = %+v", got)
	}
	r.api.Fail(telegramtest.Fault{Method: "sendMessage", Code: 400, Description: "Bad Request: BUTTON_DATA_INVALID"})
	d = answer(to, "", "Really?")
	d.Choices = yesNo()
	must[[]string](t)(r.Final(soon(t), d))
	if got := r.api.FromBot(7); got[4].Text != "Really?\n- Yes, do it\n- No" || got[4].Buttons != nil {
		t.Errorf("chat = %+v", got[4])
	}
}
