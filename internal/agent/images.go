package agent

import (
	"net/http"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// Limits on the images of a task that are shown to the model with the text. Further images are listed in
// the brief like other files.
const (
	maxImages     = 5
	maxImageBytes = 5 << 20
)

// images returns the images that came with the task, or that its step names. They are read once per
// activation and are the same in every request, because given files do not change.
func (r *run) images(t *journal.Task) []llm.Part {
	if r.looked {
		return r.pictures
	}
	r.looked = true
	for _, f := range given(t) {
		if len(r.pictures) == maxImages {
			break
		}
		if p, ok := r.image(f); ok {
			r.pictures = append(r.pictures, p)
		}
	}
	return r.pictures
}

func given(t *journal.Task) []akitad.File {
	files := t.Sub.Files
	if t.Sub.Step != nil {
		for _, name := range t.Sub.Step.Files {
			files = append(files[:len(files):len(files)], akitad.File{Name: name})
		}
	}
	return files
}

// image reads a file; ok is false if it is not an image, too large or gone.
func (r *run) image(f akitad.File) (p llm.Part, ok bool) {
	info, err := r.turn.Dir.Stat(f.Name)
	if err != nil || info.IsDir() || info.Size() > maxImageBytes {
		return p, false
	}
	data, err := r.turn.Dir.ReadFile(f.Name)
	if err != nil || len(data) > maxImageBytes {
		return p, false
	}
	p = llm.Part{Name: f.Name, MIME: http.DetectContentType(data), Data: data}
	return p, p.IsImage()
}
