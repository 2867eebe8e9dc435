package telegram

import (
	"fmt"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
)

func answered(t *testing.T, code int, description string) *apiError {
	t.Helper()
	err, ok := refusal(code, fmt.Appendf(nil, `{"ok":false,"error_code":%d,"description":%q}`, code, description)).(*apiError)
	if !ok {
		t.Fatalf("%d %q is no refusal", code, description)
	}
	return err
}

// What is refused for a reason that is known is sent again without that alone, so that words keep their formats
// where it was not the formats.
func TestWhatIsLeftOutAfterARefusal(t *testing.T) {
	for what, descriptions := range map[string][]string{
		"markup":  {"can't parse entities: Unsupported start tag \"br\" at byte offset 12", "ENTITIES_TOO_LONG", "ENTITY_TEXTURL_INVALID", "MESSAGE_TOO_LONG", "unsupported parse_mode"},
		"words":   {"message text is empty", "message must be non-empty", "MESSAGE_EMPTY"},
		"answer":  {"message to be replied not found", "REPLY_TO_INVALID", "the message can't be replied", "REPLY_MESSAGE_ID_INVALID"},
		"buttons": {"BUTTON_DATA_INVALID", "REPLY_MARKUP_TOO_LONG", "inline keyboard expected", "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard", "can't parse reply keyboard markup JSON object", "field \"inline_keyboard\" of the ReplyMarkup must be an Array of Arrays"},
		"edit":    {"message to edit not found", "message can't be edited", "MESSAGE_ID_INVALID", "MESSAGE_EDIT_TIME_EXPIRED", "message not found", "MSG_ID_INVALID"},
		"thread":  {"message thread not found", "TOPIC_CLOSED", "TOPIC_DELETED", "TOPIC_ID_INVALID", "invalid message thread identifier specified", "the chat is not a forum", "CHANNEL_FORUM_MISSING", "topic not found"},
	} {
		for _, description := range descriptions {
			l := letter{to: place{chat: 1, thread: 5, answer: 6}, edit: 7, chunk: markdown.Chunk{HTML: "<b>a</b>", Plain: "a"}, buttons: &keyboard{}}
			want := l
			switch what {
			case "markup":
				want.bare = true
			case "words":
				want.chunk = nothing
			case "answer":
				want.to.answer = 0
			case "buttons":
				want.buttons = nil
			case "edit":
				want.edit = 0
			case "thread":
				want.to.thread = 0
			}
			err := answered(t, 400, "Bad Request: "+description)
			if got, ok := l.amended(err); !ok || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Errorf("%q: %+v, want it without its %s", description, got, what)
			}
		}
	}
}

// A chat that takes nothing is known as such, by the words of the Bot API and by the names below it: nothing is
// sent again in another form.
func TestChatsThatTakeNothing(t *testing.T) {
	for kind, refusals := range map[akitad.Kind]map[int][]string{
		akitad.PermissionDenied: {
			400: {
				"group chat was deactivated", "have no write access to the chat", "CHAT_WRITE_FORBIDDEN", "CHAT_SEND_PLAIN_FORBIDDEN", "have no rights to send a message", "not enough rights to send text messages to the chat",
				"need administrator rights in the channel chat", "CHANNEL_PRIVATE", "PEER_ID_INVALID", "USER_IS_BLOCKED", "YOU_BLOCKED_USER", "INPUT_USER_DEACTIVATED", "USER_IS_BOT",
				"CHAT_GUEST_SEND_FORBIDDEN", "USER_BANNED_IN_CHANNEL", "CHAT_RESTRICTED", "CHAT_ADMIN_REQUIRED",
			},
			403: {
				"bot was blocked by the user", "user is deactivated", "bot was kicked from the supergroup chat", "bot is not a member of the channel chat", "the group chat was deleted",
				"bot can't initiate conversation with a user", "bot can't send messages to bots", "bot can't send messages to the user", "USER_PRIVACY_RESTRICTED", "PRIVACY_PREMIUM_REQUIRED",
				"ALLOW_PAYMENT_REQUIRED_10", "bot is not a participant of the chat", "bot was removed from the chat",
			},
			406: {"CHANNEL_PRIVATE"},
		},
		akitad.NotFound: {400: {"chat not found", "user not found", "CHANNEL_INVALID", "CHAT_ID_INVALID", "invalid chat_id specified", "chat_id is empty", "USER_ID_INVALID", "group chat was upgraded to a supergroup chat"}},
		akitad.Auth:     {400: {"Logged out"}},
	} {
		for code, descriptions := range refusals {
			for _, description := range descriptions {
				err := answered(t, code, "Refused: "+description)
				l := letter{to: place{chat: 1}, chunk: markdown.Chunk{HTML: "a", Plain: "a"}}
				_, amended := l.amended(err)
				_, reduced := l.reduced(err)
				if got := kindOf(err); got != kind || amended || reduced || unclear(err) {
					t.Errorf("%d %q is %s (want %s); amended %v, reduced %v, unclear %v", code, description, got, kind, amended, reduced, unclear(err))
				}
			}
		}
	}
}

