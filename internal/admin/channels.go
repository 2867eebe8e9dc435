package admin

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/client"
)

// Service is a chat service that the configuration knows.
type Service struct {
	Name    string
	Enabled bool
	Mode    string
	Door    *access.Door // who may talk; nil if the service is off
}

type pairIn struct {
	Body struct {
		Code string `json:"code" minLength:"1" maxLength:"64" doc:"As the person was told it."`
		By   string `json:"by,omitempty" default:"http" pattern:"^[a-z0-9._:-]{1,40}$" doc:"What is noted as who decided."`
	}
}

type pairedOut struct{ Body client.Paired }

type personIn struct {
	Name string `path:"name" maxLength:"40" doc:"Name of a channel."`
	Body struct {
		ID string `json:"id" minLength:"1" maxLength:"128" doc:"The person's id in that service, as /id tells it."`
		By string `json:"by,omitempty" default:"http" pattern:"^[a-z0-9._:-]{1,40}$" doc:"What is noted as who decided."`
	}
}

type channelOut struct{ Body client.Channel }

func (s *Server) channelRoutes() {
	get(s, "list-channels", "/v1/channels", "The chat services, how they are, and who may talk through them", s.channels)
	route(s, huma.Operation{
		OperationID: "pair", Method: http.MethodPost, Path: "/v1/channels/pair", Summary: "Let in whoever was told a pairing code",
	}, s.pair)
	for name, turn := range map[string]func(*access.Door, context.Context, string, string) error{"allow": (*access.Door).Allow, "deny": (*access.Door).Deny} {
		route(s, huma.Operation{
			OperationID: name + "-person", Method: http.MethodPost, Path: "/v1/channels/{name}/" + name,
			Summary: map[string]string{"allow": "Let a person talk through a channel", "deny": "Shut a person out of a channel"}[name],
		}, func(ctx context.Context, in *personIn) (*channelOut, error) { return s.turnPerson(ctx, in, turn) })
	}
}

func (s *Server) channels(ctx context.Context) ([]client.Channel, error) {
	var health map[string]error
	if s.Channels != nil {
		health = s.Channels()
	}
	var out []client.Channel
	for _, svc := range s.Services {
		ch, err := channelOf(ctx, svc, health)
		if err != nil {
			return nil, err
		}
		out = append(out, ch)
	}
	return out, nil
}

func channelOf(ctx context.Context, svc Service, health map[string]error) (client.Channel, error) {
	out := client.Channel{
		Name: svc.Name, Enabled: svc.Enabled, Mode: svc.Mode, Health: "off",
		Allow: []string{}, Owners: []string{}, Groups: []string{}, People: []client.Known{}, Denied: []client.Known{}, Pending: []client.Asking{},
	}
	if err, served := health[svc.Name]; err != nil {
		out.Health = err.Error()
	} else if served {
		out.Health = ok
	} else if svc.Enabled {
		out.Health = "not served by this process"
	}
	if svc.Door == nil {
		return out, nil
	}
	l, err := svc.Door.List(ctx)
	if err != nil {
		return out, err
	}
	out.Allow, out.Owners, out.Groups, out.Pairing = listed(l.Allow), listed(l.Owners), listed(l.Groups), l.Pairing
	out.People, out.Denied = knownPeople(l.People), knownPeople(l.Denied)
	for _, w := range l.Waiting {
		out.Pending = append(out.Pending, client.Asking{ID: w.ID, Name: w.Name, Since: w.Since, Until: w.Until})
	}
	return out, nil
}

// listed is a list that is never null in JSON.
func listed(words []string) []string { return append([]string{}, words...) }

func knownPeople(people []access.Person) []client.Known {
	out := []client.Known{}
	for _, p := range people {
		out = append(out, knownPerson(p))
	}
	return out
}

func knownPerson(p access.Person) client.Known {
	return client.Known{ID: p.ID, Name: p.Name, At: p.At, By: p.By}
}

// pair asks the doors of all services for the code: a code is good at one.
func (s *Server) pair(ctx context.Context, in *pairIn) (*pairedOut, error) {
	var miss error
	for _, svc := range s.Services {
		if svc.Door == nil {
			continue
		}
		p, err := svc.Door.Pair(ctx, in.Body.Code, in.Body.By)
		switch kind := akitad.KindOf(err); {
		case err == nil:
			return &pairedOut{client.Paired{Channel: svc.Name, Known: knownPerson(p)}}, nil
		case kind != akitad.NotFound && kind != akitad.Expired:
			return nil, problem(err)
		case miss == nil || kind == akitad.Expired:
			miss = err
		}
	}
	return nil, problem(cmp.Or(miss, error(akitad.Errorf(akitad.NotFound, "no chat service is on, so that there are no pairing codes").
		WithHint("switch one on in the configuration: see akitad channel ls"))))
}

func (s *Server) turnPerson(ctx context.Context, in *personIn, turn func(*access.Door, context.Context, string, string) error) (*channelOut, error) {
	svc, err := s.service(in.Name)
	if err == nil {
		err = turn(svc.Door, ctx, in.Body.ID, in.Body.By)
	}
	if err != nil {
		return nil, problem(err)
	}
	var health map[string]error
	if s.Channels != nil {
		health = s.Channels()
	}
	out, err := channelOf(ctx, svc, health)
	if err != nil {
		return nil, problem(err)
	}
	return &channelOut{out}, nil
}

// service gives a chat service that is on.
func (s *Server) service(name string) (Service, error) {
	at := slices.IndexFunc(s.Services, func(svc Service) bool { return svc.Name == name })
	if at < 0 {
		var names []string
		for _, svc := range s.Services {
			names = append(names, svc.Name)
		}
		return Service{}, akitad.Errorf(akitad.NotFound, "no channel is called %q", name).WithHint("known: " + strings.Join(names, ", "))
	}
	if s.Services[at].Door == nil {
		return Service{}, akitad.Errorf(akitad.NotFound, "the channel %s is off", name).WithHint("switch it on with channels." + name + " in akitad.yaml, see akitad config explain")
	}
	return s.Services[at], nil
}
