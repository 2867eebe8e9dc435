package telegram

import (
	"context"

	"github.com/go-telegram/bot/models"
	"golang.org/x/sync/errgroup"
)

// beside is how many chats' messages are handed over at once: each waits for the disk.
const beside = 16

// handAll hands over the updates of a batch: those of a chat one after the other, and chats beside each other.
// It says which were taken. An error means that ctx has ended.
func (p *poller) handAll(ctx context.Context, batch []*models.Update) (taken []bool, err error) {
	taken = make([]bool, len(batch))
	var eg errgroup.Group
	eg.SetLimit(beside)
	for _, lane := range lanes(batch) {
		eg.Go(func() error {
			for _, i := range lane {
				if err := p.take(ctx, batch[i]); err != nil {
					return err
				}
				taken[i] = true
			}
			return nil
		})
	}
	return taken, eg.Wait()
}

// lanes gives the places in a batch by chat, in order. Where a group gets a new id, all of the batch keeps its
// order: what comes after it may be to the new one.
func lanes(batch []*models.Update) [][]int {
	var out [][]int
	at := map[int64]int{}
	for i, u := range batch {
		chat := chatOf(u)
		if chat == 0 || moves(u) {
			return [][]int{upTo(len(batch))}
		}
		n, known := at[chat]
		if !known {
			n, at[chat] = len(out), len(out)
			out = append(out, nil)
		}
		out[n] = append(out[n], i)
	}
	return out
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func moves(u *models.Update) bool {
	return u.Message != nil && (u.Message.MigrateToChatID != 0 || u.Message.MigrateFromChatID != 0)
}

// chatOf gives the chat of a message, new or edited, or of a pressed button; 0 if the update is something else.
func chatOf(u *models.Update) int64 {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID
	case u.EditedMessage != nil:
		return u.EditedMessage.Chat.ID
	case u.CallbackQuery != nil && u.CallbackQuery.Message.Message != nil:
		return u.CallbackQuery.Message.Message.Chat.ID
	case u.CallbackQuery != nil && u.CallbackQuery.Message.InaccessibleMessage != nil:
		return u.CallbackQuery.Message.InaccessibleMessage.Chat.ID
	}
	return 0
}
