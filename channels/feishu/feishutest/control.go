package feishutest

import (
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/faketest"
)

// control adds the routes by which another process plays the persons:
//
//	POST /control/say      Said                                    -> {"message_id":"om_1"}
//	POST /control/press    {"from","chat","message","label"}       -> {"pressed":true}
//	POST /control/fail     Fault                                   -> {}
//	POST /control/fragment {"bytes":64}                            -> {}
//	POST /control/expire   {"status":400}                          -> {}
//	POST /control/drop     breaks the long connections             -> {}
//	POST /control/webhook  Said: the request as it would be made   -> {"headers":{},"body":""}
//	GET  /control/chats                                            -> {"oc_1":[Message...]}
//	GET  /control/calls?method=send                                -> [Call...]
//	GET  /control/acks                                             -> [Ack...]
//	GET  /control/wait?chat=oc_1&contains=hello&timeout=10s        -> [Message...], 504 if it never comes
//
// wait looks at the bot's messages as they stand; without chat it waits for a connection.
func (s *Server) control(mux *http.ServeMux) {
	mux.HandleFunc("POST /control/say", faketest.Route(func(in Said) (any, error) {
		if in.From == "" {
			return nil, errors.New("from is needed")
		}
		return map[string]string{"message_id": s.Say(in)}, nil
	}))
	mux.HandleFunc("POST /control/press", faketest.Route(func(in struct{ From, Chat, Message, Label string }) (any, error) {
		return map[string]bool{"pressed": s.Press(in.From, in.Chat, in.Message, in.Label)}, nil
	}))
	mux.HandleFunc("POST /control/fail", faketest.Route(func(in Fault) (any, error) { s.Fail(in); return struct{}{}, nil }))
	mux.HandleFunc("POST /control/fragment", faketest.Route(func(in struct{ Bytes int }) (any, error) { s.SetFragment(in.Bytes); return struct{}{}, nil }))
	mux.HandleFunc("POST /control/expire", faketest.Route(func(in struct{ Status int }) (any, error) { s.ExpireTokens(in.Status); return struct{}{}, nil }))
	mux.HandleFunc("POST /control/drop", faketest.Route(func(struct{}) (any, error) { s.Drop(); return struct{}{}, nil }))
	mux.HandleFunc("POST /control/webhook", faketest.Route(func(in Said) (any, error) {
		r := s.Request(s.Event(in), time.Now())
		body, err := io.ReadAll(r.Body)
		return map[string]any{"headers": r.Header, "body": string(body)}, err
	}))
	mux.HandleFunc("GET /control/chats", func(w http.ResponseWriter, _ *http.Request) { faketest.Show(w, s.Chats()) })
	mux.HandleFunc("GET /control/acks", func(w http.ResponseWriter, _ *http.Request) { faketest.Show(w, s.Acks()) })
	mux.HandleFunc("GET /control/calls", func(w http.ResponseWriter, r *http.Request) { faketest.Show(w, s.Calls(r.FormValue("method"))) })
	mux.HandleFunc("GET /control/wait", s.Await(s.shown, func(r *http.Request) any { return s.Chat(r.FormValue("chat")) }))
}

// shown reports whether the bot has written the words in the chat that a request names, or without a chat
// whether there is a connection.
func (s *Server) shown(r *http.Request) bool {
	chat := r.FormValue("chat")
	if chat == "" {
		return s.Connected() > 0
	}
	return slices.ContainsFunc(s.FromBot(chat), func(m Message) bool { return strings.Contains(m.Text, r.FormValue("contains")) })
}

// SetFragment cuts events into frames of so many bytes from now on; 0 is not.
func (s *Server) SetFragment(bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Fragment = bytes
}

// ServeMain runs a Server as a process: flags -addr-file (where the URL is written once it listens),
// -app-id, -secret, -listen and -first; unless -talk=false, who sits at the terminal is a person who writes to the bot. It
// ends with ctx and gives the exit code.
func ServeMain(ctx context.Context, args []string) int {
	err := serve(ctx, args)
	if errors.Is(err, flag.ErrHelp) {
		err = nil
	}
	return faketest.Exit("feishutest", err)
}

func serve(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("feishutest", flag.ContinueOnError)
	addrFile := fs.String("addr-file", "", "file that gets the URL")
	appID := fs.String("app-id", "", "the app's id")
	secret := fs.String("secret", "", "the app's secret")
	listen := fs.String("listen", "127.0.0.1:0", "address to listen on")
	first := fs.Int("first", 0, "number from which ids are counted")
	talk := fs.Bool("talk", true, "read lines from the terminal and show the chat")
	if err := fs.Parse(args); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	s := New(Options{AppID: *appID, Secret: *secret, First: *first, Ladder: []time.Duration{15 * time.Second}})
	s.URL = "http://" + ln.Addr().String()
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	context.AfterFunc(ctx, func() { s.Close(); _ = web.Close() })
	if *addrFile != "" {
		if err := faketest.Announce(*addrFile, s.URL); err != nil {
			return err
		}
	}
	if *talk {
		go func() { s.talk(ctx, os.Stdin, os.Stdout); stop() }()
	}
	return web.Serve(ln)
}
