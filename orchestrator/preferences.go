package orchestrator

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// Preferences are what a conversation has set for the messages that come. They stay when it begins
// anew, and across restarts. The zero value sets nothing.
type Preferences struct {
	Lang    string `json:"lang,omitempty"`    // en or zh, as a person set it; empty: as they write
	Spoke   string `json:"spoke,omitempty"`   // the language of the newest message that shows one
	Model   string `json:"model,omitempty"`   // a role or an endpoint; empty: the profile's
	Profile string `json:"profile,omitempty"` // of root tasks; empty: the default one
}

// Language gives the language to speak in, "" if nothing is known of it.
func (p Preferences) Language() string {
	if p.Lang != "" {
		return p.Lang
	}
	return p.Spoke
}

// Preferences gives what a conversation has set.
func (o *Orchestrator) Preferences(ctx context.Context, key akitad.SessionKey) (Preferences, error) {
	s, _, err := o.session(ctx, key)
	return s.Preferences, err
}

// Prefer changes what a conversation has set, for the messages that are accepted from then on.
func (o *Orchestrator) Prefer(ctx context.Context, key akitad.SessionKey, change func(*Preferences)) error {
	_, err := o.changeSession(ctx, key, func(s *sessionState) bool {
		before := s.Preferences
		change(&s.Preferences)
		return s.Preferences != before
	})
	return err
}

// prefer puts what its conversation has set into a chat's message, where the message says nothing
// itself, and keeps the language that it shows. What is set and no longer exists is passed over, and
// the person is told.
func (o *Orchestrator) prefer(ctx context.Context, m *akitad.Message) error {
	if m.Session == "" || !m.Origin.Interactive() {
		return nil
	}
	spoken, sure := text.Speaks(m.Text)
	sure = sure && m.Answers == "" && m.Flow == "" // else they are not the person's own words
	s, err := o.changeSession(ctx, m.Session, func(s *sessionState) bool {
		changed := sure && s.Preferences.Spoke != string(spoken)
		if changed {
			s.Preferences.Spoke = string(spoken)
		}
		return changed
	})
	if err != nil {
		return err
	}
	p := s.Preferences
	if p.Lang != "" || !sure && p.Spoke != "" {
		m.Origin.Lang = p.Language()
	}
	o.preferModel(m, p)
	o.preferProfile(m, p)
	return nil
}

func (o *Orchestrator) preferModel(m *akitad.Message, p Preferences) {
	if m.Model != "" || p.Model == "" {
		return
	}
	if o.Models == nil || o.Models.Check(p.Model, nil) == nil {
		m.Model = p.Model
		return
	}
	m.Notice = addNotice(m.Notice, text.Lang(m.Origin.Lang).ModelGone(p.Model))
}

func (o *Orchestrator) preferProfile(m *akitad.Message, p Preferences) {
	if m.Profile != "" || p.Profile == "" || m.Plan != "" || m.Flow != "" {
		return
	}
	if _, err := o.Profiles.Find(p.Profile); err == nil {
		m.Profile = p.Profile
		return
	}
	m.Notice = addNotice(m.Notice, text.Lang(m.Origin.Lang).PersonaGone(p.Profile))
}

// maxLooked is how many tasks of a conversation are looked at for one that has an answer.
const maxLooked = 200

// LastAnswered gives the newest task of a conversation that has an answer, nil if none of the last two hundred has
// since it began.
func (o *Orchestrator) LastAnswered(ctx context.Context, key akitad.SessionKey) (*journal.Task, error) {
	s, _, err := o.session(ctx, key)
	if err != nil {
		return nil, err
	}
	for id, looked := s.Head, 0; id != "" && looked < maxLooked; looked++ {
		t, err := o.Journal.Load(ctx, id)
		if err != nil || !t.Exists() {
			return nil, err
		}
		if t.State == akitad.Completed {
			return t, nil
		}
		id = t.Sub.Follows
	}
	return nil, nil
}

// addNotice gives notices that a person is told with a task, one below the other.
func addNotice(have, more string) string { return strings.TrimPrefix(have+"\n"+more, "\n") }
