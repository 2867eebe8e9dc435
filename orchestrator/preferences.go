package orchestrator

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// Preferences are the settings of a conversation for its future messages. They are kept when the session
// begins anew and over restarts. The zero value sets nothing.
type Preferences struct {
	Lang    string `json:"lang,omitempty"`    // "en" or "zh" as set by a person; empty: the language in which they write
	Spoke   string `json:"spoke,omitempty"`   // the language of the newest message that shows one
	Model   string `json:"model,omitempty"`   // a role or an endpoint; empty: the profile's
	Profile string `json:"profile,omitempty"` // profile of root tasks; empty: the default profile
}

// Language returns the language for messages to the person, "" if it is not known.
func (p Preferences) Language() string {
	if p.Lang != "" {
		return p.Lang
	}
	return p.Spoke
}

// Preferences returns the settings of a conversation.
func (o *Orchestrator) Preferences(ctx context.Context, key akitad.SessionKey) (Preferences, error) {
	s, _, err := o.session(ctx, key)
	return s.Preferences, err
}

// Prefer changes the settings of a conversation, for messages that are accepted from then on.
func (o *Orchestrator) Prefer(ctx context.Context, key akitad.SessionKey, change func(*Preferences)) error {
	_, err := o.changeSession(ctx, key, func(s *sessionState) bool {
		before := s.Preferences
		change(&s.Preferences)
		return s.Preferences != before
	})
	return err
}

// prefer applies the settings of the conversation to a chat message where the message itself says nothing,
// and records the language of the message. A setting that names something that no longer exists is ignored,
// and the person is told.
func (o *Orchestrator) prefer(ctx context.Context, m *akitad.Message) error {
	if m.Session == "" || !m.Origin.Interactive() {
		return nil
	}
	spoken, sure := text.Speaks(m.Text)
	sure = sure && m.Answers == "" && m.Flow == "" // otherwise the text is not the person's own
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

// maxLooked is the maximum number of tasks that LastAnswered loads.
const maxLooked = 200

// LastAnswered returns the newest task of a conversation that has an answer, nil if none of its last
// maxLooked tasks has one.
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

// addNotice joins two notices, one line below the other.
func addNotice(have, more string) string { return strings.TrimPrefix(have+"\n"+more, "\n") }
