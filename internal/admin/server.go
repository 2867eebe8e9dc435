// Package admin is the HTTP API: tasks, their events and traces, agents, endpoints and memory. It
// holds no state and decides nothing: each route asks the part of the house that knows.
package admin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/controls"
	"github.com/akitad/akitad/internal/disk"
	rules "github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/knowledge"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/memory"
	"github.com/akitad/akitad/orchestrator"
)

// Deps is what the API asks. Router, Controls, Health and Channels may be nil.
type Deps struct {
	Bus          *bus.Bus
	Journal      *journal.Journal
	Projection   *projection.Projection
	Orchestrator *orchestrator.Orchestrator
	Router       *llm.Router
	Profiles     Profiles
	Tools        Toolbox
	Memory       *memory.Memory
	Knowledge    *knowledge.Base // nil serves none
	Controls     *controls.Controls
	Health       *fallback.Ledger        // of the profiles
	Channels     func() map[string]error // health of each channel; nil for none
	Services     []Service               // the chat services, those that are off too
	Log          *zap.Logger
}

// Profiles tells which kinds of agent exist.
type Profiles interface {
	// Described gives each profile's name and description, in order of name.
	Described() []llm.BriefProfile
}

// Options tune a Server. Listen and Token are required.
type Options struct {
	Listen     string // host:port; port 0 takes a free one
	Token      string
	TLSCert    string
	TLSKey     string
	Insecure   bool      // plain HTTP beyond loopback is the owner's decision
	DaemonFile string    // where the address is written for the command line; empty writes nothing
	Room       disk.Room // what the disk must have for new work
	Version    string
	// Hooks serves what chat services call below /hooks/, without token: it checks itself who calls, and
	// bounds what it reads. Nil serves nothing there.
	Hooks    http.Handler
	Budget   rules.Limits  // of a root task's tree
	BodyTime time.Duration // in which a request's body must come, default 1 minute
}

// Server is the API.
type Server struct {
	Deps
	opts     Options
	listener net.Listener
	handler  http.Handler
	api      huma.API
}

// New listens and makes the routes; Run serves them. A port in use, or an address beyond loopback
// without TLS, is an error that says what to do.
func New(d Deps, opts Options) (*Server, error) {
	d.Log = cmp.Or(d.Log, zap.NewNop())
	opts.BodyTime = cmp.Or(opts.BodyTime, time.Minute)
	if opts.Token == "" {
		return nil, akitad.Errorf(akitad.InvalidRequest, "the admin token is empty").WithHint("remove admin.token from the home folder: a new one is made")
	}
	if err := checkListen(opts); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", opts.Listen)
	if err != nil {
		return nil, akitad.Errorf(akitad.Unavailable, "the HTTP API cannot listen on %s: %w", opts.Listen, err).
			WithHint("stop what uses the address, or choose another with admin.listen (AKITA_ADMIN_LISTEN), e.g. 127.0.0.1:0 for a free port")
	}
	s := &Server{Deps: d, opts: opts, listener: l}
	s.route()
	return s, nil
}

func checkListen(opts Options) error {
	host, _, err := net.SplitHostPort(opts.Listen)
	if err != nil {
		return akitad.Errorf(akitad.InvalidRequest, "admin.listen %q: %w", opts.Listen, err).WithHint("write host:port, e.g. 127.0.0.1:7717")
	}
	ip := net.ParseIP(host)
	loopback := host == "localhost" || (ip != nil && ip.IsLoopback())
	if loopback || opts.TLSCert != "" || opts.Insecure {
		return nil
	}
	return akitad.Errorf(akitad.InvalidRequest, "admin.listen %s is not a loopback address and there is no TLS", opts.Listen).
		WithHint("set admin.tls_cert and admin.tls_key, or admin.insecure: true if a proxy in front does TLS")
}

