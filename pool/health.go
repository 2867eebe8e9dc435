package pool

import (
	"context"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
)

// HealthName returns the name under which the health of a profile is stored.
func HealthName(profile string) string { return "profile." + profile }

// settled counts a task's end for its profile, in the pool and in the health that all nodes share. An end in
// an error, at a limit or in a loop is a failure. A plan's single call does not count, since it says
// nothing about the profile's agent.
func (w *Worker) settled(ctx context.Context, t *journal.Task, profile string, failure *akitad.Failure) {
	w.Pool.Settled(profile, failure == nil)
	if w.Health == nil || oneCall(t) {
		return
	}
	var err error
	if failure == nil {
		err = w.Health.Succeeded(ctx, HealthName(profile))
	} else {
		_, err = w.Health.Failed(ctx, HealthName(profile), time.Now(), failure.Kind, failure.Message)
	}
	if err != nil {
		w.Log.Warn("profile health cannot be written", zap.String("profile", profile), zap.Error(err))
	}
}

// oneCall reports whether the task is a tool or model step of a plan.
func oneCall(t *journal.Task) bool { return t.Sub.Step != nil && t.Sub.Step.Kind() != "agent" }

// health returns the health of a profile; if it cannot be read, the profile counts as healthy.
func (w *Worker) health(ctx context.Context, profile string) fallback.Health {
	if w.Health == nil {
		return fallback.Health{}
	}
	h, err := w.Health.Health(ctx, HealthName(profile))
	if err != nil {
		w.Log.Warn("profile health cannot be read", zap.String("profile", profile), zap.Error(err))
	}
	return h
}

// healthyFirst returns a fallback chain with its degraded profiles last.
func (w *Worker) healthyFirst(ctx context.Context, chain []string) []string {
	var good, bad []string
	for _, name := range chain {
		if w.health(ctx, name).Degraded() {
			bad = append(bad, name)
		} else {
			good = append(good, name)
		}
	}
	return slices.Concat(good, bad)
}

// insteadOf returns the healthy agent to which a task goes that has not begun and whose own profile is
// degraded. ok is false if there is none, or if this task is the probe of the degraded profile.
func (w *Worker) insteadOf(ctx context.Context, t *journal.Task, p akitad.Profile) (to string, h fallback.Health, ok bool) {
	if len(t.Rounds) > 0 || oneCall(t) {
		return "", h, false
	}
	if h = w.health(ctx, p.Name); !h.Degraded() {
		return "", h, false
	}
	to, ok = t.NextAgent(p.Name, p.Fallback, func(name string) bool {
		_, err := w.Profiles.Find(name)
		return err == nil && !w.health(ctx, name).Degraded()
	})
	if !ok {
		return "", h, false
	}
	probes, err := w.Health.TakeProbe(ctx, HealthName(p.Name), time.Now())
	if err != nil {
		w.Log.Warn("profile health cannot be written", zap.String("profile", p.Name), zap.Error(err))
	}
	return to, h, !probes
}

// divert hands a task whose profile is degraded to a healthy agent before it begins. It returns false if the
// task stays here.
func (w *Worker) divert(ctx context.Context, c *claim.Claim, i *Instance) (bool, error) {
	to, h, ok := w.insteadOf(ctx, c.Snapshot(), i.Profile)
	if !ok {
		return false, nil
	}
	reason := "degraded since " + h.Since.UTC().Format(time.RFC3339) + ": " + h.Reason
	d := akitad.Degradation{Layer: "agent", From: i.Profile.Name, To: to, Kind: h.Kind, Reason: reason}
	w.decision(ctx, "agent", []string{i.Profile.Name, to}, to, reason)
	return true, w.moot(ctx, c, i, c.AppendIf(ctx, journal.Woken, journal.WokenData{Reason: "next agent", To: to, Degraded: &d}, wanted))
}
