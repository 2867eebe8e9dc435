package telegramtest

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// params are what came with a request, in any of the four forms that the API takes.
type params struct {
	values  map[string]string
	uploads map[string]*Upload // by field
}

func readParams(r *http.Request) (params, error) {
	p := params{values: map[string]string{}, uploads: map[string]*Upload{}}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "application/json" {
		raw := map[string]json.RawMessage{}
		if err := json.NewDecoder(r.Body).Decode(&raw); err != nil && err != io.EOF {
			return p, err
		}
		for k, v := range raw {
			var text string
			if json.Unmarshal(v, &text) != nil {
				text = string(v)
			}
			p.values[k] = text
		}
		return p, nil
	}
	if kind == "multipart/form-data" {
		// The go client sends a form without any part for a method without parameters.
		if err := r.ParseMultipartForm(64 << 20); err != nil && err != io.EOF && !strings.Contains(err.Error(), "EOF") {
			return p, err
		}
	} else if err := r.ParseForm(); err != nil {
		return p, err
	}
	for k := range r.Form {
		p.values[k] = r.FormValue(k)
	}
	return p, p.readUpload(r)
}

func (p *params) readUpload(r *http.Request) error {
	if r.MultipartForm == nil {
		return nil
	}
	for field, headers := range r.MultipartForm.File {
		f, err := headers[0].Open()
		if err != nil {
			return err
		}
		body, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		p.uploads[field] = &Upload{Name: headers[0].Filename, Bytes: body}
	}
	return nil
}

func (p params) int(name string) int64 {
	n, _ := strconv.ParseInt(p.values[name], 10, 64)
	return n
}

func (p params) bool(name string) bool { return p.values[name] == "true" || p.values[name] == "1" }
