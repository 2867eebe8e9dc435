package agent

import (
	"net/http"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// What of the images given with a task its agent is shown with the words. The rest are files like
// others: the brief names them.
const (
	maxImages     = 5
	maxImageBytes = 5 << 20
)

// images gives the images that came with the task, or that its step names. They are read once an
// activation, and are the same in every request: files given with a task do not change.
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

// image reads a file; ok is false for what is no image, too large or gone.
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
