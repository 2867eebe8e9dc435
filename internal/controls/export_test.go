package controls

import (
	"maps"
	"slices"
)

// Profiles returns the paused profiles in order of name.
func (s State) Profiles() []string { return slices.Sorted(maps.Keys(s.Paused)) }
