package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/gif" // for the sizes of pictures
	_ "image/jpeg"
	_ "image/png"
	"path"
	"strconv"
	"strings"
)

// The sizes that the Bot API holds (Sending files; sendPhoto).
const (
	maxDownload = 20 << 20 // bytes, getFile
	maxUpload   = 50 << 20
	maxPhoto    = 10 << 20
	maxSides    = 10_000 // width and height of a photo together
	maxRatio    = 20     // of a photo's sides
)

// fileMethods are the methods that send one file, with the field that holds it.
var fileMethods = map[string]string{
	"sendDocument": "document", "sendPhoto": "photo", "sendSticker": "sticker", "sendVoice": "voice",
	"sendAudio": "audio", "sendVideo": "video", "sendAnimation": "animation",
}

func (s *Server) sendFile(p params, kind string) (any, *apiError) {
	c, err := s.target(p)
	if err != nil {
		return nil, err
	}
	if err := c.checkThread(p); err != nil {
		return nil, err
	}
	u, err := s.uploaded(p, p.values[kind], kind)
	if err != nil {
		return nil, err
	}
	if err := fits(kind, *u); err != nil {
		return nil, err
	}
	text, entities, err := parse(p.values["caption"], p.values["parse_mode"], 1024, "message caption is too long")
	if err != nil {
		return nil, err
	}
	return s.put(c, p, Message{Text: text, Raw: p.values["caption"], Entities: entities, File: u, Kind: kind})
}

// uploaded returns the bytes of a field: sent along, attached under a name, or known by their id.
func (s *Server) uploaded(p params, value, field string) (*Upload, *apiError) {
	name, attached := strings.CutPrefix(value, "attach://")
	if !attached {
		name = field
	}
	if u := p.uploads[name]; u != nil {
		return u, nil
	}
	if u, ok := s.files[value]; ok {
		return &u, nil
	}
	if value != "" {
		return nil, refuse(400, "Bad Request: wrong file identifier/HTTP URL specified")
	}
	return nil, refuse(400, "Bad Request: there is no %s in the request", field)
}

func fits(kind string, u Upload) *apiError {
	ext := strings.ToLower(path.Ext(u.Name))
	switch {
	case len(u.Bytes) == 0:
		return refuse(400, "Bad Request: file must be non-empty")
	case len(u.Bytes) > maxUpload:
		return refuse(413, "Request Entity Too Large")
	case kind == "photo" && len(u.Bytes) > maxPhoto:
		return refuse(400, "Bad Request: file of size %d bytes is too big for a photo; the maximum size is %d bytes", len(u.Bytes), maxPhoto)
	case kind == "photo":
		return photoFits(u.Bytes)
	case kind == "sticker" && ext != ".webp" && ext != ".tgs" && ext != ".webm":
		return refuse(400, "Bad Request: STICKER_INVALID")
	}
	return nil
}

func photoFits(body []byte) *apiError {
	if bytes.HasPrefix(body, []byte("RIFF")) && bytes.Contains(body[:min(len(body), 16)], []byte("WEBP")) {
		return nil
	}
	cfg, _, err := image.DecodeConfig(bytes.NewReader(body))
	switch {
	case err != nil:
		return refuse(400, "Bad Request: IMAGE_PROCESS_FAILED")
	case cfg.Width+cfg.Height > maxSides, max(cfg.Width, cfg.Height) > maxRatio*min(cfg.Width, cfg.Height):
		return refuse(400, "Bad Request: PHOTO_INVALID_DIMENSIONS")
	}
	return nil
}

// sendMediaGroup puts two to ten files into a chat as one album.
func (s *Server) sendMediaGroup(p params) (any, *apiError) {
	c, err := s.target(p)
	if err != nil {
		return nil, err
	}
	if err := c.checkThread(p); err != nil {
		return nil, err
	}
	var media []struct{ Type, Media, Caption string }
	if json.Unmarshal([]byte(p.values["media"]), &media) != nil || len(media) < 2 || len(media) > 10 {
		return nil, refuse(400, "Bad Request: wrong number of media in the group")
	}
	var all []Message // or none
	for _, m := range media {
		u, err := s.uploaded(p, m.Media, m.Type)
		if err == nil {
			err = fits(m.Type, *u)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, Message{Text: m.Caption, Raw: m.Caption, File: u, Kind: m.Type, Album: strconv.Itoa(c.next + 1)})
	}
	for range all[1:] {
		s.count(c) // each is a message
	}
	var out []any
	for _, m := range all {
		sent, err := s.put(c, p, m)
		if err != nil {
			return nil, err
		}
		out = append(out, sent)
	}
	return out, nil
}

func (s *Server) getFile(p params) (any, *apiError) {
	id := p.values["file_id"]
	f, ok := s.files[id]
	switch {
	case !ok:
		return nil, refuse(400, "Bad Request: wrong file_id or the file is temporarily unavailable")
	case len(f.Bytes) > maxDownload:
		return nil, refuse(400, "Bad Request: file is too big")
	}
	return wireFile{ID: id, UID: "u-" + id, Size: len(f.Bytes), Path: "documents/" + id + path.Ext(f.Name)}, nil
}

// keep stores a file for getFile.
func (s *Server) keep(u Upload) wireFile {
	id := fmt.Sprintf("file-%d", len(s.files)+1)
	s.files[id] = u
	return wireFile{ID: id, UID: "u-" + id, Size: len(u.Bytes), Name: u.Name}
}
