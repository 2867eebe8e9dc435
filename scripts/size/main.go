// Command size prints how large a Go program is and what each dependency adds to it, the largest
// first. The rows add up to the file, or it fails. It changes nothing.
//
// Code and named data are counted by symbol; a stripped program has none, so the same package is
// linked once more with them. What has no name of its own (strings and types are merged across
// packages, and one table describes all functions) is given by kind.
package main

import (
	"cmp"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

func main() {
	limit := flag.Float64("max", 0, "fail if the program is larger than this many MB (0: no limit)")
	pkg := flag.String("package", "./cmd/akitad", "the package that the program is built from")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: size [-max MB] [-package DIR] PROGRAM [FLAGS OF ITS BUILD]")
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), *pkg, flag.Args()[1:], *limit); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, program, pkg string, flags []string, limit float64) error {
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	built, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "size")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	named := filepath.Join(dir, "named")
	build := exec.Command("go", slices.Concat([]string{"build"}, flags, []string{"-o", named, pkg})...)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("link %s with its symbols: %w", pkg, err)
	}
	sections, err := stored(program)
	if err != nil {
		return err
	}
	owned, err := byOwner(named, sections, newOwners(built))
	if err != nil {
		return err
	}
	err = report(w, program, info.Size(), rows(info.Size(), sections, owned))
	if limit > 0 && mb(info.Size()) > limit {
		err = errors.Join(err, fmt.Errorf("%s has %.1f MB, the limit is %.0f MB", program, mb(info.Size()), limit))
	}
	return err
}

// stored returns the bytes that each section takes in the file.
func stored(program string) (map[string]int64, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]int64{}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NOBITS && s.Type != elf.SHT_NULL {
			out[s.Name] += int64(s.FileSize)
		}
	}
	return out, nil
}

// byOwner adds up the symbols of each owner in each section that the program stores.
func byOwner(program string, sections map[string]int64, own owners) (map[string]map[string]int64, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]int64{}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF || int(s.Section) >= len(f.Sections) || elf.ST_TYPE(s.Info) == elf.STT_SECTION {
			continue
		}
		section, owner := f.Sections[s.Section].Name, own.of(s.Name)
		if _, kept := sections[section]; !kept || owner == "" {
			continue
		}
		if out[owner] == nil {
			out[owner] = map[string]int64{}
		}
		out[owner][section] += int64(s.Size)
	}
	return out, nil
}

// A row is one line of the report, in bytes.
type row struct {
	name        string
	total, code int64
}

// rows returns a row for each owner, and one for what a section holds beyond its owners' symbols.
func rows(size int64, sections map[string]int64, owned map[string]map[string]int64) []row {
	var out []row
	rest := maps.Clone(sections)
	for owner, parts := range owned {
		r := row{name: owner, code: parts[".text"]}
		for section, n := range parts {
			r.total += n
			rest[section] -= n
		}
		out = append(out, r)
	}
	headers := size
	kinds := map[string]int64{}
	for section, n := range rest {
		headers -= sections[section]
		kinds[kind(section)] += n
	}
	kinds["(headers and padding)"] += headers
	for name, n := range kinds {
		out = append(out, row{name: name, total: n})
	}
	slices.SortFunc(out, func(a, b row) int { return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.name, b.name)) })
	return out
}

// kind names what is in a section beside named symbols.
func kind(section string) string {
	switch section {
	case ".gopclntab":
		return "(table of all functions)"
	case ".rodata", ".typelink", ".itablink", ".data.rel.ro":
		return "(strings and types of all packages)"
	case ".text":
		return "(padding between functions)"
	}
	return "(other sections)"
}

// report prints the rows. What is shared is also shared out, by code: that estimate is about what the
// program would lose if it did without the dependency.
func report(w io.Writer, program string, size int64, all []row) error {
	var sum, code, shared int64
	for _, r := range all {
		if r.total < 0 {
			return fmt.Errorf("%s has more symbols than there is room for: %d bytes", r.name, r.total)
		}
		sum, code = sum+r.total, code+r.code
		if r.name[0] == '(' {
			shared += r.total
		}
	}
	fmt.Fprintf(w, "%s: %.2f MB\n\n%9s %9s %6s %11s  %s\n", program, mb(size), "MB", "code MB", "share", "with shared", "what")
	for _, r := range all {
		with := "-"
		if r.name[0] != '(' && code > 0 {
			with = fmt.Sprintf("%.2f", mb(r.total)+mb(shared)*float64(r.code)/float64(code))
		}
		fmt.Fprintf(w, "%9.3f %9.3f %5.1f%% %11s  %s\n", mb(r.total), mb(r.code), 100*float64(r.total)/float64(size), with, r.name)
	}
	fmt.Fprintf(w, "%9.3f %9.3f %5.1f%% %11s  sum\n", mb(sum), mb(code), 100*float64(sum)/float64(size), "")
	if sum != size {
		return fmt.Errorf("the rows add up to %d bytes, the file has %d", sum, size)
	}
	return nil
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }
