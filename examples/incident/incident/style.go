package incident

import (
	"encoding/json"
	"fmt"
	"strings"
)

// style writes records in one of the formats.
type style struct {
	format  Format
	seed    uint64
	service string
	pid     int
}

func newStyle(cfg Config, service string) style {
	return style{cfg.Format, cfg.Seed, service, 400 + int(cfg.Seed%500)}
}

// level is the record's level as its line tells it; a request in a web server's log has none.
func (s style) level(r record) string {
	if s.format == Nginx && r.template == "" {
		return ""
	}
	return r.level
}

func (s style) line(r record) string {
	switch s.format {
	case Syslog:
		return s.syslog(r)
	case JSON:
		return s.json(r)
	case Nginx:
		return s.nginx(r)
	}
	return fmt.Sprintf("%s %-5s %s", r.at.Format("2006-01-02T15:04:05.000Z07:00"), r.level, s.text(r))
}

// text is the message with its fields behind it.
func (s style) text(r record) string {
	if r.template != "" {
		return r.message + " request_id=" + r.id
	}
	return fmt.Sprintf("%s %s status=%d duration_ms=%d request_id=%s", r.method, r.path, r.status, r.ms, r.id)
}

// syslog tells the level by the priority for even seeds, by a word for odd ones.
func (s style) syslog(r record) string {
	severity := map[string]int{"INFO": 6, "WARN": 4, "ERROR": 3}[r.level]
	at := r.at.Format("Jan _2 15:04:05")
	if s.seed%2 == 0 {
		return fmt.Sprintf("<%d>%s node-1 %s[%d]: %s", 16*8+severity, at, s.service, s.pid, s.text(r))
	}
	return fmt.Sprintf("%s node-1 %s[%d]: %s: %s", at, s.service, s.pid, r.level, s.text(r))
}

// json names its keys in one of three ways.
func (s style) json(r record) string {
	keys := [][3]string{{"ts", "level", "msg"}, {"time", "severity", "message"}, {"@timestamp", "log.level", "message"}}[s.seed%3]
	level := r.level
	if s.seed%3 == 0 {
		level = strings.ToLower(level)
	}
	parts := []string{pair(keys[0], r.at.Format("2006-01-02T15:04:05.000Z07:00")), pair(keys[1], level), pair("service", s.service)}
	if r.template != "" {
		parts = append(parts, pair(keys[2], r.message))
	} else {
		parts = append(parts, pair(keys[2], r.method+" "+r.path), fmt.Sprintf(`"status":%d,"duration_ms":%d`, r.status, r.ms))
	}
	return "{" + strings.Join(append(parts, pair("request_id", r.id)), ",") + "}"
}

func pair(key, value string) string {
	k, _ := json.Marshal(key)
	v, _ := json.Marshal(value)
	return string(k) + ":" + string(v)
}

func (s style) nginx(r record) string {
	if r.template != "" {
		level := strings.ToLower(r.level)
		return fmt.Sprintf("%s [%s] %d#%d: *%d %s, client: %s, server: %s, request: \"GET /%s HTTP/1.1\"",
			r.at.Format("2006/01/02 15:04:05"), level, s.pid, s.pid, 1000+len(r.message), r.message, r.client, s.service, s.service)
	}
	return fmt.Sprintf("%s - - [%s] \"%s %s HTTP/1.1\" %d %d \"-\" \"curl/8.5\" %.3f", r.client,
		r.at.Format("02/Jan/2006:15:04:05 -0700"), r.method, r.path, r.status, 100+r.ms%50, float64(r.ms)/1000)
}
