package telegram

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sleep"
)

// maxDownload is what a bot may fetch (Bot API, getFile: 20 MB).
const maxDownload = 20 << 20

// Fetch reads a file that a person sent, of at most 20 MB; the caller closes it. One that is larger is
// refused with invalid_request, here or where it is read; one that is gone with not_found.
func (t *Telegram) Fetch(ctx context.Context, _ akitad.Origin, f akitad.File) (io.ReadCloser, error) {
	if f.Size > maxDownload {
		return nil, tooLarge(f.Name)
	}
	info, err := t.getFile(ctx, f.Remote)
	_, limited := pauseOf(err)
	switch {
	case limited:
		return nil, fail("get file", t.wire.clean(err))
	case refused(err, "too big"):
		return nil, tooLarge(f.Name)
	case passing(err), refused(err, "temporarily unavailable"): // or its name is wrong: Telegram tells the two not apart
		return nil, &akitad.Error{Kind: akitad.Overloaded, Op: "telegram get file", Err: t.wire.clean(err)}
	case refused(err, ""):
		return nil, &akitad.Error{Kind: akitad.NotFound, Op: "telegram get file", Err: t.wire.clean(err)}
	case err != nil:
		return nil, fail("get file", t.wire.clean(err))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.files+info.FilePath, nil)
	if err != nil {
		return nil, fail("get file", t.wire.clean(err))
	}
	resp, err := t.wire.client.Do(req)
	if err != nil {
		return nil, fail("download", t.wire.clean(err))
	}
	switch {
	case resp.StatusCode == http.StatusNotFound:
		err = akitad.Errorf(akitad.NotFound, "telegram: the file %q is gone", f.Name)
	case resp.StatusCode != http.StatusOK:
		err = fail("download", &apiError{code: resp.StatusCode, description: "the file is not there"})
	case resp.ContentLength > maxDownload:
		err = tooLarge(f.Name)
	default:
		return &capped{body: resp.Body, name: f.Name, left: maxDownload, wire: t.wire}, nil
	}
	_ = resp.Body.Close() // nothing of it is read
	return nil, err
}

// longestWait is how long a file waits, and maxWaits how often, that is to be asked for later: what the person writes
// next waits with it.
const (
	longestWait = time.Minute
	maxWaits    = 3
)

// getFile asks where a file is, as soon as the API answers that.
func (t *Telegram) getFile(ctx context.Context, id string) (*models.File, error) {
	for waits := 0; ; waits++ {
		info, err := t.api.GetFile(ctx, &bot.GetFileParams{FileID: id})
		if pause, limited := pauseOf(err); !limited || waits == maxWaits || pause > longestWait || !sleep.For(ctx, pause) {
			return info, err
		}
	}
}

func tooLarge(name string) error {
	return akitad.Errorf(akitad.InvalidRequest, "telegram: the file %q is over 20 MB", name)
}

// capped is a download that fails where the file gets larger than a bot may fetch.
type capped struct {
	body io.ReadCloser
	name string
	left int64
	wire *doer
}

func (c *capped) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, tooLarge(c.name)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fail("download", c.wire.clean(err))
	}
	return n, err
}

func (c *capped) Close() error { return c.body.Close() }
