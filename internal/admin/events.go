package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/journal"
)

// heartbeat keeps proxies from closing a quiet stream, and tells a reader that the daemon lives.
const heartbeat = 15 * time.Second

// events streams the task's journal from Last-Event-ID on, and live text between; it ends after the
// task's end.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	t, err := s.load(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	after, err := lastEventID(r)
	if err != nil {
		return err
	}
	n := newNarrator(t, after)
	if t.Final() {
		return s.past(w, r, n)
	}
	if r.Method == http.MethodHead { // of a stream there is no end to wait for
		return write(w, "text/event-stream", nil)
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	lines := make(chan string, 64)
	stop, err := s.Bus.OnLive(ctx, string(t.ID), func(body []byte) { offer(lines, body) })
	if err != nil {
		return err
	}
	defer stop()
	told := make(chan struct{})
	go func() {
		defer close(told)
		err := s.Journal.Follow(ctx, t.ID, 0, func(e akitad.Event) bool { return n.tell(ctx, lines, e) })
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("event stream broke off", zap.String("task", string(t.ID)), zap.Error(err))
		}
	}()
	stream(ctx, w, lines, told)
	cancel()
	<-told
	return nil
}

// past gives the events of a task that has ended. With nothing left to give it answers 204, which
// tells readers of event streams not to connect again.
func (s *Server) past(w http.ResponseWriter, r *http.Request, n *narrator) error {
	var all strings.Builder
	over := false
	err := s.Journal.Events(r.Context(), n.fold.ID, 0, func(e akitad.Event) error {
		if over {
			return nil
		}
		line, err := n.line(e)
		all.WriteString(line)
		over = n.over()
		return err
	})
	if err != nil {
		return err
	}
	if all.Len() == 0 {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return write(w, "text/event-stream", []byte(all.String()))
}

func lastEventID(r *http.Request) (uint64, error) {
	id := r.Header.Get("Last-Event-ID")
	if id == "" {
		return 0, nil
	}
	after, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return 0, akitad.Errorf(akitad.InvalidRequest, "Last-Event-ID %q is not a number", id).WithHint("send the id of the last event you have")
	}
	return after, nil
}

// narrator puts events into words, folding them as it goes: an event that lost a race is in the
// stream and counts for nothing.
type narrator struct {
	fold    *journal.Task
	after   uint64
	retries int // an end before the last of these is not the task's
}

func newNarrator(t *journal.Task, after uint64) *narrator {
	return &narrator{fold: journal.NewTask(t.ID), after: after, retries: t.Retries}
}

// over reports the end of the task.
func (n *narrator) over() bool { return n.fold.Final() && n.fold.Retries >= n.retries }

// line gives the text of one event, "" for one that the reader has or that is void.
func (n *narrator) line(e akitad.Event) (string, error) {
	voided := n.fold.Voided
	if err := n.fold.Apply(e); err != nil {
		return "", err
	}
	if e.Seq <= n.after || n.fold.Voided > voided {
		return "", nil
	}
	body, err := json.Marshal(client.Event{Seq: e.Seq, Kind: e.Kind, At: e.At, By: e.By, Data: e.Data})
	return fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Kind, body), err
}

// tell passes one event on; false after the task's end.
func (n *narrator) tell(ctx context.Context, lines chan<- string, e akitad.Event) bool {
	line, err := n.line(e)
	if err != nil {
		return false
	}
	if line != "" {
		select {
		case lines <- line:
		case <-ctx.Done():
			return false
		}
	}
	return !n.over()
}

// offer passes live text on unless the reader is slow: it may miss partial text, never an event.
func offer(lines chan<- string, text []byte) {
	body, err := json.Marshal(struct {
		Text string `json:"text"`
	}{string(text)})
	if err != nil {
		return
	}
	select {
	case lines <- "event: live\ndata: " + string(body) + "\n\n":
	default:
	}
}

// stream writes lines until told is closed and none is left, the reader is gone, or ctx ends.
func stream(ctx context.Context, w http.ResponseWriter, lines <-chan string, told <-chan struct{}) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		if err := out.Flush(); err != nil {
			return
		}
		line := ": still here\n\n"
		select {
		case line = <-lines:
		case <-beat.C:
		case <-told:
			if len(lines) == 0 {
				return
			}
			line = <-lines
		case <-ctx.Done():
			return
		}
		if _, err := w.Write([]byte(line)); err != nil {
			return
		}
	}
}
