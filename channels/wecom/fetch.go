package wecom

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

// Fetch reads the bytes of a file that a person sent; WeCom keeps it for three days. The caller closes
// them.
func (w *WeCom) Fetch(ctx context.Context, _ akitad.Origin, file akitad.File) (io.ReadCloser, error) {
	if file.Remote == "" {
		return nil, fail("fetch", akitad.Errorf(akitad.NotFound, "%w", errNoMedia))
	}
	var body io.ReadCloser
	err := w.token.Do(ctx, staleToken, func(token string) (err error) {
		body, err = w.media(ctx, token, file.Remote)
		return err
	})
	if err != nil {
		return nil, fail("fetch", err)
	}
	return body, nil
}

func (w *WeCom) media(ctx context.Context, token, id string) (io.ReadCloser, error) {
	q := url.Values{"access_token": {token}, "media_id": {id}}
	resp, err := w.send(ctx, http.MethodGet, "/cgi-bin/media/get?"+q.Encode(), "", nil)
	if err != nil {
		return nil, err
	}
	kind := resp.Header.Get("Content-Type")
	if resp.Header.Get("Content-Disposition") == "" && (strings.Contains(kind, "json") || strings.HasPrefix(kind, "text/plain")) {
		defer resp.Body.Close() // an error, and no file
		var out answer
		if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&out); err != nil || out.Code == 0 {
			return nil, &apiError{code: 40007, words: "there is neither a file nor an error"}
		}
		return nil, out.err()
	}
	if resp.ContentLength > maxFetch {
		resp.Body.Close()
		return nil, chatfile.TooLarge(maxFetch)
	}
	return chatfile.Bound(resp.Body, maxFetch), nil
}

// maxFetch is the most bytes of a file that a person sent.
const maxFetch = 100 << 20
