// Command gen writes the logs of an invented outage, the note of the deploy before it, and the
// truth about both, for trying out how well they are understood.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/akitad/akitad/examples/incident/incident"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	fs := flag.NewFlagSet("gen", flag.ContinueOnError)
	fs.SetOutput(out)
	seed := fs.Uint64("seed", 1, "what is drawn follows from this number")
	format := fs.String("format", "plain", "plain, syslog, json or nginx")
	services := fs.String("services", "", "names separated by commas (default three)")
	dir := fs.String("out", "logs", "folder for the logs and the note")
	truth := fs.String("truth", "", "file for the truth (default none; keep it out of -out)")
	if err := fs.Parse(args); err != nil {
		return err
	}
	cfg := incident.Config{Seed: *seed, Format: incident.Format(*format)}
	for s := range strings.SplitSeq(*services, ",") {
		if s = strings.TrimSpace(s); s != "" {
			cfg.Services = append(cfg.Services, s)
		}
	}
	inc, err := incident.Generate(cfg)
	if err != nil {
		return err
	}
	if err := inc.Save(*dir, *truth); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "wrote %d logs and a note to %s\n", len(inc.Logs), *dir)
	return err
}
