package feishutest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
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
	mux.HandleFunc("POST /control/say", handle(func(in Said) (any, error) {
		if in.From == "" {
			return nil, errors.New("from is needed")
		}
		return map[string]string{"message_id": s.Say(in)}, nil
	}))
	mux.HandleFunc("POST /control/press", handle(func(in struct{ From, Chat, Message, Label string }) (any, error) {
		return map[string]bool{"pressed": s.Press(in.From, in.Chat, in.Message, in.Label)}, nil
	}))
	mux.HandleFunc("POST /control/fail", handle(func(in Fault) (any, error) { s.Fail(in); return struct{}{}, nil }))
	mux.HandleFunc("POST /control/fragment", handle(func(in struct{ Bytes int }) (any, error) { s.SetFragment(in.Bytes); return struct{}{}, nil }))
	mux.HandleFunc("POST /control/expire", handle(func(in struct{ Status int }) (any, error) { s.ExpireTokens(in.Status); return struct{}{}, nil }))
	mux.HandleFunc("POST /control/drop", handle(func(struct{}) (any, error) { s.Drop(); return struct{}{}, nil }))
	mux.HandleFunc("POST /control/webhook", handle(func(in Said) (any, error) {
		r := s.Request(s.Event(in), time.Now())
		body := new(strings.Builder)
		if _, err := fmt.Fprint(body, readAll(r)); err != nil {
			return nil, err
		}
		return map[string]any{"headers": r.Header, "body": body.String()}, nil
	}))
	mux.HandleFunc("GET /control/chats", func(w http.ResponseWriter, _ *http.Request) { show(w, s.Chats()) })
	mux.HandleFunc("GET /control/acks", func(w http.ResponseWriter, _ *http.Request) { show(w, s.Acks()) })
	mux.HandleFunc("GET /control/calls", func(w http.ResponseWriter, r *http.Request) { show(w, s.Calls(r.FormValue("method"))) })
	mux.HandleFunc("GET /control/wait", s.controlWait)
}

// SetFragment cuts events into frames of so many bytes from now on; 0 is not.
func (s *Server) SetFragment(bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Fragment = bytes
}

func readAll(r *http.Request) string {
	var b strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := r.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String()
		}
	}
}

func show(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(body))
}

func handle[T any](do func(T) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in T
		err := json.NewDecoder(r.Body).Decode(&in)
		if err == nil {
			var out any
			if out, err = do(in); err == nil {
				show(w, out)
				return
			}
		}
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

func (s *Server) controlWait(w http.ResponseWriter, r *http.Request) {
	timeout, err := time.ParseDuration(r.FormValue("timeout"))
	if err != nil {
		timeout = time.Minute
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	chat, words := r.FormValue("chat"), r.FormValue("contains")
	err = s.Wait(ctx, func() bool {
		if chat == "" {
			return s.Connected() > 0
		}
		for _, m := range s.FromBot(chat) {
			if strings.Contains(m.Text, words) {
				return true
			}
		}
		return false
	})
	if err != nil {
		w.WriteHeader(http.StatusGatewayTimeout)
	}
	show(w, s.Chat(chat))
}

// ServeMain runs a Server as a process: flags -addr-file (where the URL is written once it listens),
// -app-id, -secret and -listen; unless -talk=false, who sits at the terminal is a person who writes to the bot. It
// ends with ctx and gives the exit code.
func ServeMain(ctx context.Context, args []string) int {
	if err := serve(ctx, args); err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "feishutest:", err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("feishutest", flag.ContinueOnError)
	addrFile := fs.String("addr-file", "", "file that gets the URL")
	appID := fs.String("app-id", "", "the app's id")
	secret := fs.String("secret", "", "the app's secret")
	listen := fs.String("listen", "127.0.0.1:0", "address to listen on")
	talk := fs.Bool("talk", true, "read lines from the terminal and show the chat")
	if err := fs.Parse(args); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	s := New(Options{AppID: *appID, Secret: *secret, Ladder: []time.Duration{15 * time.Second}})
	s.URL = "http://" + ln.Addr().String()
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	context.AfterFunc(ctx, func() { s.Close(); _ = web.Close() })
	if *addrFile != "" {
		if err := os.WriteFile(*addrFile, []byte(s.URL), 0o600); err != nil {
			return err
		}
	}
	if *talk {
		go func() { s.talk(ctx, os.Stdin, os.Stdout); stop() }()
	}
	return web.Serve(ln)
}
