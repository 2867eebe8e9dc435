package orchestrator

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/text"
)

// Limits of one request.
const (
	maxText     = 1 << 20  // bytes of text
	maxFile     = 64 << 20 // bytes of one file
	maxFiles    = 100
	maxName     = 255      // bytes of each part of a file's name, as file systems have it
	inlineText  = 16 << 10 // bytes; a longer text is stored as an artifact
	maxMessage  = 900_000  // bytes of a request as it travels, its files and its long text put aside
	acceptGrace = 30 * time.Second
)

// Submit makes a task of a request from the HTTP API or the CLI, by the same way as every other message, and
// returns once the task is in the journal. The same idempotency key gives the same task; if it was used for
// a different request, the error is a Conflict.
func (o *Orchestrator) Submit(ctx context.Context, channel string, req akitad.TaskRequest) (akitad.TaskID, error) {
	ask := strings.TrimSpace(req.Plan) == askWord
	if ask {
		req.Plan = ""
	}
	if err := o.check(req); err != nil {
		return "", err
	}
	m, err := o.message(ctx, channel, req)
	if err != nil {
		return "", err
	}
	m.PlanAsk = ask
	if err := o.checkKey(ctx, m, req, ask); err != nil {
		return "", err
	}
	if err := o.checkDay(ctx, m); err != nil {
		return "", err
	}
	body, err := json.Marshal(m)
	if err == nil && len(body) > maxMessage {
		err = akitad.Errorf(akitad.InvalidRequest, "the request has %d bytes beside its text and its files, at most %d are taken", len(body), maxMessage).
			WithHint("put long material into a file and refer to it")
	}
	if err != nil {
		return "", err
	}
	if err := o.Bus.PublishIn(ctx, channel, m.ID, body); err != nil {
		return "", fmt.Errorf("hand the task in: %w", err)
	}
	wctx, cancel := context.WithTimeoutCause(ctx, acceptGrace, akitad.Errorf(akitad.Overloaded, "the task is stored but was not accepted within %s", acceptGrace))
	defer cancel()
	t, err := o.Journal.Wait(wctx, m.Task, (*journal.Task).Exists)
	if err == nil {
		err = o.sameRequest(t, m, req, ask) // another request with the same key may have been faster
	}
	return m.Task, err
}

// check refuses a request that cannot become a task, with a hint what to change.
func (o *Orchestrator) check(req akitad.TaskRequest) error {
	var errs []error
	bad := func(hint, format string, args ...any) {
		errs = append(errs, akitad.Errorf(akitad.InvalidRequest, format, args...).WithHint(hint))
	}
	if akitad.Blank(req.Text) && req.Flow == "" && req.Plan == "" {
		bad("say what is wanted in text, or name a flow", "the text is empty")
	}
	if len(req.Text) > maxText {
		bad("put long material into a file and refer to it", "the text has %d bytes, at most %d are taken", len(req.Text), maxText)
	}
	if len(req.Files) > maxFiles {
		bad("put them into fewer files", "%d files were given, at most %d are taken", len(req.Files), maxFiles)
	}
	if !req.Priority.Valid() {
		bad("use high, normal or low", "there is no priority %q", req.Priority)
	}
	if req.Profile != "" {
		if _, err := o.Profiles.Find(req.Profile); err != nil {
			bad(akitad.FailureOf(err).Hint, "%w", err)
		}
	}
	if o.Models != nil {
		if err := o.Models.Check(req.Model, req.Tags); err != nil {
			errs = append(errs, err)
		}
	}
	if len(req.Params) > 0 && req.Plan == "" && req.Flow == "" {
		bad("name the flow, or say the values in the text", "params were given, and no flow that takes them")
	}
	if err := checkFiles(req.Files); err != nil {
		errs = append(errs, err)
	}
	if req.Plan != "" && req.Flow != "" {
		bad("give one of the two", "both a plan and a flow were given")
	}
	if word := strings.TrimSpace(req.Plan); word != "" && !strings.ContainsAny(word, " \t\n:{[") {
		bad("the only word is ask, which shows the plan for approval first; a plan of your own is YAML with steps", "plan: %q is no plan", word)
	} else if err := o.checkPlan(req); err != nil {
		errs = append(errs, err)
	}
	if err := checkSchema(req.OutputSchema); err != nil {
		bad("give a JSON Schema object", "output_schema: %w", err)
	}
	return errors.Join(errs...)
}

// checkSchema refuses an output schema that cannot be used.
func checkSchema(raw akitad.RawJSON) error {
	if len(raw) == 0 {
		return nil
	}
	var schema map[string]any
	if err := json.Unmarshal(raw, &schema); err != nil {
		return errors.New("it is no object")
	}
	return plan.CheckSchema(schema)
}

// checkFiles refuses files whose name or content is ambiguous or cannot be used.
func checkFiles(files []akitad.InputFile) error {
	seen := map[string]bool{}
	for _, f := range files {
		name := nameOf(f)
		switch {
		case f.Path != "" && len(f.Content) > 0: // some clients send every field, empty ones too
			return akitad.Errorf(akitad.InvalidRequest, "the file %q has both a content and a path", name).WithHint("give one of the two")
		case f.Path != "" && !filepath.IsAbs(f.Path):
			return akitad.Errorf(akitad.InvalidRequest, "the path %q is relative, and it is not known to which folder", f.Path).
				WithHint("give the absolute path of a file on the daemon's machine, or a name and content")
		case !validName(name) || strings.ContainsFunc(name, unicode.IsControl):
			return akitad.Errorf(akitad.InvalidRequest, "%.80q cannot be a file's name", name).
				WithHint(fmt.Sprintf("use a relative name without .. or control characters, of parts of at most %d bytes", maxName))
		case seen[filepath.Clean(name)]:
			return akitad.Errorf(akitad.InvalidRequest, "two files are called %q", name).WithHint("give each a name of its own, with folders in it where that helps: a/x.csv")
		}
		seen[filepath.Clean(name)] = true
	}
	return nil
}

