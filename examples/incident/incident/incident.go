// Package incident makes the logs of an invented outage, the note of the deploy that caused it, and
// the truth about both. The truth is counted while the lines are written, never read back from them.
package incident

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Format is how the logs are written.
type Format string

// The formats: ISO times and level words; syslog with and without a priority; JSON lines; the mixed
// access and error log of a web server.
const (
	Plain  Format = "plain"
	Syslog Format = "syslog"
	JSON   Format = "json"
	Nginx  Format = "nginx"
)

// Formats lists the four.
var Formats = []Format{Plain, Syslog, JSON, Nginx}

// Config says what to make. Seed decides all that is left open; the same Config gives the same
// bytes.
type Config struct {
	Seed     uint64
	Format   Format
	Services []string  // at least one; default three of the house's names
	Causes   []Cause   // what a deploy may change and which errors follow; default the built-in ones
	Day      time.Time // the day of the outage; default depends on the seed
}

// Incident is what Generate makes: one log per service, a note, the truth.
type Incident struct {
	Logs  []Log
	Note  Log
	Truth Truth
}

// Log is one file.
type Log struct {
	Name  string
	Lines []string
}

// minutes is how long the logs run; deployAt and the outage lie well inside.
const minutes = 60

// world is one incident being made.
type world struct {
	cfg    Config
	rng    *rand.Rand
	start  time.Time
	deploy time.Time
	cause  Cause
	root   int // which service was deployed, and fails first
	truth  Truth
}

// Generate makes the incident of cfg, or says what is wrong with cfg.
func Generate(cfg Config) (Incident, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return Incident{}, err
	}
	w := newWorld(cfg)
	inc := Incident{Note: w.note()}
	for i, plan := range w.plans() {
		log, truth := w.writeLog(plan, rand.New(rand.NewPCG(cfg.Seed, uint64(i)+100)))
		inc.Logs = append(inc.Logs, log)
		w.truth.Services = append(w.truth.Services, truth)
	}
	inc.Truth = w.truth
	return inc, nil
}

func (c Config) complete() (Config, error) {
	if c.Format == "" {
		c.Format = Plain
	}
	switch c.Format {
	case Plain, Syslog, JSON, Nginx:
	default:
		return c, fmt.Errorf("format %q is unknown: plain, syslog, json or nginx", c.Format)
	}
	if len(c.Services) == 0 {
		c.Services = []string{"storefront", "checkout", "ledger"}
	}
	if len(c.Causes) == 0 {
		c.Causes = causes
	}
	if c.Day.IsZero() {
		c.Day = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(c.Seed*37%240))
	}
	return c, nil
}

func newWorld(cfg Config) *world {
	rng := rand.New(rand.NewPCG(cfg.Seed, 7))
	w := &world{cfg: cfg, rng: rng}
	w.start = cfg.Day.Add(time.Duration(6+rng.IntN(14)) * time.Hour)
	w.deploy = w.start.Add(time.Duration(18+rng.IntN(12))*time.Minute + time.Duration(rng.IntN(60))*time.Second)
	w.cause = cfg.Causes[rng.IntN(len(cfg.Causes))]
	w.root = rng.IntN(len(cfg.Services))
	w.truth = Truth{Seed: cfg.Seed, Format: cfg.Format}
	return w
}

// outage is what befalls one service: nothing, its own errors, or those of one that it calls.
type outage struct {
	service string
	errors  []string // templates, the first the most frequent; empty for a healthy service
	from    time.Time
	to      time.Time
}

// plans decides who fails: the deployed service, and some of those that call it, later.
func (w *world) plans() []outage {
	services := w.cfg.Services
	root := w.root
	plans := make([]outage, len(services))
	from := w.deploy.Add(time.Duration(20+w.rng.IntN(150)) * time.Second)
	to := from.Add(time.Duration(10+w.rng.IntN(12)) * time.Minute)
	spared := -1
	if len(services) > 2 {
		spared = (root + 1 + w.rng.IntN(len(services)-1)) % len(services)
	}
	for i, s := range services {
		plans[i].service = s
		switch {
		case i == root:
			plans[i] = outage{s, w.cause.Errors, from, to}
		case i != spared && w.rng.IntN(3) > 0:
			late := time.Duration(30+w.rng.IntN(90)) * time.Second
			plans[i] = outage{s, callErrors(services[root]), from.Add(late), to.Add(late)}
		}
	}
	return plans
}

// callErrors are those of a service whose call to another fails.
func callErrors(callee string) []string {
	return []string{
		"call to " + callee + " failed: context deadline exceeded after {n}ms",
		"giving up on " + callee + " after {d} attempts",
	}
}
