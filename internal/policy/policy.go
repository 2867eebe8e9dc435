// Package policy is the one function that says whether a person may have something done: by who they
// are, where they ask, and what it takes. It keeps nothing and asks nobody.
package policy

import "github.com/akitad/akitad"

// Risk groups what a tool can do, from harmless to outside of the sandbox.
type Risk string

// The risks.
const (
	Read    Risk = "read"
	Write   Risk = "write"
	Execute Risk = "execute" // it runs programs
	Network Risk = "network"
)

// Tool is what a decision is about.
type Tool struct {
	Name string
	Risk Risk
}

// Check says whether a tool may serve a task that came from there, at any depth below it: nil, or an
// error of kind permission_denied that says why and what to do. In a group, where others than the bot's
// owners write, only an owner has programs run.
func Check(from akitad.Origin, t Tool) error {
	if t.Risk == Execute && Member(from) {
		return akitad.Errorf(akitad.PermissionDenied, "%s runs programs, and in a group that is for the owners of the bot", t.Name).
			WithHint("do it without " + t.Name + ", or have an owner ask for it, or ask in a private chat with the bot")
	}
	return nil
}

// CheckJoin says whether words from there may become part of a task that came from elsewhere: a
// correction or an answer moves what the task does, so that of a member never reaches the task of an
// owner, which may do more.
func CheckJoin(task, from akitad.Origin) error {
	if Member(from) && !Member(task) {
		return akitad.Errorf(akitad.PermissionDenied, "the task is an owner's: others of the group do not change what it does").
			WithHint("ask for it in a message of your own")
	}
	return nil
}

// Member reports whether it is one of a group who asks, and no owner.
func Member(from akitad.Origin) bool { return from.Group && !from.Owner }
