package channels

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	// maxFile is the largest file that is taken, in bytes; services have lower limits of their own.
	maxFile      = 64 << 20
	fetchTries   = 3
	firstWait    = 500 * time.Millisecond // between two tries; then twice as long
	fetchTimeout = 2 * time.Minute        // of one try

	// maxFetching is how many bytes of files a channel has in memory at a time, as far as their sizes are
	// told; one whose size is not counts as unknownSize. A small file seldom waits for large ones.
	maxFetching = 512 << 20
	unknownSize = 16 << 20
)

// lost is a file that could not be had, and why.
type lost struct {
	file akitad.File
	why  error
}

// fetchAll gets the files of a message that are still with the service. One that cannot be had is named
// all the same, without a hash: the message counts more than its files. The error is that of our own
// store, which is tried again.
func (d *desk) fetchAll(ctx context.Context, m akitad.Message) (files []akitad.File, missing []lost, err error) {
	names := map[string]bool{}
	for _, f := range m.Files {
		f.Name = unique(names, f.Name)
		if f.Remote == "" {
			files = append(files, f)
			continue
		}
		got, why, err := d.fetchOne(ctx, m.Origin, f)
		if err != nil {
			return nil, nil, err
		}
		if why != nil {
			d.log.Warn("file not fetched", zap.String("message", m.ID), zap.String("name", f.Name), zap.Int64("size", f.Size), zap.Error(why))
			missing = append(missing, lost{got, why})
		}
		files = append(files, got)
	}
	return files, missing, nil
}

// fetchOne stores one file. why is for what reason it could not be had, err that it could not be kept.
func (d *desk) fetchOne(ctx context.Context, from akitad.Origin, f akitad.File) (got akitad.File, why, err error) {
	got = akitad.File{Name: f.Name, Size: f.Size, Kind: f.Kind}
	room := min(cmp.Or(max(f.Size, 0), unknownSize), maxFile)
	if d.fetching.Acquire(ctx, room) != nil {
		return got, nil, context.Cause(ctx)
	}
	defer d.fetching.Release(room)
	body, why := d.fetch(ctx, from, f)
	switch {
	case ctx.Err() != nil:
		return got, nil, context.Cause(ctx)
	case why != nil:
		return got, why, nil
	}
	got.Size, got.Mode = int64(len(body)), "ro"
	got.Artifact, err = d.bus.PutArtifact(ctx, body)
	return got, nil, err
}

// unique gives a name that no other file of the message has.
func unique(taken map[string]bool, name string) string {
	ext := path.Ext(name)
	out := name
	for n := 2; taken[out]; n++ {
		out = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
	taken[out] = true
	return out
}

// fetch gets the bytes of one file, in a few tries.
func (d *desk) fetch(ctx context.Context, from akitad.Origin, f akitad.File) (body []byte, err error) {
	service, ok := As[Fetcher](d.ch)
	if !ok {
		return nil, akitad.Errorf(akitad.Unavailable, "channel %s fetches no files", d.ch.Name())
	}
	wait := firstWait
	for try := 1; ; try++ {
		if body, err = download(ctx, service, from, f); err == nil {
			return body, nil
		}
		if try == fetchTries || !again(err) || !sleep.For(ctx, wait) {
			return nil, err
		}
		wait *= 2
	}
}

// download reads one file whole, in one try.
func download(ctx context.Context, service Fetcher, from akitad.Origin, f akitad.File) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	body, err := service.Fetch(ctx, from, f)
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
