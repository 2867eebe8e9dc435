package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
)

func logsCommand(env environment) *cobra.Command {
	var follow bool
	var lines int
	cmd := &cobra.Command{Use: "logs", Short: "Show the end of the log of this home", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		cfg, err := env.config()
		if err != nil {
			return err
		}
		if lines < 0 {
			return usage("--lines %d: write a number from 0 up", lines)
		}
		f, err := os.Open(cfg.Path.Log)
		if errors.Is(err, os.ErrNotExist) {
			return akitad.Errorf(akitad.NotFound, "there is no log yet at %s", cfg.Path.Log).WithHint("akitad serve and akitad run write it once there is something to say; AKITA_HOME says which home is looked at")
		}
		if err != nil {
			return err
		}
		if err := tail(f, env.Stdout, lines); err != nil || !follow {
			return errors.Join(err, f.Close())
		}
		return followLog(cmd.Context(), f, env.Stdout)
	}}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is added")
	cmd.Flags().IntVarP(&lines, "lines", "n", 50, "how many lines")
	return cmd
}

// tail copies the last n lines of a file and leaves it at its end.
func tail(f *os.File, w io.Writer, n int) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || n == 0 {
		return err
	}
	const piece = 64 << 10
	start, found := size, 0
	buf := make([]byte, piece)
	for start > 0 && found <= n {
		from := max(0, start-piece)
		part := buf[:start-from]
		if _, err := f.ReadAt(part, from); err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		for i := len(part) - 1; i >= 0 && found <= n; i-- {
			// The newest line's own end does not count.
			if part[i] == '\n' && from+int64(i) != size-1 {
				found++
			}
			if found < n {
				start = from + int64(i)
			} else if found == n {
				start, found = from+int64(i)+1, n+1
			}
		}
	}
	_, err = io.Copy(w, io.NewSectionReader(f, start, size-start))
	return err
}

// lookEvery is how often a followed log is looked at.
const lookEvery = 200 * time.Millisecond

// followLog copies what is added to the file, and goes on with a new one when the log is rotated,
// until ctx ends.
func followLog(ctx context.Context, f *os.File, w io.Writer) error {
	defer func() { _ = f.Close() }()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if _, err := io.Copy(w, f); err != nil {
			return err
		}
		if next, err := rotated(f); err == nil && next != nil {
			_ = f.Close()
			f = next
			continue
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// rotated gives the file that now has the name of f, nil if it is still f.
func rotated(f *os.File) (*os.File, error) {
	was, err := f.Stat()
	if err != nil {
		return nil, err
	}
	is, err := os.Stat(f.Name())
	if err != nil || os.SameFile(was, is) {
		return nil, err
	}
	return os.Open(f.Name())
}
