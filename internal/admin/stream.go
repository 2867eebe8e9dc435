package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/akitad/akitad"
)

// ended is what came of waiting for a task.
type ended struct {
	task akitad.Task
	err  error
}

// stream answers in chunks: live text as it comes, then what is missing of the answer. From the first
// chunk on an error is a chunk too.
func (c *completion) stream(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	done := make(chan ended, 1)
	go func() {
		v, err := c.wait(ctx)
		done <- ended{v, err}
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	out := chunks{w, http.NewResponseController(w)}
	end, waiting := c.pass(out, done)
	if waiting { // the reader is gone
		cancel()
		end = <-done
	}
	if end.err != nil {
		c.left(r)
	}
	c.last(out, end)
	return nil
}

// pass writes live text until the task has an answer; waiting says that nobody reads any more.
func (c *completion) pass(out chunks, done <-chan ended) (end ended, waiting bool) {
	empty := ""
	if !out.data(c.delta(completionWords{Role: "assistant", Content: &empty})) {
		return end, true
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		ok := true
		select {
		case end = <-done:
			return end, false
		case <-c.said.news:
			ok = c.say(out, c.said.take())
		case <-beat.C:
			ok = out.raw(": still here\n\n")
		}
		if !ok {
			return end, true
		}
	}
}

// say writes a piece of text, if there is one.
func (c *completion) say(out chunks, text string) bool {
	return text == "" || out.data(c.delta(completionWords{Content: &text}))
}

func (c *completion) delta(words completionWords) completionOut {
	return c.out("chat.completion.chunk", completionChoice{Delta: &words})
}

// last writes what is missing of the answer, why it ended, and what it used; or what went wrong. Who has
// gone does not read it.
func (c *completion) last(out chunks, end ended) {
	text, err := "", end.err
	if err == nil {
		text, err = answerOf(end.task)
	}
	c.say(out, c.said.take())
	if err != nil {
		e, _ := asOpenAI(problem(err))
		out.data(map[string]openAIError{"error": e})
		return
	}
	c.say(out, c.said.rest(text))
	stop := c.out("chat.completion.chunk", completionChoice{Delta: &completionWords{}, Finish: finish(end.task)})
	stop.Akita = taskOf(end.task)
	out.data(stop)
	if c.in.StreamOptions.Usage {
		used := c.out("chat.completion.chunk")
		used.Usage = usageOf(end.task.Usage)
		out.data(used)
	}
	out.raw("data: [DONE]\n\n")
}

// chunks writes events, each at once.
type chunks struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// data writes one event; false if nobody reads any more.
func (c chunks) data(v any) bool {
	body, err := json.Marshal(v)
	return err == nil && c.raw("data: "+string(body)+"\n\n")
}

func (c chunks) raw(line string) bool {
	if _, err := c.w.Write([]byte(line)); err != nil {
		return false
	}
	return c.control.Flush() == nil
}
