package agent

import (
	"context"
	"fmt"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/workspace"
)

// KeepFiles stores changed files of a session's folder as artifacts, so that a worker on another node can get
// them. put stores the bytes of one file and returns their hash. A file that is gone again or may not be read
// is left out and logged. The first other failure ends it.
func KeepFiles(ctx context.Context, dir *workspace.Dir, names []string, put func(context.Context, []byte) (string, error), log *zap.Logger) ([]akitad.File, error) {
	var out []akitad.File
	for _, name := range names {
		body, err := dir.ReadFile(name)
		switch akitad.KindOf(err) {
		case "":
		case akitad.NotFound, akitad.PermissionDenied, akitad.InvalidRequest:
			log.Info("changed file is not kept", zap.String("file", name), zap.Error(err))
			continue
		default:
			return nil, fmt.Errorf("keep %s: %w", name, err)
		}
		hash, err := put(ctx, body)
		if err != nil {
			return nil, fmt.Errorf("keep %s: %w", name, err)
		}
		out = append(out, akitad.File{Name: name, Artifact: hash, Size: int64(len(body))})
	}
	return out, nil
}
