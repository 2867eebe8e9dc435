package feishu

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
)

// apiError is what the API answers when it refuses.
type apiError struct {
	status int // of HTTP; refusals come with 200 too
	code   int // the service's own; 0 if the answer had none
	msg    string
	reset  time.Duration // how long it wants to be left alone
}

func (e *apiError) Error() string {
	return fmt.Sprintf("feishu answered %d (HTTP %d): %s", e.code, e.status, e.msg)
}

// The service's codes, from its list of common errors and those of messages and cards
// (open.feishu.cn, "generic error codes", im-v1 and cardkit-v1).
var (
	tokenCodes = []int{99991661, 99991663, 99991664, 99991668, 99991671, 99991677}
	loginCodes = []int{403, 514, 10003, 10012, 10014, 10015, 99991543}
	// chatRates concern one chat, appRates the app as a whole.
	chatRates = []int{11233, 11247, 230020}
	appRates  = []int{1000, 1000004, 1000005, 11232, 99991400}
	// contentCodes: a card or text is refused, but the same words in plain text need not be.
	contentCodes = []int{11246, 11310, 200621, 230025, 230099, 300313, 300314, 300315}
	// goneCodes: the message was recalled, deleted or is too old to be edited or answered.
	goneCodes = []int{230011, 230031, 230050, 230110, 230111}
	// editCodes: this message takes no more edits. 300309: a card's stream was closed by the service.
	editCodes   = []int{230017, 230054, 230072, 230075, 300309, 300317}
	threadCodes = []int{230019, 230071, 230072}
	// typeCodes: groups that are shared with other houses take no cards, and some messages no reply.
	typeCodes    = []int{230054}
	deniedCodes  = []int{11205, 230002, 230006, 230013, 230018, 230027, 230029, 230035, 230036, 230038, 230053, 230075, 232009, 232011, 232025, 234007, 99991401, 99991662, 99991672, 99991673, 99991676, 99991679}
	notFoundCode = []int{230005, 230034, 232006, 234003, 234004, 99992361}
	sizeCodes    = []int{234006, 234037} // of files
	againCodes   = []int{1, 1500, 1503, 1663, 2200, 5000, 55001, 230049, 1000040343, 99991001}
)

// hasCode reports whether err is a refusal with one of the codes.
func hasCode(err error, codes ...[]int) bool {
	api, ok := errors.AsType[*apiError](err)
	return ok && slices.ContainsFunc(codes, func(c []int) bool { return slices.Contains(c, api.code) })
}

func tokenRefused(err error) bool { return hasCode(err, tokenCodes) }

// editGone: there is no message to edit any more.
func editGone(err error) bool { return hasCode(err, goneCodes, editCodes, notFoundCode) }

// replyGone: the message to answer is gone; a message of its own need not be refused.
func replyGone(err error) bool { return hasCode(err, goneCodes, threadCodes, typeCodes) }

// noThread: nothing can be answered in a thread there.
func noThread(err error) bool { return hasCode(err, threadCodes) }

// badContent: the formatted text is refused, but the plain one need not be.
func badContent(err error) bool { return hasCode(err, contentCodes) || unknownReason(err) }

// unclear: the message is refused, by the service or on the way to it, and other words, or fewer, need not be.
func unclear(err error) bool {
	api, ok := errors.AsType[*apiError](err)
	return ok && (kindOfCode(api) == akitad.InvalidRequest || api.code == 0 && api.status == http.StatusForbidden)
}

// unknownReason: the message is refused, and nothing here says why.
func unknownReason(err error) bool {
	return unclear(err) && !hasCode(err, contentCodes, editCodes, threadCodes)
}

const (
	defaultPause = time.Second
	maxPause     = 5 * time.Minute
)

// pauseOf gives how long the service wants to be left alone, and whether by all of the bot.
func pauseOf(err error) (pause time.Duration, all, limited bool) {
	api, ok := errors.AsType[*apiError](err)
	if !ok {
		return 0, false, false
	}
	chat := slices.Contains(chatRates, api.code)
	all = slices.Contains(appRates, api.code) || (api.status == http.StatusTooManyRequests && !chat)
	if !chat && !all {
		return 0, false, false
	}
	return cmp.Or(api.reset, defaultPause), all, true
}

// kindOf sorts an error into the table that tasks use.
func kindOf(err error) akitad.Kind {
	if api, ok := errors.AsType[*apiError](err); ok {
		return kindOfCode(api)
	}
	return chatsend.KindOf(err)
}

func kindOfCode(e *apiError) akitad.Kind {
	_, _, limited := pauseOf(e)
	switch {
	case limited:
		return akitad.RateLimited
	case hasCode(e, tokenCodes, loginCodes):
		return akitad.Auth
	case hasCode(e, deniedCodes), e.code == 0 && e.status == http.StatusForbidden:
		return akitad.PermissionDenied
	case hasCode(e, notFoundCode, goneCodes):
		return akitad.NotFound
	case hasCode(e, againCodes), e.status >= http.StatusInternalServerError:
		return akitad.Overloaded
	case e.code == codeTooMany:
		return akitad.Unavailable
	}
	return akitad.InvalidRequest
}

var hints = map[akitad.Kind]string{
	akitad.Auth:             "Check FEISHU_APP_ID and FEISHU_APP_SECRET (the app's page at the open platform shows them) and FEISHU_BASE_URL.",
	akitad.PermissionDenied: "Give the app the permissions im:message, im:message:send_as_bot, im:resource and im:chat, publish a version, and see that the bot is in the chat.",
	akitad.Unavailable:      "Other programs hold the connections that this app may have: stop them, or make an app of its own for each.",
}

// fail gives err its kind, the name of what was done and a hint. Nil stays nil.
func fail(op string, err error) error {
	kind := kindOf(err)
	return chatsend.Fail("feishu "+op, err, kind, hints[kind])
}

func refuse(text, hint string) error {
	return &akitad.Error{Kind: akitad.InvalidRequest, Op: "feishu", Err: errors.New(text), Hint: hint}
}
