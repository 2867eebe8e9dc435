package transcribe

import (
	"bytes"
	"path"
	"strings"
)

// endings are those of one format that the service knows by another name.
var endings = map[string]string{".oga": ".ogg", ".opus": ".ogg", ".spx": ".ogg", ".aac": ".m4a", ".mpga": ".mp3", ".mpeg": ".mp3"}

// fileName is the name under which a recording is sent: the service tells its format by the ending.
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

// sniff tells the format by the first bytes.
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
