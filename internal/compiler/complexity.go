package compiler

import (
	"strings"

	"github.com/akitad/akitad"
)

// Complexity scores a task from 1 to 5 by rule: how many parts it has, how many sources it draws
// on, and what it changes. Below 3 one agent does it, without a planner. One question about one
// thing is 1; several files and a report to write are at least 3.
func Complexity(spec akitad.Spec, files []akitad.File) int {
	return min(5, 1+parts(spec)+sources(spec, files)+effects(spec))
}

// parts gives 0 to 2: one for a second thing asked for, two for a fourth.
func parts(spec akitad.Spec) int {
	goal := without(spec.Goal, spec.Inputs.Given)
	n := 1 + moreGoals(goal)
	if n == 1 && enumerated(goal) >= 3 {
		n = 2
	}
	switch {
	case n >= 4:
		return 2
	case n >= 2:
		return 1
	}
	return 0
}

// enumerated counts the things that s names one after the other ("Paris, London and Tokyo"): short
// clauses that neither ask for something nor limit it.
func enumerated(s string) int {
	n := 1
	for i, c := range pieces(s) {
		if i == 0 || fileName.MatchString(c) { // files are sources
			continue
		}
		long := len(strings.Fields(c)) > 3 || Columns(c) > 24
		if long || wants(c) != "" || onlyOutput(c) || limits(c) {
			return 1
		}
		n++
	}
	return n
}

// sources gives 0 to 2: one for a second file or link, two for a third.
func sources(spec akitad.Spec, files []akitad.File) int {
	n := len(files)
	for _, g := range spec.Inputs.Given {
		isFile := fileName.FindString(g) == g || urlPattern.FindString(g) == g
		if isFile && !strings.Contains(g, " ") && !given(g, files) {
			n++
		}
	}
	return min(2, max(0, n-1))
}

func given(name string, files []akitad.File) bool {
	for _, f := range files {
		if names(name, f.Name) || f.Name == name {
			return true
		}
	}
	return false
}

// effects gives 0 to 2: one for a file to write or something to change, one for many conditions.
func effects(spec akitad.Spec) int {
	n := 0
	for _, o := range spec.OutputRequirements {
		if fileName.MatchString(o) {
			n = 1
		}
	}
	if len(spec.Constraints)+len(spec.OutputRequirements) >= 4 {
		n++
	}
	return n
}
