package journal

import (
	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// soFar adds the names of the written files to the result of a root task that failed or was cancelled, so
// that they are shown wherever the result is. The files in the folder are the person's in any case.
func (t *Task) soFar() {
	if !t.IsRoot() || !t.Final() || t.State == akitad.Completed {
		return
	}
	t.Result = t.found
	if len(t.Files) == 0 || t.RolledBack {
		return
	}
	r := akitad.Result{Partial: true}
	if t.Result != nil {
		r = *t.Result
	}
	var names []string
	for _, f := range t.Files {
		names = append(names, f.Name)
	}
	if r.Text != "" {
		r.Text += "\n\n"
	}
	r.Text += text.Lang(t.Sub.Origin.Lang).SoFar(names)
	t.Result = &r
}
