package transcribe

import (
	"bytes"
	"path"
	"strings"
)

// endings maps endings to those by which the service knows the same format.
var endings = map[string]string{".oga": ".ogg", ".opus": ".ogg", ".spx": ".ogg", ".aac": ".m4a", ".mpga": ".mp3", ".mpeg": ".mp3"}

// fileName returns the name under which a recording is sent. The service recognises the format by its ending.
func fileName(name string, audio []byte) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	ext := strings.ToLower(path.Ext(name))
	stem := strings.TrimSuffix(name, path.Ext(name))
	if ext == "." {
		ext = ""
	}
	if strings.Trim(stem, "./") == "" {
		stem = "voice"
	}
	switch {
	case endings[ext] != "":
		ext = endings[ext]
	case ext == "" || ext == ".bin" || ext == ".dat" || ext == ".voice":
		ext = sniff(audio)
	}
	return stem + ext
}

// sniff recognises the format by the first bytes.
func sniff(audio []byte) string {
	for begin, ext := range map[string]string{
		"OggS": ".ogg", "RIFF": ".wav", "ID3": ".mp3", "\xff\xfb": ".mp3", "\xff\xf3": ".mp3", "\xff\xf2": ".mp3",
		"fLaC": ".flac", "\x1aE\xdf\xa3": ".webm", "#!AMR": ".amr",
	} {
		if bytes.HasPrefix(audio, []byte(begin)) {
			return ext
		}
	}
	if len(audio) > 8 && string(audio[4:8]) == "ftyp" {
		return ".m4a"
	}
	return ".ogg"
}
