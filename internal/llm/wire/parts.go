package wire

import (
	"strconv"

	"github.com/akitad/akitad/internal/llm"
)

// Unseen gives the text that stands in the place of a part which cannot be sent: what it is, and why
// the model does not see it. The model can then say so, or look for the file by its name.
func Unseen(p llm.Part, why string) string {
	return "[" + p.Name + " (" + p.MIME + ", " + strconv.Itoa(len(p.Data)) + " bytes) is not shown: " + why + "]"
}
