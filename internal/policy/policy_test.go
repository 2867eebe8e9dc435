package policy_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/policy"
)

func TestWhoHasProgramsRun(t *testing.T) {
	private := akitad.Origin{Channel: "telegram", Chat: "7", Sender: "7"}
	group := akitad.Origin{Channel: "telegram", Chat: "-1", Sender: "7", Group: true}
	owner := group
	owner.Owner = true
	for _, tt := range []struct {
		name string
		from akitad.Origin
		risk policy.Risk
		ok   bool
	}{
		{"a private chat", private, policy.Execute, true},
		{"an owner in a group", owner, policy.Execute, true},
		{"a member of a group", group, policy.Execute, false},
		{"a member reads", group, policy.Read, true},
		{"a member writes", group, policy.Write, true},
		{"a member reaches out", group, policy.Network, true},
		{"a member, a tool of no known risk", group, "", true},
		{"the command line", akitad.Origin{Channel: "cli"}, policy.Execute, true},
		{"the API", akitad.Origin{Channel: "http"}, policy.Execute, true},
	} {
		err := policy.Check(tt.from, policy.Tool{Name: "run_shell", Risk: tt.risk})
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err != nil && (akitad.KindOf(err) != akitad.PermissionDenied || !strings.Contains(err.Error(), "run_shell") || akitad.FailureOf(err).Hint == "") {
			t.Errorf("%s is refused by %v", tt.name, err)
		}
	}
}

// What a member writes reaches no task that may do more than a member.
func TestWhoseWordsJoinWhat(t *testing.T) {
	member := akitad.Origin{Channel: "x", Chat: "g", Sender: "8", Group: true}
	other := akitad.Origin{Channel: "x", Chat: "g", Sender: "9", Group: true}
	owner := akitad.Origin{Channel: "x", Chat: "g", Sender: "7", Group: true, Owner: true}
	private := akitad.Origin{Channel: "x", Chat: "8", Sender: "8"}
	for _, tt := range []struct {
		name       string
		task, from akitad.Origin
		ok         bool
	}{
		{"a member and an owner's task", owner, member, false},
		{"a member and another's task", other, member, true},
		{"an owner and a member's task", member, owner, true},
		{"an owner and their own", owner, owner, true},
		{"a private chat", private, private, true},
		{"a member and a task of no group", private, member, false},
	} {
		if err := policy.CheckJoin(tt.task, tt.from); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
