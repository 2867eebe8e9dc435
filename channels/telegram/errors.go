package telegram

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
)

// The Bot API tells its refusals with code 400 apart by their description and by nothing else, so
// this file, alone in the house, reads error texts. They have been stable for years.

func refused(err error, texts ...string) bool {
	api, ok := errors.AsType[*apiError](err)
	return ok && (api.code == http.StatusBadRequest || api.code == http.StatusNotAcceptable) && api.says(texts...)
}

// says reports whether the description has one of the texts, which are in small letters.
func (e *apiError) says(texts ...string) bool {
	description := strings.ToLower(e.description)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(description, text) })
}

// notModified: the message shows this text already.
func notModified(err error) bool {
	return refused(err, "message is not modified", "message_not_modified")
}

// editGone: there is no message to edit any more.
func editGone(err error) bool {
	return noMessage(err) || refused(err, "message to edit not found", "message can't be edited", "message_id_invalid", "message identifier is not specified", "there is no text in the message to edit", "message_author_required", "message_edit_time_expired")
}

// noMessage: a message is not there, and it is not said which, that to edit or that to answer.
func noMessage(err error) bool { return refused(err, "message not found", "msg_id_invalid") }

// badMarkup: the formatted text is refused, but the plain one need not be.
func badMarkup(err error) bool {
	return refused(err, "can't parse entities", "parse_mode", "message is too long", "message_too_long", "entity_", "entities_too_long")
}

// noText: nothing is seen of the text, as of one of invisible letters.
func noText(err error) bool {
	return refused(err, "message text is empty", "text must be non-empty", "message must be non-empty", "message_empty")
}

// noAnswer: the message to reply to is gone, and the server cannot do without it.
func noAnswer(err error) bool {
	return refused(err, "replied message not found", "to be replied not found", "reply message not found", "message to reply not found", "can't be replied", "reply_message_id_invalid", "reply_to_")
}

// badButtons: the buttons are refused, the text need not be.
func badButtons(err error) bool {
	return refused(err, "button_", "keyboard", "reply markup", "reply_markup", "replymarkup")
}

// pressGone: the press is too old to be answered.
func pressGone(err error) bool {
	return refused(err, "query is too old", "query id is invalid", "query_id_invalid")
}

// refusedForm: the file is refused in the form in which it was sent, but not the chat or its place.
func refusedForm(err error) bool {
	if errors.Is(err, errForm) {
		return true
	}
	api, ok := errors.AsType[*apiError](err)
	if !ok || refused(err, "chat not found") {
		return false
	}
	return api.code == http.StatusBadRequest || api.code == http.StatusNotFound || refusedKind(api)
}

// refusedKind: this person or group does not take such messages.
func refusedKind(e *apiError) bool {
	return e.code == http.StatusForbidden && e.says("_forbidden", "restricted")
}

// overLimit: the file is larger than a bot may send.
func overLimit(err error) bool {
	if errors.Is(err, errOver) {
		return true
	}
	api, ok := errors.AsType[*apiError](err)
	return ok && api.code == http.StatusRequestEntityTooLarge
}

// tooBig: the file is too large for the form in which it was sent.
func tooBig(err error) bool { return refused(err, "too big") }

// noThread: the topic has been deleted, or closed, or the group has no topics any more.
func noThread(err error) bool {
	return refused(err, "message thread", "topic", "not a forum", "forum_missing")
}

// barred are the words for a chat in which nothing may be written, whatever it is: the bot was thrown out or muted,
// or the person does not want it.
var barred = []string{
	"rights", "write access", "admin_required", "_forbidden", "restricted", "banned", "kicked", "removed from", "not a member", "participant",
	"blocked", "deactivated", "was deleted", "can't initiate", "can't send messages to", "user_is_bot", "peer_id_invalid",
	"channel_private", "premium_required", "payment_required",
}

// noRight: the bot may not write there, in whatever form.
func noRight(err error) bool { return refused(err, barred...) }

// onlyThis: this file is refused, and words or other files need not be. A group may forbid files, or some kinds
// of them, to all that write there.
func onlyThis(err error) bool {
	api, ok := errors.AsType[*apiError](err)
	return kindOf(err) == akitad.InvalidRequest || noRight(err) || ok && refusedKind(api)
}

