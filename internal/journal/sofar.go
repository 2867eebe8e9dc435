package journal

import (
	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// soFar has the end of a person's task that did not come to a whole result tell what was written, so that it
// is seen wherever results are: what is in the folder is theirs, whatever became of the rest.
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
