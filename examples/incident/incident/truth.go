package incident

import "time"

// Truth is what an answer about the incident is measured by.
type Truth struct {
	Seed     uint64    `json:"seed"`
	Format   Format    `json:"format"`
	Deploy   Deploy    `json:"deploy"`
	Services []Service `json:"services"`
}

// Deploy is the change before the outage, and the lines of the note that tell of it.
type Deploy struct {
	File       string    `json:"file"`
	Service    string    `json:"service"`
	Time       time.Time `json:"time"`
	TimeLine   int       `json:"time_line"`
	Version    string    `json:"version"`
	Change     string    `json:"change"`
	ChangeLine int       `json:"change_line"`
}

// Service is the truth about one log.
type Service struct {
	Name            string         `json:"name"`
	File            string         `json:"file"`
	Lines           int            `json:"lines"`
	Levels          map[string]int `json:"levels"`             // as written; access lines have none
	Statuses        map[string]int `json:"statuses,omitempty"` // of requests
	PerMinute       map[string]int `json:"per_minute"`         // lines, by 2006-01-02 15:04
	ErrorsPerMinute map[string]int `json:"errors_per_minute"`
	Errors          int            `json:"errors"`
	FirstError      *Event         `json:"first_error,omitempty"`
	LastError       *Event         `json:"last_error,omitempty"`
	TopErrors       []Message      `json:"top_errors"` // by count, then by first line
	Slowest         Slowest        `json:"slowest"`
	Failed          bool           `json:"failed"`
	FailedFrom      *Event         `json:"failed_from,omitempty"` // the outage's first and last error
	FailedTo        *Event         `json:"failed_to,omitempty"`
}

// Event is one line of a log.
type Event struct {
	Time    time.Time `json:"time"`
	Line    int       `json:"line"`
	Message string    `json:"message"`
}

// Message is an error's template, with {n} {d} {id} where lines differ, and how often it is there.
type Message struct {
	Template string `json:"template"`
	Count    int    `json:"count"`
	First    int    `json:"first"` // line numbers
	Last     int    `json:"last"`
}

// Slowest is the request that took longest; of several the first.
type Slowest struct {
	MS   int `json:"ms"`
	Line int `json:"line"`
}
