// Command bench runs the benchmarks that say how fast and how small the house is, and prints what
// they measured beside what is aimed at. A missed aim is shown and no failure: a busy machine is none.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	program := flag.String("program", "bin/akitad", "the stripped program, for its size")
	count := flag.Int("count", 1, "how often each benchmark runs; the middle value is shown")
	flag.Parse() // what is left are the flags of go build with which the program was built: the benchmarks are built with them too
	if err := run(os.Stdout, *program, flag.Args(), *count); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, program string, build []string, count int) error {
	args := append([]string{"test"}, build...)
	cmd := exec.Command("go", append(args, "-run", "^$", "-bench", pattern(), "-benchtime", "2s", "-count", strconv.Itoa(count),
		"-timeout", "30m", "./internal/app", "./internal/journal", "./internal/filter", "./internal/window", "./channels/markdown")...)
	cmd.Stderr = os.Stderr
	path, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	cmd.Env = append(os.Environ(), "BENCH_PROGRAM="+path) // what serves chats is the program itself
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	got, rest := read(out, os.Stderr)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, rest)
	}
	if info, err := os.Stat(program); err == nil {
		got["Size"] = map[string][]float64{"MB": {float64(info.Size()) / 1e6}}
	}
	return table(w, got)
}

// pattern names the benchmarks of the table, and no others.
func pattern() string {
	var names []string
	for _, l := range lines {
		if name, _, _ := strings.Cut(l.bench, "/"); !slices.Contains(names, name) && name != "Size" {
			names = append(names, name)
		}
	}
	return "^Benchmark(" + strings.Join(names, "|") + ")$"
}

// results are the values of each metric of each benchmark, one for each time it ran.
type results map[string]map[string][]float64

var procs = regexp.MustCompile(`-\d+$`) // the number of processors behind a benchmark's name

// read collects the results and passes their lines on to progress; rest is everything else.
func read(r io.Reader, progress io.Writer) (got results, rest string) {
	got = results{}
	for sc := bufio.NewScanner(r); sc.Scan(); {
		words := strings.Fields(sc.Text())
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			rest += sc.Text() + "\n"
			continue
		}
		fmt.Fprintln(progress, sc.Text())
		name := procs.ReplaceAllString(strings.TrimPrefix(words[0], "Benchmark"), "")
		if got[name] == nil {
			got[name] = map[string][]float64{}
		}
		for i := 2; i+1 < len(words); i += 2 {
			if v, err := strconv.ParseFloat(words[i], 64); err == nil {
				got[name][words[i+1]] = append(got[name][words[i+1]], v)
			}
		}
	}
	return got, rest
}

func table(w io.Writer, got results) error {
	fmt.Fprintf(w, "\n%-62s %10s  %-9s %s\n", "what", "measured", "unit", "aim")
	for _, l := range lines {
		all := got[l.bench][l.metric]
		if len(all) == 0 {
			return fmt.Errorf("%s has no %s", l.bench, l.metric)
		}
		slices.Sort(all)
		value := all[len(all)/2]
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-62s %10.2f  %-9s %s", l.what, value, l.unit, l.verdict(value)), " "))
	}
	return nil
}
