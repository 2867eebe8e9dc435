package memory

import (
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// Type says what an entry is about; it decides its importance and how long it lives by default.
type Type string

// The seven types.
const (
	Fact       Type = "fact"       // something that is so
	Preference Type = "preference" // how a person wants things
	Skill      Type = "skill"      // how something is done
	Context    Type = "context"    // what is going on at the moment
	Rule       Type = "rule"       // what must always or never be done
	Mistake    Type = "error"      // what went wrong, and why
	Experience Type = "experience" // what was tried, and how it went
)

// Types lists the seven types.
var Types = []Type{Fact, Preference, Skill, Context, Rule, Mistake, Experience}

// Valid reports whether t is one of the seven types.
func (t Type) Valid() bool { return slices.Contains(Types, t) }

// importance is the type's weight in recall, from 0 to 1: rules and preferences, which the agent must follow, come
// before what merely happened.
func (t Type) importance() float64 {
	switch t {
	case Rule:
		return 1
	case Preference:
		return 0.9
	case Mistake, Skill:
		return 0.7
	case Experience:
		return 0.5
	case Context:
		return 0.4
	}
	return 0.6
}

// Life is how long an entry is of use: 1 day, 3 days, 30 days, or for good.
type Life string

// The lives an entry can have.
const (
	Day       Life = "1d"
	ThreeDays Life = "3d"
	Month     Life = "30d"
	Permanent Life = "permanent"
)

// Life gives how long entries of the type live when nobody says otherwise: context 3 days, errors
// and experiences 30, all else for good.
func (t Type) Life() Life {
	switch t {
	case Context:
		return ThreeDays
	case Mistake, Experience:
		return Month
	}
	return Permanent
}

// Until gives the end of a life that begins now, and the zero time for Permanent. Any other life than the four
// above is an error of kind invalid_request.
func (l Life) Until(now time.Time) (time.Time, error) {
	switch l {
	case Day:
		return now.AddDate(0, 0, 1), nil
	case ThreeDays:
		return now.AddDate(0, 0, 3), nil
	case Month:
		return now.AddDate(0, 0, 30), nil
	case Permanent:
		return time.Time{}, nil
	}
	return time.Time{}, akitad.Errorf(akitad.InvalidRequest, "unknown expiry %.40q", l).
		WithHint("Use 1d, 3d, 30d or permanent.")
}

// Scope says who may see an entry: everybody, one person, or one conversation.
type Scope string

// Global entries are seen by everybody.
const Global Scope = "global"

// PersonScope is the scope of one person, as akitad.Origin.Person names them ("telegram:1001").
func PersonScope(person string) Scope { return Scope("person:" + person) }

// SessionScope is the scope of one conversation.
func SessionScope(key akitad.SessionKey) Scope { return Scope("session:" + string(key)) }

// Person gives the person of a person's scope, else "".
func (s Scope) Person() string { return after(s, "person:") }

// Session gives the conversation of a session's scope, else "".
func (s Scope) Session() akitad.SessionKey { return akitad.SessionKey(after(s, "session:")) }

func after(s Scope, prefix string) string {
	rest, ok := strings.CutPrefix(string(s), prefix)
	if !ok {
		return ""
	}
	return rest
}

func (s Scope) check() error {
	if s == Global || s.Person() != "" && s.Person() != Everyone || s.Session() != "" {
		return nil
	}
	return akitad.Errorf(akitad.InvalidRequest, "unknown scope %.40q", s).
		WithHint("Use global, person:CHANNEL:ID or session:KEY.")
}

// Entry is one thing remembered: one list item of a Markdown file.
type Entry struct {
	ID    string        `json:"id"`   // given by Remember; "h…" for lines written by hand
	Text  string        `json:"text"` // one line; Remember joins several
	Type  Type          `json:"type"` // default fact
	Scope Scope         `json:"scope"`
	Topic string        `json:"topic,omitempty"` // file under topics/ that keeps it, [a-z0-9-]{1,40}; default none
	From  akitad.TaskID `json:"from,omitempty"`  // the task that it was learned in
	By    string        `json:"by,omitempty"`    // the person who said it, if the scope does not tell
	At    time.Time     `json:"at,omitzero"`     // the day it was learned; zero if nobody noted it
	Until time.Time     `json:"until,omitzero"`  // when it expires; zero means never

	Supersedes   []string `json:"supersedes,omitempty"`    // ids of the entries that it replaced
	SupersededBy string   `json:"superseded_by,omitempty"` // id of the entry that replaced it
	File         string   `json:"file,omitempty"`          // where it is kept, below the memory's folder

	// Tainted says that the wish to remember comes out of text from outside; Remember refuses it.
	Tainted bool `json:"-"`
}

// Expired reports whether the entry's time is over.
func (e *Entry) Expired(now time.Time) bool { return !e.Until.IsZero() && !now.Before(e.Until) }

// owner gives the person whose entry it is, "" if it is nobody's in particular.
func (e *Entry) owner() string {
	if p := e.Scope.Person(); p != "" {
		return p
	}
	return e.By
}

// Query says who asks, and for what.
type Query struct {
	Text    string            // the words that a hit must have to do with; List takes "" for all
	Person  string            // who asks: their own entries and the global ones are seen; see Everyone
	Also    string            // another person whose entries count as the asker's own; "" for nobody
	Session akitad.SessionKey // the conversation whose entries are seen too
	Type    Type              // only this type; "" for all
	Own     bool              // only the person's own entries, not the global ones
	Limit   int               // default 5 for Recall, none for List
	Now     time.Time         // for expiry and recency; default the present
}

// Everyone in the place of a person stands for the administrator, who sees and may forget the
// entries of all people.
const Everyone = "*"

// asks reports whether person is one of those whose own entries the query is for.
func (q *Query) asks(person string) bool {
	return person != "" && (person == q.Person || person == q.Also)
}

// sees reports whether an entry that lies in the shelf of owner ("" for the common one) may be
// shown to the query's person. A shelf never shows more than its owner's and global entries.
func (q *Query) sees(owner string, e *Entry) bool {
	if q.Type != "" && e.Type != q.Type {
		return false
	}
	if q.Person == Everyone {
		return true
	}
	if owner != "" && !q.asks(owner) {
		return false
	}
	if q.Own && (q.Person == "" || owner == "" && !q.asks(e.owner())) {
		return false
	}
	if p := e.Scope.Person(); p != "" {
		return q.asks(p)
	}
	if s := e.Scope.Session(); s != "" {
		return s == q.Session || q.Own
	}
	return e.Scope == Global
}
