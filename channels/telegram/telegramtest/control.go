package telegramtest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/akitad/akitad/internal/faketest"
)

// control adds the routes by which another process plays the persons:
//
//	POST /control/say    {"from":7,"chat":0,"text":"hi", ...Said}  -> {"message_id":1}
//	POST /control/press  {"from":7,"chat":0,"message":2,"data":"yes"}  -> {"id":"..."}, 409 if there is no such button
//	GET  /control/pressed?id=ID                                    -> Pressed
//	POST /control/push   an update without update_id               -> {"update_id":100}
//	POST /control/fail   Fault                                     -> {}
//	GET  /control/chats                                            -> {"7":[Message...]}
//	GET  /control/calls?method=sendMessage                         -> [Call...]
//	GET  /control/wait?chat=7&contains=hello&timeout=10s           -> [Message...], 504 if it never comes
//
// wait looks at the bot's messages as they stand.
func (s *Server) control(mux *http.ServeMux) {
	mux.HandleFunc("POST /control/say", faketest.Route(func(in struct {
		From, Chat int64
		Text       string
		Said
	},
	) (any, error) {
		if in.From == 0 {
			return nil, errors.New("from is needed")
		}
		return map[string]int{"message_id": s.Say(in.From, in.Chat, in.Text, in.Said)}, nil
	}))
	mux.HandleFunc("POST /control/press", s.controlPress)
	mux.HandleFunc("GET /control/pressed", func(w http.ResponseWriter, r *http.Request) { faketest.Show(w, s.Pressed(r.FormValue("id"))) })
	mux.HandleFunc("POST /control/push", faketest.Route(func(in json.RawMessage) (any, error) {
		id, err := s.Push(string(in))
		return map[string]int64{"update_id": id}, err
	}))
	mux.HandleFunc("POST /control/fail", faketest.Route(func(in Fault) (any, error) { s.Fail(in); return struct{}{}, nil }))
	mux.HandleFunc("GET /control/chats", func(w http.ResponseWriter, _ *http.Request) { faketest.Show(w, s.Chats()) })
	mux.HandleFunc("GET /control/calls", func(w http.ResponseWriter, r *http.Request) {
		faketest.Show(w, s.Calls(r.FormValue("method")))
	})
	mux.HandleFunc("GET /control/wait", s.Await(s.shown, func(r *http.Request) any { return s.Chat(chatIn(r)) }))
}

func chatIn(r *http.Request) int64 {
	chat, _ := strconv.ParseInt(r.FormValue("chat"), 10, 64)
	return chat
}

// shown reports whether the bot has written the words in the chat that a request names.
func (s *Server) shown(r *http.Request) bool {
	return slices.ContainsFunc(s.FromBot(chatIn(r)), func(m Message) bool { return strings.Contains(m.Text, r.FormValue("contains")) })
}

func (s *Server) controlPress(w http.ResponseWriter, r *http.Request) {
	var in struct {
		From, Chat int64
		Message    int
		Data       string
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	id := s.Press(in.From, in.Chat, in.Message, in.Data)
	if id == "" {
		http.Error(w, "there is no such button", http.StatusConflict)
		return
	}
	faketest.Show(w, map[string]string{"id": id})
}

// ServeMain runs a Server as a process: flags -addr-file (where the URL is written once it
// listens), -token, -username and -listen. It ends at SIGTERM or an interrupt and gives the exit
// code.
func ServeMain(args []string) int {
	return faketest.Exit("telegramtest", serve(args))
}

func serve(args []string) error {
	fs := flag.NewFlagSet("telegramtest", flag.ContinueOnError)
	addrFile := fs.String("addr-file", "", "file that gets the URL")
	token := fs.String("token", "4242:test-token", "the bot's token")
	username := fs.String("username", "", "the bot's name")
	listen := fs.String("listen", "127.0.0.1:0", "address to listen on")
	if err := fs.Parse(args); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	s := New(*token, Options{Username: *username})
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() {
		s.Close()
		_ = web.Close()
	})
	if err := faketest.Announce(*addrFile, "http://"+ln.Addr().String()); err != nil {
		return err
	}
	return web.Serve(ln)
}
