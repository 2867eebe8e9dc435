package feishu

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
)

// transport is the seam to the service: all that leaves or enters this package goes through it, so
// that a vendor's SDK could take its place.
type transport interface {
	// Run receives events until ctx ends (nil) or until going on is useless. It hands each to handle in
	// the order in which they came.
	Run(ctx context.Context, handle handler) error
	// Call makes one request of the API with the app's token. A refusal is an *apiError.
	Call(ctx context.Context, r request) (response, error)
}

// handler takes one event, as the JSON that the service sent. It must not block; done is called once,
// later or at once: answer is what the service is told (nil is nothing), an error makes the service
// send the event again.
type handler func(ctx context.Context, event []byte, done func(answer []byte, err error))

// request is one call of the API.
type request struct {
	method string
	path   string // below the service's URL
	query  url.Values
	body   []byte
	kind   string // content type of body
	file   bool   // the answer is the bytes of a file
}

// response is what the API answers: its data, or a file that the caller closes.
type response struct {
	data json.RawMessage
	file io.ReadCloser
}

// jsonRequest makes a request whose body is v, with letters as they are: the service counts the bytes.
func jsonRequest(method, path string, v any) request {
	return request{method: method, path: path, body: encode(v), kind: "application/json; charset=utf-8"}
}