// A message that is not there is the one that was to be answered, if nothing was to be edited.
func TestAMessageThatIsNotThere(t *testing.T) {
	for _, description := range []string{"message not found", "MSG_ID_INVALID"} {
		l := letter{to: place{chat: 1, thread: 5, answer: 6}, chunk: markdown.Chunk{HTML: "a", Plain: "a"}}
		got, ok := l.amended(answered(t, 400, "Bad Request: "+description))
		if !ok || got.to != (place{chat: 1, thread: 5}) {
			t.Errorf("%q: %+v, %v", description, got, ok)
		}
	}
}

// Telegram's own trouble comes with code 400 too, and says nothing against the message.
func TestTroubleThatPasses(t *testing.T) {
	for _, description := range []string{"Bad Request: timeout", "Bad Request: MSG_WAIT_FAILED", "Bad Request: WORKER_BUSY_TOO_LONG_RETRY", "Bad Request: request aborted"} {
		l := letter{to: place{chat: 1, answer: 6}, chunk: markdown.Chunk{HTML: "a", Plain: "a"}}
		err := answered(t, 400, description)
		_, amended := l.amended(err)
		_, reduced := l.reduced(err)
		if !kindOf(err).Temporary() || amended || reduced || unclear(err) {
			t.Errorf("%q is %s; amended %v, reduced %v, unclear %v", description, kindOf(err), amended, reduced, unclear(err))
		}
	}
}

// What is not the Bot API's word is trouble on the way, unless it may be about the message: its size, or words that a
// filter dislikes.
func TestAnswersOfSomethingBetween(t *testing.T) {
	for status, want := range map[int]akitad.Kind{302: akitad.Overloaded, 401: akitad.Overloaded, 404: akitad.Overloaded, 407: akitad.Overloaded, 429: akitad.RateLimited, 403: akitad.PermissionDenied, 413: akitad.InvalidRequest} {
		if got := kindOf(refusal(status, []byte("<html><body>no</body></html>"))); got != want {
			t.Errorf("%d is %s, want %s", status, got, want)
		}
	}
}

// How long to wait stands in a parameter or in the words, and in answers of several codes.
func TestHowLongToWait(t *testing.T) {
	for body, want := range map[string]time.Duration{
		`{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 5","parameters":{"retry_after":7}}`: 7 * time.Second,
		`{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 35"}`:                               35 * time.Second,
		`{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":"3"}}`:              3 * time.Second,
		`{"ok":false,"error_code":429,"description":"Too Many Requests: retry later"}`:                                  time.Second,
		`{"ok":false,"error_code":420,"description":"FLOOD_WAIT_17"}`:                                                   17 * time.Second,
		`{"ok":false,"error_code":420,"description":"FLOOD"}`:                                                           time.Second,
		`{"ok":false,"error_code":400,"description":"Bad Request: SLOWMODE_WAIT_30"}`:                                   30 * time.Second,
		`{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}`:                                     0,
		`{"ok":false,"error_code":500,"description":"Internal Server Error: retry after 5"}`:                            0,
	} {
		err := refusal(400, []byte(body))
		if wait, limited := pauseOf(err); wait != want || limited != (want > 0) || limited != (kindOf(err) == akitad.RateLimited) {
			t.Errorf("%s: %v, %v; kind %s, want %v", body, wait, limited, kindOf(err), want)
		}
	}
}
