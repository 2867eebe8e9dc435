package admin

import "net/http"

// Handler gives the API as a handler, for servers of one's own.
func (s *Server) Handler() http.Handler { return s.handler }
