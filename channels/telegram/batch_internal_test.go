package telegram

import (
	"fmt"
	"testing"

	"github.com/go-telegram/bot/models"
)

func TestLanesOfABatch(t *testing.T) {
	said := func(chat int64) *models.Update {
		return &models.Update{Message: &models.Message{Chat: models.Chat{ID: chat}}}
	}
	moved := said(-9)
	moved.Message.MigrateToChatID = -10
	pressed := &models.Update{CallbackQuery: &models.CallbackQuery{Message: models.MaybeInaccessibleMessage{Message: said(7).Message}}}
	for _, tt := range []struct {
		name  string
		batch []*models.Update
		want  string
	}{
		{"nothing", nil, "[]"},
		{"one chat", []*models.Update{said(7), said(7)}, "[[0 1]]"},
		{"two chats", []*models.Update{said(7), said(8), said(7), said(8)}, "[[0 2] [1 3]]"},
		{"a pressed button belongs to its chat", []*models.Update{said(8), said(7), pressed}, "[[0] [1 2]]"},
		{"a group gets a new id", []*models.Update{said(7), moved, said(-10)}, "[[0 1 2]]"},
		{"something else", []*models.Update{said(7), {}, said(8)}, "[[0 1 2]]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(lanes(tt.batch)); got != tt.want {
				t.Errorf("lanes = %s, want %s", got, tt.want)
			}
		})
	}
}
