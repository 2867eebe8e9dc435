package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/go-telegram/bot"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

const (
	// maxDownload is what a bot may fetch (Bot API, getFile: 20 MB).
	maxDownload     = 20 << 20
	downloadTimeout = 2 * time.Minute
	downloadTries   = 3
)

// fetchFiles gets the files of a message and has them stored. One that cannot be had is named all
// the same, without a hash: the message counts more than its files.
func (t *Telegram) fetchFiles(ctx context.Context, files []attachment) []akitad.File {
	var out []akitad.File
	for _, f := range files {
		stored, err := t.fetchFile(ctx, f)
		if err != nil {
			t.log.Warn("telegram file not fetched", zap.String("name", f.name), zap.Int64("size", f.size), zap.Error(err))
			stored = akitad.File{Name: f.name, Size: f.size}
		}
		out = append(out, stored)
	}
	return out
}

func (t *Telegram) fetchFile(ctx context.Context, f attachment) (stored akitad.File, err error) {
	switch {
	case t.opts.Store == nil:
		return stored, errors.New("there is no place to store it")
	case f.size > maxDownload:
		return stored, errors.New("it is over 20 MB")
	}
	retry := newRetry()
	for try := range downloadTries {
		if try > 0 {
			sleep(ctx, retry.NextBackOff())
		}
		if stored, err = t.download(ctx, f); err == nil || !kindOf(err).Temporary() || ctx.Err() != nil {
			break
		}
	}
	return stored, err
}

func (t *Telegram) download(ctx context.Context, f attachment) (akitad.File, error) {
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	defer cancel()
	info, err := t.api.GetFile(ctx, &bot.GetFileParams{FileID: f.id})
	if err != nil {
		return akitad.File{}, t.wire.clean(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.files+info.FilePath, nil)
	if err != nil {
		return akitad.File{}, t.wire.clean(err)
	}
	resp, err := t.wire.client.Do(req)
	if err != nil {
		return akitad.File{}, t.wire.clean(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return akitad.File{}, &apiError{code: resp.StatusCode, description: "the file is not there"}
	}
	body := &capped{from: resp.Body, left: maxDownload}
	stored, err := t.opts.Store(ctx, f.name, body)
	if err == nil && body.over {
		err = fmt.Errorf("%q is over 20 MB", f.name)
	}
	return stored, err
}

// capped is a reader that fails where a file gets larger than was said.
type capped struct {
	from io.Reader
	left int64
	over bool
}

func (c *capped) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if c.left -= int64(n); c.left < 0 {
		c.over = true
		return 0, errOver
	}
	return n, err
}

// errOver: a file is larger than Telegram lets a bot have it.
var errOver = errors.New("the file is too large")