func (s *Server) route() {
	mux := http.NewServeMux()
	s.api = humago.New(mux, huma.Config{
		OpenAPI: &huma.OpenAPI{
			Info:       &huma.Info{Title: "akitad", Version: cmp.Or(s.opts.Version, "dev")},
			Components: &huma.Components{SecuritySchemes: map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer"}}},
			Security:   []map[string][]string{{"bearer": {}}},
		},
		OpenAPIPath: "/openapi", Formats: huma.DefaultFormats, DefaultFormat: "application/json",
		Transformers: []huma.Transformer{s.asProblem},
	})
	s.probes()
	s.tasks()
	s.actions()
	s.documents(mux)
	s.others()
	s.channelRoutes()
	s.approvals()
	s.completions(mux)
	s.describeProblems()
	g := newGuard(s.opts.Token, s.opts.Listen)
	if s.opts.Hooks != nil {
		g.hooks = timed(s.opts.Hooks)
	}
	s.handler = g.wrap(readable(known(mux)))
}

// known answers what no route takes as a problem too.
func known(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, asJSON(r))
			return
		}
		if allowed := methods(mux, r); allowed != "" {
			w.Header().Set("Allow", allowed)
			refuse(w, r, http.StatusMethodNotAllowed, "no_method", r.URL.Path+" does not take "+r.Method, "use "+allowed)
			return
		}
		refuse(w, r, http.StatusNotFound, "no_route", "there is nothing at "+r.URL.Path+insteadOf(r.URL.Path), "see /openapi.json for the routes")
	})
}

// methods lists what a path takes, "" if it is no route.
func methods(mux *http.ServeMux, r *http.Request) string {
	var allowed []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch} {
		other := r.Clone(r.Context())
		other.Method = m
		if _, pattern := mux.Handler(other); pattern != "" {
			allowed = append(allowed, m)
		}
	}
	return strings.Join(allowed, ", ")
}

// asJSON reads the type that curl -d gives by default as JSON, the only thing that is taken, in small letters
// or large. The token keeps forms of other sites out.
func asJSON(r *http.Request) *http.Request {
	switch kind := strings.ToLower(r.Header.Get("Content-Type")); kind {
	case "":
	case "application/x-www-form-urlencoded":
		r.Header.Set("Content-Type", "application/json")
	default:
		r.Header.Set("Content-Type", kind)
	}
	return r
}

// URL gives where programs on this machine reach the server.
func (s *Server) URL() string {
	scheme := "http"
	if s.opts.TLSCert != "" {
		scheme = "https"
	}
	addr, ok := s.listener.Addr().(*net.TCPAddr)
	if !ok || !addr.IP.IsUnspecified() {
		return scheme + "://" + s.listener.Addr().String()
	}
	return scheme + "://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(addr.Port))
}

// serving is the key under which a request's context holds that of the server.
type serving struct{}

// stopping reports whether a request was cut off since the server stops.
func stopping(r *http.Request) bool {
	ctx, ok := r.Context().Value(serving{}).(context.Context)
	return ok && ctx.Err() != nil
}

// stopWithin is how long open requests may take to end when the server stops.
const stopWithin = 3 * time.Second

// Run serves until ctx ends, then lets open requests end.
func (s *Server) Run(ctx context.Context) error {
	srv := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return context.WithValue(ctx, serving{}, ctx) },
		ErrorLog:    zap.NewStdLog(s.Log),
	}
	if err := s.sayWhere(); err != nil {
		return errors.Join(err, s.listener.Close())
	}
	stopped := make(chan error, 1)
	defer context.AfterFunc(ctx, func() {
		sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
		defer cancel()
		err := srv.Shutdown(sctx)
		if err != nil {
			err = srv.Close()
		}
		stopped <- err
	})()
	err := s.serve(srv)
	if !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

func (s *Server) serve(srv *http.Server) error {
	if s.opts.TLSCert != "" {
		return srv.ServeTLS(s.listener, s.opts.TLSCert, s.opts.TLSKey)
	}
	return srv.Serve(s.listener)
}

// sayWhere writes the file by which the command line finds the daemon.
func (s *Server) sayWhere() error {
	if s.opts.DaemonFile == "" {
		return nil
	}
	body, err := json.Marshal(client.Daemon{PID: os.Getpid(), URL: s.URL(), Started: time.Now().UTC(), Cert: s.opts.TLSCert})
	if err != nil {
		return err
	}
	tmp := s.opts.DaemonFile + ".new"
	if err := os.WriteFile(tmp, body, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", tmp, err)
	}
	return os.Rename(tmp, s.opts.DaemonFile)
}

// Close gives up the address and removes the file that names it.
func (s *Server) Close(context.Context) error {
	err := s.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	if s.opts.DaemonFile != "" {
		if rerr := os.Remove(s.opts.DaemonFile); rerr != nil && !os.IsNotExist(rerr) {
			err = errors.Join(err, rerr)
		}
	}
	return err
}
