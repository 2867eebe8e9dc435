package telegram

import (
	"encoding/json"
	"fmt"

	"github.com/go-telegram/bot/models"
	"go.uber.org/zap"
)

// decode reads one update. What cannot be read of it is left out: a message counts even if something
// beside its words is of a kind that is not known here. One of which nothing can be read has its id at
// least, so that it can be passed over.
func (t *Telegram) decode(body json.RawMessage) *models.Update {
	u, err := readUpdate(body)
	if err == nil {
		return u
	}
	var head struct {
		ID      int64                      `json:"update_id"`
		Message map[string]json.RawMessage `json:"message"`
	}
	if json.Unmarshal(body, &head) != nil {
		var id struct {
			ID int64 `json:"update_id"`
		}
		_ = json.Unmarshal(body, &id) // without an id it counts as handed over
		head.ID, head.Message = id.ID, nil
	}
	u = &models.Update{ID: head.ID}
	if len(head.Message) > 0 {
		u.Message = readable(head.Message)
	}
	t.log.Warn("telegram update cannot be read as a whole", zap.Int64("update", u.ID), zap.Error(err))
	return u
}

// readable gives a message without the fields that cannot be read; nil if there is no message then.
func readable(fields map[string]json.RawMessage) *models.Message {
	for name, value := range fields {
		one, err := json.Marshal(map[string]json.RawMessage{name: value})
		if err == nil {
			_, err = readMessage(one)
		}
		if err != nil {
			delete(fields, name)
		}
	}
	whole, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	m, err := readMessage(whole)
	if err != nil {
		return nil
	}
	return m
}

func readUpdate(body []byte) (u *models.Update, err error) {
	defer caught(&err)
	u = &models.Update{}
	return u, json.Unmarshal(body, u)
}

func readMessage(body []byte) (m *models.Message, err error) {
	defer caught(&err)
	m = &models.Message{}
	return m, json.Unmarshal(body, m)
}

// caught makes an error of a panic in the library's readers: what comes from outside must not end the
// process.
func caught(err *error) {
	if broken := recover(); broken != nil {
		*err = fmt.Errorf("read update: %v", broken)
	}
}
