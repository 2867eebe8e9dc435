package telegramtest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"
)

const (
	// hookRetry is how long a refused update waits; the service's own wait grows to minutes.
	hookRetry = 100 * time.Millisecond
	// hookConnections is how many updates are under way at once (setWebhook, max_connections).
	hookConnections = 40
	hookTimeout     = time.Minute
)

// hook is a webhook that is set. Updates of one chat are delivered one after the other, in order, each
// until it is answered 200; chats do not wait for each other.
type hook struct {
	url, secret string
	gone        chan struct{}
	busy        map[int64]bool // chats with an update under way
	failed      string         // what went wrong last
	failedAt    time.Time
}

var secretForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

func (s *Server) setWebhook(p params) (any, *apiError) {
	address, secret := p.values["url"], p.values["secret_token"]
	if address == "" {
		return s.deleteWebhook(p)
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return nil, refuse(400, "Bad Request: bad webhook: invalid URL")
	case u.Scheme != "https" && u.Hostname() != "127.0.0.1" && u.Hostname() != "hook.test":
		return nil, refuse(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook")
	case secret != "" && !secretForm.MatchString(secret):
		return nil, refuse(400, "Bad Request: secret token contains unallowed characters")
	}
	s.allow(p)
	if s.polling != nil {
		s.polling.why = "terminated by setWebhook request"
		close(s.polling.ended)
		s.polling = nil
	}
	s.unhook()
	h := &hook{url: address, secret: secret, gone: make(chan struct{}), busy: map[int64]bool{}}
	s.hook = h
	s.tasks.Go(func() { s.serveHook(h) })
	return true, nil
}

func (s *Server) deleteWebhook(p params) (any, *apiError) {
	s.unhook()
	if p.bool("drop_pending_updates") {
		s.updates = nil
	}
	return true, nil
}

func (s *Server) unhook() {
	if s.hook != nil {
		close(s.hook.gone)
		s.hook = nil
	}
}

func (s *Server) getWebhookInfo() (any, *apiError) {
	info := map[string]any{"url": "", "has_custom_certificate": false, "pending_update_count": len(s.updates)}
	if h := s.hook; h != nil {
		info["url"] = h.url
		if h.failed != "" {
			info["last_error_message"], info["last_error_date"] = h.failed, h.failedAt.Unix()
		}
	}
	return info, nil
}

// Webhook returns the address that updates are delivered to; "" is none.
func (s *Server) Webhook() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hook == nil {
		return ""
	}
	return s.hook.url
}

// serveHook delivers until the webhook is gone or the server closes.
func (s *Server) serveHook(h *hook) {
	ctx, cancel := context.WithCancel(context.Background())
	var under sync.WaitGroup
	defer under.Wait()
	defer cancel()
	for {
		s.mu.Lock()
		changed := s.Changed()
		for _, u := range s.due(h) {
			h.busy[u.chat] = true
			under.Go(func() { s.deliver(ctx, h, u) })
		}
		s.mu.Unlock()
		select {
		case <-changed:
		case <-h.gone:
			return
		case <-s.done:
			return
		}
	}
}

// due returns the first update of each chat that has none under way; the caller holds the lock.
func (s *Server) due(h *hook) (out []update) {
	chats := map[int64]bool{}
	for _, u := range s.updates {
		if !h.busy[u.chat] && !chats[u.chat] && len(h.busy)+len(out) < hookConnections {
			chats[u.chat] = true
			out = append(out, u)
		}
	}
	return out
}

// deliver posts one update until it is taken.
func (s *Server) deliver(ctx context.Context, h *hook, u update) {
	for {
		why := s.post(ctx, h, u)
		if ctx.Err() != nil {
			return
		}
		s.mu.Lock()
		if why == "" {
			delete(h.busy, u.chat)
			s.updates = slices.DeleteFunc(s.updates, func(o update) bool { return o.id == u.id })
			s.confirmed = max(s.confirmed, u.id)
			s.gone = append(s.gone, u)
			s.gone = s.gone[max(0, len(s.gone)-keptGone):]
			s.Touch()
			s.mu.Unlock()
			return
		}
		h.failed, h.failedAt = why, time.Now()
		s.Touch()
		s.mu.Unlock()
		timer := time.NewTimer(hookRetry)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// post says what went wrong; "" is nothing.
func (s *Server) post(ctx context.Context, h *hook, u update) string {
	ctx, cancel := context.WithTimeout(ctx, hookTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(u.body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Content-Type", "application/json")
	if h.secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", h.secret)
	}
	resp, err := s.opts.HTTP.Do(req)
	if err != nil {
		return "Connection failed"
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return "Wrong response from the webhook: " + resp.Status
	}
	return ""
}

// allow notes which updates the bot asks for; the caller holds the lock.
func (s *Server) allow(p params) {
	var kinds []string
	if raw, ok := p.values["allowed_updates"]; ok && json.Unmarshal([]byte(raw), &kinds) == nil {
		s.allowed = kinds
	}
}

// asked reports whether the bot asks for a kind of update: by default all that come here.
func (s *Server) asked(kind string) bool {
	return len(s.allowed) == 0 || slices.Contains(s.allowed, kind)
}
