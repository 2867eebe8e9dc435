package channels

import (
	"context"
	"io"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

const (
	// maxFile is the largest file that is taken, in bytes; services have lower limits of their own.
	maxFile      = 64 << 20
	fetchTries   = 3
	fetchTimeout = 2 * time.Minute // of one try
)

// fetchAll gets the files of a message that are still with the service. One that cannot be had is named
// all the same, without a hash: the message counts more than its files.
func (d *desk) fetchAll(ctx context.Context, m akitad.Message) []akitad.File {
	out := make([]akitad.File, 0, len(m.Files))
	for _, f := range m.Files {
		if f.Remote != "" {
			stored, err := d.fetch(ctx, m.Origin, f)
			if err != nil {
				d.log.Warn("file not fetched", zap.String("message", m.ID), zap.String("name", f.Name), zap.Int64("size", f.Size), zap.Error(err))
			}
			f = stored
		}
		out = append(out, f)
	}
	return out
}

// fetch gets one file and has it stored. After an error the file is named, without a hash.
func (d *desk) fetch(ctx context.Context, from akitad.Origin, f akitad.File) (akitad.File, error) {
	named := akitad.File{Name: f.Name, Size: f.Size, Kind: f.Kind}
	service, ok := d.ch.(Fetcher)
	if !ok {
		return named, akitad.Errorf(akitad.InvalidRequest, "channel %s fetches no files", d.ch.Name())
	}
	var err error
	for wait := 500 * time.Millisecond; ; wait *= 2 {
		var body []byte
		if body, err = d.download(ctx, service, from, f); err == nil {
			named.Size, named.Mode = int64(len(body)), "ro"
			named.Artifact, err = d.bus.PutArtifact(ctx, body)
			return named, err
		}
		if wait >= 500*time.Millisecond<<(fetchTries-1) || !again(err) || !pause(ctx, wait) {
			return named, err
		}
	}
}

func (d *desk) download(ctx context.Context, from Fetcher, to akitad.Origin, f akitad.File) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	body, err := from.Fetch(ctx, to, f)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = akitad.Errorf(akitad.InvalidRequest, "file %q has over %d bytes", f.Name, maxFile)
	}
	return data, err
}

// again reports errors that another try may mend.
func again(err error) bool {
	kind := akitad.KindOf(err)
	return kind.Temporary() || kind == akitad.Unknown
}

// pause waits, and reports whether the time went by before ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