// vanished: the message was taken, and somebody in the chat, like a bot that moderates it, has deleted it already.
// Sent again, it would go the same way.
func vanished(err error) bool {
	api, ok := errors.AsType[*apiError](err)
	return ok && api.code == http.StatusInternalServerError && api.says("immediately deleted")
}

// passing: Telegram's own trouble, which the Bot API hands on with code 400 as it does with every error of a code
// that it does not know. The same request may succeed later.
func passing(err error) bool {
	return refused(err, "bad request: timeout", "msg_wait_failed", "rpc_call_fail", "_too_long_retry", "request aborted", "try again")
}

// unclear: the message is refused, and other words, or fewer, need not be.
func unclear(err error) bool {
	api, ok := errors.AsType[*apiError](err)
	return ok && (kindOfCode(api) == akitad.InvalidRequest || api.code == http.StatusForbidden && !api.says(barred...))
}

// unknownReason: the message is refused, and nothing here says why.
func unknownReason(err error) bool {
	known := notModified(err) || editGone(err) || badMarkup(err) || noText(err) || noThread(err) || movedTo(err) != 0
	return unclear(err) && !known
}

// movedTo gives the new id of a group that became a supergroup; 0 if the error says no such thing.
func movedTo(err error) int64 {
	if api, ok := errors.AsType[*apiError](err); ok {
		return api.movedTo
	}
	return 0
}

// pauseOf gives how long the API wants to be left alone.
func pauseOf(err error) (time.Duration, bool) {
	api, ok := errors.AsType[*apiError](err)
	if !ok || !api.limited() {
		return 0, false
	}
	return cmp.Or(api.retryAfter, time.Second), true
}

// limited: too much was sent. Servers that hand on what is below the Bot API say so by 420, or by 400 and a time.
func (e *apiError) limited() bool {
	return e.code == http.StatusTooManyRequests || e.code == 420 || e.code == http.StatusBadRequest && e.retryAfter > 0
}

// conflict: somebody else polls with the same token, or a webhook is set.
func conflict(err error) bool {
	api, ok := errors.AsType[*apiError](err)
	return ok && api.code == http.StatusConflict
}

// hookActive: the updates go to a webhook.
func hookActive(err error) bool {
	api, ok := errors.AsType[*apiError](err)
	return ok && api.code == http.StatusConflict && api.says("webhook")
}

// kindOf sorts an error into the table that tasks use.
func kindOf(err error) akitad.Kind {
	if api, ok := errors.AsType[*apiError](err); ok {
		return kindOfCode(api)
	}
	return chatsend.KindOf(err)
}

func kindOfCode(e *apiError) akitad.Kind {
	switch {
	case e.code == http.StatusUnauthorized, e.code == http.StatusNotFound, refused(e, "logged out"):
		return akitad.Auth
	case e.code == http.StatusForbidden:
		return akitad.PermissionDenied
	case e.limited():
		return akitad.RateLimited
	case e.code == http.StatusConflict:
		return akitad.Unavailable
	case e.code >= http.StatusInternalServerError, e.code == http.StatusRequestTimeout, passing(e):
		return akitad.Overloaded
	case noRight(e):
		return akitad.PermissionDenied
	case refused(e, "not found", "upgraded to a supergroup", "channel_invalid", "chat_id", "user_id"):
		return akitad.NotFound
	}
	return akitad.InvalidRequest
}

var hints = map[akitad.Kind]string{
	akitad.Auth:             "Check TELEGRAM_BOT_TOKEN (@BotFather shows it) and TELEGRAM_API_URL.",
	akitad.PermissionDenied: "The person has blocked the bot, or it was removed from the group.",
	akitad.Unavailable:      "Another program polls with the same token, or a webhook is set: stop it, or get a token of its own for each.",
}

// passedOver gives the error of files the kind after which they are not sent again, and what comes after them is
// sent.
func passedOver(err error) error {
	return &akitad.Error{Kind: akitad.InvalidRequest, Op: "telegram files", Err: err}
}

// fail gives err its kind, the name of what was done and a hint. Nil stays nil.
func fail(op string, err error) error {
	kind := kindOf(err)
	return chatsend.Fail("telegram "+op, err, kind, hints[kind])
}
