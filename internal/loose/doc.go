// Package loose reads YAML as models and people really write it: with prose around it, in code
// fences, after thinking tags, with tabs, full-width punctuation or values that should have been
// quoted. Text that is valid YAML of the wanted shape is never altered. It is strict on that shape
// (unknown and duplicate keys, a second document and a wrong type are errors that name the line),
// and bounded in size, depth and aliases. It does not know what the values mean.
package loose
