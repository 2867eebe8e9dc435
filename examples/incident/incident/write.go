package incident

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// record is one thing that a service logs.
type record struct {
	at       time.Time
	level    string // INFO WARN ERROR
	template string // of a message; empty for a request
	message  string
	method   string
	path     string
	status   int
	ms       int
	client   string
	id       string
}

// logWriter writes the log of one service and counts.
type logWriter struct {
	w     *world
	plan  outage
	rng   *rand.Rand
	log   Log
	truth Service
	top   map[string]*Message
	style style
}

func (w *world) writeLog(plan outage, rng *rand.Rand) (Log, Service) {
	lw := &logWriter{w: w, plan: plan, rng: rng, top: map[string]*Message{}, style: newStyle(w.cfg, plan.service)}
	name := plan.service + ".log"
	lw.log.Name = name
	lw.truth = Service{
		Name: plan.service, File: name, Failed: len(plan.errors) > 0, Levels: map[string]int{},
		PerMinute: map[string]int{}, ErrorsPerMinute: map[string]int{},
	}
	for m := range minutes {
		lw.minute(w.start.Add(time.Duration(m) * time.Minute))
	}
	lw.closeTruth()
	return lw.log, lw.truth
}

// minute writes 40 to 60 records at rising times.
func (l *logWriter) minute(at time.Time) {
	n := 40 + l.rng.IntN(21)
	offsets := make([]int, n)
	for i := range offsets {
		offsets[i] = l.rng.IntN(60_000)
	}
	slices.Sort(offsets)
	for _, ms := range offsets {
		l.write(l.record(at.Add(time.Duration(ms) * time.Millisecond)))
	}
}

func (l *logWriter) record(at time.Time) record {
	failing := !l.plan.from.IsZero() && !at.Before(l.plan.from) && at.Before(l.plan.to)
	switch dice := l.rng.IntN(1000); {
	case failing && dice < 350:
		return l.failure(at)
	case dice > 997:
		return l.message(at, "ERROR", noise[l.rng.IntN(len(noise))])
	case dice > 985:
		return l.message(at, "WARN", warnings[l.rng.IntN(len(warnings))])
	}
	return l.request(at)
}

// failure is mostly the first of the outage's errors.
func (l *logWriter) failure(at time.Time) record {
	i := 0
	if l.rng.IntN(4) == 0 {
		i = l.rng.IntN(len(l.plan.errors))
	}
	r := l.message(at, "ERROR", l.plan.errors[i])
	l.outage(r)
	return r
}

func (l *logWriter) outage(r record) {
	e := &Event{r.at, len(l.log.Lines) + 1, r.message}
	if l.truth.FailedFrom == nil {
		l.truth.FailedFrom = e
	}
	l.truth.FailedTo = e
}

func (l *logWriter) message(at time.Time, level, template string) record {
	return record{at: at, level: level, template: template, message: l.fill(template), id: l.hexID(), client: l.client()}
}

func (l *logWriter) request(at time.Time) record {
	status, ms := 200, 5+l.rng.IntN(200)
	switch dice := l.rng.IntN(1000); {
	case dice < 30:
		status = 404
	case dice < 60:
		status = 304
	case dice < 66:
		ms = 1000 + l.rng.IntN(8000)
	}
	p := strings.ReplaceAll(paths[l.rng.IntN(len(paths))], "{s}", l.plan.service)
	method := "GET"
	if l.rng.IntN(5) == 0 {
		method = "POST"
	}
	return record{at: at, level: "INFO", method: method, path: l.fill(p), status: status, ms: ms, id: l.hexID(), client: l.client()}
}

// fill puts values where a template has {n}, {d} and {id}.
func (l *logWriter) fill(t string) string {
	t = strings.ReplaceAll(t, "{n}", fmt.Sprint(10+l.rng.IntN(9000)))
	t = strings.ReplaceAll(t, "{d}", fmt.Sprint(1+l.rng.IntN(9)))
	return strings.ReplaceAll(t, "{id}", l.hexID())
}

// hexID has both digits and letters.
func (l *logWriter) hexID() string {
	return fmt.Sprintf("%07xa%d", l.rng.IntN(1<<28), l.rng.IntN(10))
}

func (l *logWriter) client() string {
	return fmt.Sprintf("10.%d.%d.%d", l.rng.IntN(4), l.rng.IntN(250), 1+l.rng.IntN(250))
}

// write adds the record's line and counts it.
func (l *logWriter) write(r record) {
	line := len(l.log.Lines) + 1
	l.log.Lines = append(l.log.Lines, l.style.line(r))
	minute := r.at.Format("2006-01-02 15:04")
	l.truth.Lines++
	l.truth.PerMinute[minute]++
	if level := l.style.level(r); level != "" {
		l.truth.Levels[level]++
	}
	if r.template == "" {
		l.countRequest(r, line)
		return
	}
	if r.level == "ERROR" {
		l.truth.ErrorsPerMinute[minute]++
		l.countError(r, line)
	}
}

func (l *logWriter) countRequest(r record, line int) {
	if l.truth.Statuses == nil {
		l.truth.Statuses = map[string]int{}
	}
	l.truth.Statuses[fmt.Sprint(r.status)]++
	if r.ms > l.truth.Slowest.MS {
		l.truth.Slowest = Slowest{r.ms, line}
	}
}

func (l *logWriter) countError(r record, line int) {
	l.truth.Errors++
	e := &Event{r.at, line, r.message}
	if l.truth.FirstError == nil {
		l.truth.FirstError = e
	}
	l.truth.LastError = e
	m, ok := l.top[r.template]
	if !ok {
		m = &Message{Template: r.template, First: line}
		l.top[r.template] = m
	}
	m.Count++
	m.Last = line
}

func (l *logWriter) closeTruth() {
	for _, m := range l.top {
		l.truth.TopErrors = append(l.truth.TopErrors, *m)
	}
	slices.SortFunc(l.truth.TopErrors, func(a, b Message) int {
		return cmp.Or(b.Count-a.Count, a.First-b.First)
	})
}
