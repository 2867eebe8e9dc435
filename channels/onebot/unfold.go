package onebot

import (
	"context"
	"encoding/json"

	"go.uber.org/zap"
)

// unfold gets the messages that were passed on, where a message names them only by an id.
func (o *OneBot) unfold(ctx context.Context, segments []segment) []segment {
	for _, s := range segments {
		id := s.first("id", "file")
		if s.kind != "forward" || id == "" || s.data["content"] != "" {
			continue
		}
		var got struct {
			Messages json.RawMessage `json:"messages"`
			Message  json.RawMessage `json:"message"`
		}
		ctx, cancel := context.WithTimeout(ctx, o.opts.Timeout/3)
		err := o.call(ctx, "get_forward_msg", map[string]string{"id": id, "message_id": id}, &got)
		cancel()
		if err != nil {
			o.log.Debug("onebot forwarded messages not read", zap.String("id", id), zap.Error(err))
			continue
		}
		if len(got.Messages) == 0 {
			got.Messages = got.Message
		}
		s.data["content"] = string(got.Messages)
	}
	return segments
}
