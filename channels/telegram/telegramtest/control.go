package telegramtest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
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
	mux.HandleFunc("POST /control/say", s.controlSay)
	mux.HandleFunc("POST /control/press", s.controlPress)
	mux.HandleFunc("GET /control/pressed", func(w http.ResponseWriter, r *http.Request) { reply(w, s.Pressed(r.FormValue("id"))) })
	mux.HandleFunc("POST /control/push", s.controlPush)
	mux.HandleFunc("POST /control/fail", s.controlFail)
	mux.HandleFunc("GET /control/chats", func(w http.ResponseWriter, _ *http.Request) { reply(w, s.Chats()) })
	mux.HandleFunc("GET /control/calls", func(w http.ResponseWriter, r *http.Request) {
		reply(w, s.Calls(r.FormValue("method")))
	})
	mux.HandleFunc("GET /control/wait", s.controlWait)
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(body)
}

func (s *Server) controlSay(w http.ResponseWriter, r *http.Request) {
	var in struct {
		From, Chat int64
		Text       string
		Said
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.From == 0 {
		http.Error(w, fmt.Sprintf("from and text are needed: %v", err), http.StatusBadRequest)
		return
	}
	reply(w, map[string]int{"message_id": s.Say(in.From, in.Chat, in.Text, in.Said)})
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
	reply(w, map[string]string{"id": id})
}

func (s *Server) controlPush(w http.ResponseWriter, r *http.Request) {
	var raw json.RawMessage
	err := json.NewDecoder(r.Body).Decode(&raw)
	if err == nil {
		var id int64
		if id, err = s.Push(string(raw)); err == nil {
			reply(w, map[string]int64{"update_id": id})
			return
		}
	}
	http.Error(w, err.Error(), http.StatusBadRequest)
}

func (s *Server) controlFail(w http.ResponseWriter, r *http.Request) {
	var f Fault
	if err := json.NewDecoder(r.Body).Decode(&f); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.Fail(f)
	reply(w, struct{}{})
}

func (s *Server) controlWait(w http.ResponseWriter, r *http.Request) {
	timeout, err := time.ParseDuration(r.FormValue("timeout"))
	if err != nil {
		timeout = time.Minute
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	chat, _ := strconv.ParseInt(r.FormValue("chat"), 10, 64)
	messages, err := s.WaitChat(ctx, chat, func(all []Message) bool {
		for _, m := range all {
			if m.Bot && strings.Contains(m.Text, r.FormValue("contains")) {
				return true
			}
		}
		return false
	})
	if err != nil {
		w.WriteHeader(http.StatusGatewayTimeout)
	}
	reply(w, messages)
}

// ServeMain runs a Server as a process: flags -addr-file (where the URL is written once it
// listens), -token, -username and -listen. It ends at SIGTERM or an interrupt and gives the exit
// code.
func ServeMain(args []string) int {
	if err := serve(args); err != nil && !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintln(os.Stderr, "telegramtest:", err)
		return 1
	}
	return 0
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
	if err := writeAddr(*addrFile, "http://"+ln.Addr().String()); err != nil {
		return err
	}
	return web.Serve(ln)
}

// writeAddr makes the file appear with its content in one step.
func writeAddr(file, url string) error {
	if file == "" {
		_, err := fmt.Println(url)
		return err
	}
	if err := os.WriteFile(file+".tmp", []byte(url), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}
