package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// imageEndings are those of files that only a model can look at.
var imageEndings = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif", ".avif"}

func isImage(name string) bool { return slices.Contains(imageEndings, strings.ToLower(path.Ext(name))) }

// aboutImages tells words that ask for what an image shows.
var aboutImages = pattern.New(`\b(?:images?|pictures?|photos?|photographs?|screenshots?|drawings?)\b|图片|照片|截图|图像|相片|图(?:里|中|上)|(?:这|那)(?:张|幅)?图`)

// blindError says that a question is about images, which rules cannot look at.
type blindError struct{ files []string }

// Error implements error.
func (e *blindError) Error() string { return "images cannot be seen: " + strings.Join(e.files, ", ") }

// seen leaves out images. A question that is for nothing else, or says that it is about them, is a
// *blindError.
func (s *session) seen(q *question.Question, files []string) (rest []string, err error) {
	var images []string
	for _, f := range files {
		if isImage(f) {
			images = append(images, f)
		} else {
			rest = append(rest, f)
		}
	}
	told := slices.DeleteFunc(slices.Clone(images), func(f string) bool { return !s.answersFor(f) })
	about := aboutImages.MatchString(q.Text) && len(q.Files) == 0
	switch {
	case len(images) == 0:
		return files, nil
	case len(rest) == 0 && len(told) == 0 && !about:
		return nil, nil
	case len(rest) == 0, about:
		return nil, &blindError{told}
	}
	for _, f := range told {
		if !slices.Contains(s.unseen, f) {
			s.unseen = append(s.unseen, f)
		}
	}
	return rest, nil
}

// onlyImages reports whether all that was given are images, so that there is nothing for rules to do.
func (s *session) onlyImages() bool {
	files := s.files()
	return len(files) > 0 && !slices.ContainsFunc(files, func(f string) bool { return !isImage(f) })
}

func (s *session) sayBlind(files []string) string {
	if len(files) == 0 {
		return s.say.of("I cannot see images without a language model.", "没有语言模型时我看不到图片。")
	}
	return s.say.f("I cannot see images without a language model, so I did not look at %s.", "没有语言模型时我看不到图片，因此没有查看 %s。", s.say.list(files))
}
