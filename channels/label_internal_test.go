package channels

import (
	"testing"

	"github.com/akitad/akitad/internal/journal"
)

// Buttons show no formats: what a model writes as Markdown is a choice's words there.
func TestLabelsAreWords(t *testing.T) {
	for choice, want := range map[string]string{
		"Red": "Red", "**Option A**: fast": "Option A: fast", "`main` branch": "main branch", "*蓝色*": "蓝色", "two\nlines": "two lines",
		"> 100 rows": "> 100 rows", "# 1": "# 1", "+ add": "+ add", "- none": "- none", "~5 min": "~5 min", "= 3": "= 3", "1. first": "1. first", "| both |": "| both |",
		"2*3*4": "2*3*4", "snake_case_name": "snake_case_name", "a < b && c": "a < b && c", "$5": "$5", "__init__.py": "__init__.py", "[docs](https://e.test)": "docs (https://e.test)", "": "",
	} {
		all := buttons(Question{ID: "q", Choices: []string{choice}, Task: &journal.Task{}})
		if all[0].Label != want || all[0].ID != "q:0" {
			t.Errorf("%q is %q (%s), want %q", choice, all[0].Label, all[0].ID, want)
		}
	}
}