// nameOf returns the name of a given file in the task's folder.
func nameOf(f akitad.InputFile) string {
	if f.Name == "" && f.Path != "" {
		return filepath.Base(f.Path)
	}
	return f.Name
}

// checkPlan parses the plan or flow of a request, so that a bad one is refused before there is a task.
func (o *Orchestrator) checkPlan(req akitad.TaskRequest) error {
	src, err := o.planSource(req.Plan, req.Flow)
	if err != nil || src == "" {
		return err
	}
	_, err = o.readPlan(src, req.Params)
	return err
}

// planSource returns the YAML of the plan or flow that a task is to run, "" if it is to be planned.
func (o *Orchestrator) planSource(given, flow string) (string, error) {
	if given != "" || flow == "" {
		return given, nil
	}
	f, err := o.flows().Find(flow)
	return f.Source, err
}

// readPlan parses and validates a person's plan.
func (o *Orchestrator) readPlan(src string, params map[string]any) (akitad.Plan, error) {
	if params == nil {
		params = map[string]any{} // no parameters were given; nil would mean that they are not checked
	}
	p, err := plan.Check(src, o.knownFor(params))
	if err != nil {
		hint := "mend the plan and try again"
		if _, perr := plan.Check(src, o.knownFor(nil)); perr == nil { // the plan is valid; only the parameters are wrong
			hint = "correct the parameter and try again"
			if found, ok := errors.AsType[plan.Problems](err); ok {
				err = found
			}
		}
		return p, &akitad.Error{Kind: akitad.InvalidRequest, Err: err, Hint: hint}
	}
	return p, nil
}

// message turns the request into a message. Files and a long text are stored as artifacts first.
func (o *Orchestrator) message(ctx context.Context, channel string, req akitad.TaskRequest) (akitad.Message, error) {
	event := req.IdempotencyKey
	if event == "" {
		event = rand.Text()
	}
	m := akitad.Message{
		ID: channel + ":" + akitad.Digest(channel, event), Task: akitad.DeriveTaskID(channel, event), Text: req.Text,
		Origin:  akitad.Origin{Channel: cmp.Or(req.Via, channel), Lang: req.Lang},
		Profile: req.Profile, Model: req.Model, Tags: req.Tags, Flow: req.Flow, Plan: req.Plan, Params: req.Params, Schema: req.OutputSchema, Budget: req.Budget,
		Priority: req.Priority, Offline: req.Offline, At: time.Now().UTC(),
	}
	if m.Origin.Lang == "" {
		m.Origin.Lang = string(text.Detect(req.Text))
	}
	if req.Session != "" {
		m.Session = akitad.DeriveSessionKey(channel, req.Session)
	}
	if err := o.pin(&m); err != nil {
		return m, err
	}
	if err := o.putChat(ctx, &m, req.Chat); err != nil {
		return m, err
	}
	for _, f := range req.Files {
		file, err := o.storeFile(ctx, f)
		if err != nil {
			return m, err
		}
		m.Files = append(m.Files, file)
	}
	if len(m.Text) > inlineText {
		ref, err := o.Bus.PutArtifact(ctx, []byte(m.Text))
		if err != nil {
			return m, err
		}
		m.Text, m.TextRef = "", ref
	}
	return m, nil
}

// storeFile stores a given file as an artifact. It is placed in the folder, read-only, when the task is
// claimed.
func (o *Orchestrator) storeFile(ctx context.Context, f akitad.InputFile) (akitad.File, error) {
	name, body := nameOf(f), f.Content
	if f.Path != "" {
		info, err := os.Stat(f.Path)
		switch {
		case err != nil:
			return akitad.File{}, akitad.Errorf(akitad.InvalidRequest, "file %q: %w", f.Path, err).WithHint("name a file that exists and can be read")
		case !info.Mode().IsRegular():
			return akitad.File{}, akitad.Errorf(akitad.InvalidRequest, "%q is not a regular file", f.Path).WithHint("name each file on its own")
		case info.Size() > maxFile:
			return akitad.File{}, tooLarge(f.Path, info.Size())
		}
		if body, err = os.ReadFile(f.Path); err != nil {
			return akitad.File{}, akitad.Errorf(akitad.InvalidRequest, "file %q: %w", f.Path, err)
		}
	}
	if len(body) > maxFile {
		return akitad.File{}, tooLarge(name, int64(len(body)))
	}
	hash, err := o.Bus.PutArtifact(ctx, body)
	return akitad.File{Name: filepath.ToSlash(name), Artifact: hash, Size: int64(len(body)), Mode: "ro"}, err
}

// validName reports whether a file below a folder can have that name.
func validName(name string) bool {
	long := func(part string) bool { return len(part) > maxName }
	return filepath.IsLocal(name) && name != "." && !strings.ContainsRune(name, 0) && len(name) <= 4*maxName &&
		!slices.ContainsFunc(strings.Split(name, "/"), long)
}

func tooLarge(name string, size int64) error {
	return akitad.Errorf(akitad.InvalidRequest, "file %q has %d bytes, at most %d are taken", name, size, maxFile).WithHint("split it, or give the part that matters")
}
