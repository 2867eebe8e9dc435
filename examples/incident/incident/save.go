package incident

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Save writes the logs and the note into dir, which is made if needed, and the truth into the file
// truth, which should not lie in dir: who looks for the cause must not find the answer. An empty
// truth is not written.
func (inc Incident) Save(dir, truth string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("save incident: %w", err)
	}
	for _, f := range append(inc.Logs, inc.Note) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Bytes(), 0o644); err != nil {
			return fmt.Errorf("save incident: %w", err)
		}
	}
	if truth == "" {
		return nil
	}
	text, err := json.MarshalIndent(inc.Truth, "", "  ")
	if err != nil {
		return fmt.Errorf("save truth: %w", err)
	}
	if err := os.WriteFile(truth, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("save truth: %w", err)
	}
	return nil
}

// Bytes returns the file's content.
func (l Log) Bytes() []byte { return []byte(strings.Join(l.Lines, "\n") + "\n") }
