package dingtalk

import (
	"context"
	"io"
	"net/http"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/chatsend"
)

// maxFetch is the most bytes of a file that a person sent.
const maxFetch = 100 << 20

// Fetch reads the bytes of a file that a person sent; the caller closes them. DingTalk gives an address
// for it, to which no secret goes.
func (d *DingTalk) Fetch(ctx context.Context, _ akitad.Origin, file akitad.File) (io.ReadCloser, error) {
	if file.Remote == "" {
		return nil, akitad.Errorf(akitad.NotFound, "the message names no file")
	}
	var out struct {
		URL string `json:"downloadUrl"`
	}
	err := d.call(ctx, "/v1.0/robot/messageFiles/download", map[string]string{"downloadCode": file.Remote, "robotCode": d.opts.Robot}, &out)
	if err != nil {
		return nil, fail("fetch", err)
	}
	if !chatsend.Web(out.URL) {
		return nil, akitad.Errorf(akitad.NotFound, "DingTalk gives no address for the file")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, out.URL, nil)
	if err != nil {
		return nil, akitad.Errorf(akitad.NotFound, "DingTalk gives no address for the file")
	}
	resp, err := d.opts.HTTP.Do(req)
	if err != nil {
		return nil, fail("fetch", chatsend.Bare(err))
	}
	switch {
	case resp.StatusCode != http.StatusOK:
		resp.Body.Close()
		e := &apiError{status: resp.StatusCode, words: "the file cannot be had"}
		kind := e.kind()
		if !kind.Temporary() {
			kind = akitad.NotFound
		}
		return nil, &akitad.Error{Kind: kind, Op: "dingtalk fetch", Err: e}
	case resp.ContentLength > maxFetch:
		resp.Body.Close()
		return nil, chatfile.TooLarge(maxFetch)
	}
	return chatfile.Bound(resp.Body, maxFetch), nil
}
