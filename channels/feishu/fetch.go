package feishu

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	// maxDownload is what the service gives out (open.feishu.cn, get resources of a message: 100 MB).
	maxDownload     = 100 << 20
	downloadTimeout = 5 * time.Minute
)

// remote names bytes that the service keeps: message, kind and key. A forward is asked for by its message.
func remote(message, kind, key string) string { return message + "/" + kind + "/" + key }

// Fetch reads the bytes of a file that a message named; the caller closes them.
func (f *Feishu) Fetch(ctx context.Context, _ akitad.Origin, file akitad.File) (io.ReadCloser, error) {
	message, rest, _ := strings.Cut(file.Remote, "/")
	kind, key, ok := strings.Cut(rest, "/")
	if !ok || message == "" || key == "" {
		return nil, refuse("the file has no name at the service", "")
	}
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	if kind == "forward" {
		defer cancel()
		text, err := f.forwarded(ctx, message)
		if err != nil {
			return nil, fail("fetch a forward", err)
		}
		return io.NopCloser(strings.NewReader(text)), nil
	}
	out, err := f.resource(ctx, request{
		method: http.MethodGet, path: messagePath(message) + "/resources/" + url.PathEscape(key), query: url.Values{"type": {kind}}, file: true,
	})
	if err == nil && out.file == nil {
		err = &apiError{status: http.StatusBadGateway, msg: "the answer is no file"}
	}
	if err != nil {
		cancel()
		err = fail("fetch a file", err)
		if e, ok := errors.AsType[*akitad.Error](err); ok && e.Kind == akitad.InvalidRequest && !hasCode(err, sizeCodes) {
			e.Kind = akitad.NotFound // only what is too large is refused for what it is
		}
		return nil, err
	}
	return &download{body: out.file, left: maxDownload, cancel: cancel}, nil
}

// longestWait is how long a file waits, and maxWaits how often, that is to be asked for later: what the person writes
// next waits with it.
const (
	longestWait = time.Minute
	maxWaits    = 3
)

// resource asks for a file, as soon as the service answers that.
func (f *Feishu) resource(ctx context.Context, r request) (response, error) {
	for waits := 0; ; waits++ {
		out, err := f.wire.Call(ctx, r)
		if pause, _, limited := pauseOf(err); !limited || waits == maxWaits || pause > longestWait || !sleep.For(ctx, pause) {
			return out, err
		}
	}
}

// download is a body that ends with an error where it gets larger than the service allows.
type download struct {
	body   io.ReadCloser
	left   int64
	cancel context.CancelFunc
}

func (d *download) Read(p []byte) (int, error) {
	n, err := d.body.Read(p)
	if d.left -= int64(n); d.left < 0 {
		return 0, refuse("the file is over 100 MB", "")
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fail("fetch a file", err)
	}
	return n, err
}

func (d *download) Close() error {
	defer d.cancel()
	return d.body.Close()
}
