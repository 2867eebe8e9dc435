package incident

import (
	"fmt"
	"time"
)

// note writes deploy.md: the deploy before the outage, and an older one that has nothing to do
// with it.
func (w *world) note() Log {
	d := &w.truth.Deploy
	d.File = "deploy.md"
	d.Time, d.Change = w.deploy, w.cause.Change
	major, minor := 1+w.rng.IntN(4), 1+w.rng.IntN(20)
	d.Version = fmt.Sprintf("%d.%d.0", major, minor+1)
	d.Service = w.cfg.Services[w.root]
	id := 4000 + w.rng.IntN(900)
	lines := []string{
		"# Deploys",
		"",
		fmt.Sprintf("## Deploy %d", id),
		"",
		"- Service: " + d.Service,
		"- Time: " + d.Time.Format(time.RFC3339),
		fmt.Sprintf("- Version: %d.%d.0 -> %s", major, minor, d.Version),
		"- Change: " + d.Change,
		"",
		fmt.Sprintf("## Deploy %d", id-1),
		"",
		"- Service: " + w.cfg.Services[0],
		"- Time: " + d.Time.Add(-26*time.Hour).Format(time.RFC3339),
		fmt.Sprintf("- Version: %d.%d.0 -> %d.%d.0", major, minor-1, major, minor),
		"- Change: help texts corrected",
	}
	d.TimeLine, d.ChangeLine = 6, 8
	return Log{d.File, lines}
}
