package onebot

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

// Fetch reads the bytes of a file that a message named: from its address, or from the OneBot program.
// A path on that program's disk is never opened. Voice comes as MP3 if the program can do that.
func (o *OneBot) Fetch(ctx context.Context, _ akitad.Origin, file akitad.File) (io.ReadCloser, error) {
	var r remote
	if err := json.Unmarshal([]byte(file.Remote), &r); err != nil {
		return nil, refuse(fmt.Sprintf("%q names no file", file.Remote), "")
	}
	if file.Size > o.opts.MaxFile {
		return nil, chatfile.TooLarge(o.opts.MaxFile)
	}
	if r.Kind != "record" && r.URL != "" {
		if body, err := o.download(ctx, r.URL); err == nil || akitad.KindOf(err) == akitad.InvalidRequest {
			return body, err
		} // the address may have expired: the program can give a new one
	}
	body, err := o.ask(ctx, r)
	if err != nil && r.Kind == "record" && r.URL != "" {
		return o.download(ctx, r.URL)
	}
	return body, err
}

// found is what a program says of a file: an address, the content, a path.
type found struct {
	URL    string `json:"url"`
	File   string `json:"file"`
	Base64 string `json:"base64"`
}

// ask has the OneBot program give a file, by the actions for its kind.
func (o *OneBot) ask(ctx context.Context, r remote) (io.ReadCloser, error) {
	last := error(akitad.Errorf(akitad.NotFound, "the OneBot program gives neither the file's content nor an address"))
	for _, a := range r.actions() {
		var f found
		if err := o.call(ctx, a.name, a.params, &f); err != nil {
			last = err
			continue
		}
		body, err := o.open(ctx, f)
		if err == nil || akitad.KindOf(err) != akitad.NotFound {
			return body, err
		}
	}
	if r, ok := errors.AsType[*refusal](last); ok {
		return nil, &akitad.Error{Kind: akitad.NotFound, Op: "onebot fetch", Err: r}
	}
	return nil, fail("fetch", last)
}

type action struct {
	name   string
	params any
}

func (r remote) actions() []action {
	name, id := cmp.Or(r.File, r.ID), cmp.Or(r.ID, r.File)
	byName := map[string]string{"file": name}
	byID := map[string]string{"file_id": id, "file": id}
	switch r.Kind {
	case "image":
		return []action{{"get_image", byName}, {"get_file", byID}}
	case "record":
		return []action{{"get_record", map[string]string{"file": name, "out_format": "mp3"}}}
	case "file":
		if r.Group != "" {
			params := map[string]scalar{"group_id": scalar(r.Group), "file_id": scalar(id)}
			if r.Bus != "" {
				params["busid"] = scalar(r.Bus)
			}
			return []action{{"get_group_file_url", params}, {"get_file", byID}}
		}
		return []action{{"get_private_file_url", byID}, {"get_file", byID}}
	}
	return []action{{"get_file", byID}}
}

// open reads what a program gave. Its path is left alone.
func (o *OneBot) open(ctx context.Context, f found) (io.ReadCloser, error) {
	content := f.Base64
	if content == "" {
		content, _ = strings.CutPrefix(f.File, "base64://")
		if content == f.File {
			content = ""
		}
	}
	if content != "" {
		if int64(len(content))/4*3 > o.opts.MaxFile+3 {
			return nil, chatfile.TooLarge(o.opts.MaxFile)
		}
		data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(content, "base64://"))
		if err != nil {
			return nil, akitad.Errorf(akitad.NotFound, "the content is no base64: %w", err)
		}
		if int64(len(data)) > o.opts.MaxFile {
			return nil, chatfile.TooLarge(o.opts.MaxFile)
		}
		return io.NopCloser(bytes.NewReader(data)), nil
	}
	if address := cmp.Or(web(f.URL), web(f.File)); address != "" {
		return o.download(ctx, address)
	}
	return nil, akitad.Errorf(akitad.NotFound, "the OneBot program gives only a path")
}

func (o *OneBot) download(ctx context.Context, address string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, akitad.Errorf(akitad.NotFound, "the file has no usable address")
	}
	resp, err := o.opts.HTTP.Do(req)
	if err != nil {
		return nil, fail("fetch", bare(err))
	}
	switch {
	case resp.StatusCode == http.StatusOK && resp.ContentLength > o.opts.MaxFile:
		resp.Body.Close()
		return nil, chatfile.TooLarge(o.opts.MaxFile)
	case resp.StatusCode == http.StatusOK:
		return chatfile.Bound(resp.Body, o.opts.MaxFile), nil
	}
	resp.Body.Close()
	kind := akitad.NotFound
	if resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests {
		kind = akitad.Overloaded
	}
	return nil, akitad.Errorf(kind, "the file's address answers %s", resp.Status)
}
