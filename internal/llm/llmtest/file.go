package llmtest

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/goccy/go-yaml"
)

// scriptFile is a script as YAML, for a server that runs as a process of its own.
type scriptFile struct {
	Rules  []fileRule  `yaml:"rules"`
	Faults []fileFault `yaml:"faults"` // committed once each, in order; times 0 means always
}

type fileRule struct {
	Role   string     `yaml:"role"`
	Task   string     `yaml:"task"`
	Says   string     `yaml:"says"`   // in any user message
	Begins string     `yaml:"begins"` // in the first user message
	System string     `yaml:"system"`
	Offers string     `yaml:"offers"` // name of a tool
	Mode   string     `yaml:"mode"`   // round (default), order, task, always
	Turns  []fileTurn `yaml:"turns"`
}

type fileTurn struct {
	Text   string     `yaml:"text"`
	Calls  []fileCall `yaml:"calls"`
	Status int        `yaml:"status"`
	Wait   string     `yaml:"wait"` // Go duration
	Hang   bool       `yaml:"hang"`
}

type fileCall struct {
	Tool string         `yaml:"tool"`
	Args map[string]any `yaml:"args"`
}

type fileFault struct {
	Status     int    `yaml:"status"`
	RetryAfter string `yaml:"retry_after"`
	Hang       bool   `yaml:"hang"`
	HangAfter  int    `yaml:"hang_after"` // chunks
	CutAfter   int    `yaml:"cut_after"`  // chunks
	Times      int    `yaml:"times"`
}

// Load reads a script file. Rules have the conditions role, task, says, begins, system and offers,
// all of which must hold; mode is round (the default), order, task or always; a turn has text, calls
// (tool, args), status, wait or hang. faults come before the script: status, retry_after, hang,
// hang_after, cut_after, times (0: every time).
func Load(path string) (*Script, []Fault, []Fault, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	var f scriptFile
	if err := yaml.UnmarshalWithOptions(data, &f, yaml.Strict()); err != nil {
		return nil, nil, nil, fmt.Errorf("script %s: %w", path, err)
	}
	s := New(nil)
	for i, r := range f.Rules {
		if err := r.addTo(s); err != nil {
			return nil, nil, nil, fmt.Errorf("script %s: rule %d: %w", path, i+1, err)
		}
	}
	once, always := f.faults()
	return s, once, always, nil
}

func (f scriptFile) faults() (once, always []Fault) {
	for _, ff := range f.Faults {
		if ff.Times == 0 {
			always = append(always, ff.fault())
		}
		for range ff.Times {
			once = append(once, ff.fault())
		}
	}
	return once, always
}

func (f fileFault) fault() Fault {
	out := Fault{status: f.Status, hang: f.Hang, after: f.HangAfter, leave: hanging}
	if f.CutAfter > 0 {
		out.after, out.leave = f.CutAfter, cutting
	}
	if f.RetryAfter != "" {
		out.header = RetryAfter(0, f.RetryAfter).header
	}
	return out
}

func (r fileRule) addTo(s *Script) error {
	how := mode(r.Mode)
	switch how {
	case "":
		how = byRound
	case byRound, inOrder, perTask, forever:
	default:
		return fmt.Errorf("unknown mode %q: use round, order, task or always", r.Mode)
	}
	if len(r.Turns) == 0 {
		return fmt.Errorf("no turns")
	}
	turns := make([]Turn, len(r.Turns))
	for i, t := range r.Turns {
		var err error
		if turns[i], err = t.turn(); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	s.add(r.match(), how, turns)
	return nil
}

func (r fileRule) match() Match {
	var all []Match
	for _, c := range []struct {
		value string
		make  func(string) Match
	}{
		{r.Role, func(s string) Match { return Role(llm.Role(s)) }},
		{r.Task, func(s string) Match { return Task(akitad.TaskID(s)) }},
		{r.Says, Says},
		{r.Begins, Begins},
		{r.System, System},
		{r.Offers, Offers},
	} {
		if c.value != "" {
			all = append(all, c.make(c.value))
		}
	}
	return All(all...)
}

func (t fileTurn) turn() (Turn, error) {
	out := Text(t.Text)
	if len(t.Calls) > 0 {
		calls := make([]akitad.Call, len(t.Calls))
		for i, c := range t.Calls {
			args, err := json.Marshal(c.Args)
			if err != nil {
				return out, fmt.Errorf("arguments of %s: %w", c.Tool, err)
			}
			if c.Args == nil {
				args = nil
			}
			calls[i] = akitad.Call{Tool: c.Tool, Args: args}
		}
		out = Calls(calls...).Saying(t.Text)
	}
	if t.Status != 0 {
		out = out.With(Status(t.Status, ""))
	}
	if t.Hang {
		out = out.With(Hang())
	}
	if t.Wait != "" {
		d, err := time.ParseDuration(t.Wait)
		if err != nil {
			return out, err
		}
		out = out.With(Slow(d))
	}
	return out, nil
}
