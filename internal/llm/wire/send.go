package wire

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// send posts the body once and gives an answer with a status below 400, whose body the caller closes.
func (s *Server) send(ctx context.Context, req llm.Request, path string, body []byte) (*http.Response, error) {
	out, err := s.request(ctx, req, path, body)
	if err != nil {
		return nil, err
	}
	resp, err := s.http.Do(out)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 400 {
		defer resp.Body.Close()
		return nil, s.refused(resp)
	}
	return resp, nil
}

// request gives what goes over the wire. Streams are asked for in the body: some servers that stream
// know no other Accept than JSON.
func (s *Server) request(ctx context.Context, req llm.Request, path string, body []byte) (*http.Request, error) {
	to, err := s.address(path)
	if err != nil {
		return nil, err
	}
	out, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range s.opts.Header {
		out.Header[name] = values
	}
	out.Header.Set("Content-Type", "application/json")
	out.Header.Set("Accept", "application/json")
	out.Header.Set("User-Agent", "akitad")
	out.Header.Set("X-Akita-Role", string(req.Role))
	if req.Task != "" {
		out.Header.Set("X-Akita-Task", string(req.Task))
	}
	return out, nil
}

// address gives where the path leads. What the base URL says after a question mark, such as a version,
// stays behind one, and so does what the path says there.
func (s *Server) address(path string) (string, error) {
	to, err := url.Parse(s.opts.BaseURL)
	if err != nil {
		return "", err
	}
	path, query, _ := strings.Cut(path, "?")
	to = to.JoinPath(path)
	to.RawQuery = strings.Trim(to.RawQuery+"&"+query, "&")
	return to.String(), nil
}

// stay follows redirects only where the request goes on as it is and the key and the words stay with
// the server they are for; then the client's own rule decides, by default up to ten.
func stay(next func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(to *http.Request, via []*http.Request) error {
		first := via[0]
		if to.URL.Scheme != first.URL.Scheme || to.URL.Host != first.URL.Host || to.Method != first.Method {
			return moved(to.URL.Redacted())
		}
		if next != nil {
			return next(to, via)
		}
		if len(via) >= 10 {
			return moved("itself, again and again")
		}
		return nil
	}
}

func moved(to string) error {
	return akitad.Errorf(akitad.Unavailable, "the server redirects to %s", to).
		WithHint("set base_url to where the server really is, without what the protocol adds at its end")
}
