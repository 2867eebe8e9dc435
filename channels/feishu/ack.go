package feishu

import (
	"context"
	"encoding/base64"
	"net/http"
	"strconv"
	"sync"
	"time"

	"go.uber.org/zap"
)

// drainWithin is how long the end of Run waits for the answers to events that were handed over.
const drainWithin = 2 * time.Second

// begin takes one more event, unless the end has come.
func (l *line) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.idle != nil {
		return false
	}
	l.open++
	return true
}

func (l *line) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open--; l.open == 0 && l.idle != nil {
		close(l.idle)
	}
}

// drain takes no more events and waits for the answers to those that were taken.
func (l *line) drain() {
	l.mu.Lock()
	l.idle = make(chan struct{})
	if l.open == 0 {
		close(l.idle)
	}
	l.mu.Unlock()
	timer := time.NewTimer(drainWithin)
	defer timer.Stop()
	select {
	case <-l.idle:
	case <-timer.C:
	}
}

// ack answers one event, once.
type ack struct {
	*line
	frame frame
	began time.Time
	once  sync.Once
}

func (a *ack) send(ctx context.Context, answer []byte, err error) {
	a.once.Do(func() {
		defer a.end()
		reply := struct {
			Code int    `json:"code"`
			Data string `json:"data,omitempty"`
		}{Code: http.StatusOK}
		if err != nil {
			reply.Code = http.StatusInternalServerError
			a.log.Warn("feishu event not taken; it comes again", zap.Error(err))
		} else if answer != nil {
			reply.Data = base64.StdEncoding.EncodeToString(answer)
		}
		f := a.frame
		f.payload = encode(reply)
		f.headers = append(f.headers[:len(f.headers):len(f.headers)], header{"biz_rt", strconv.FormatInt(time.Since(a.began).Milliseconds(), 10)})
		if err := a.write(ctx, &f); err != nil && ctx.Err() == nil {
			a.log.Debug("feishu event not acknowledged; it comes again", zap.Error(err))
		}
	})
}
