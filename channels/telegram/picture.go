package telegram

import (
	"bytes"
	"encoding/binary"
)

// sides reads the width and height in pixels that a png, jpeg or gif names in its head, false for
// anything else. The decoders of the standard library read whole pictures and are a hundred times larger.
func sides(data []byte) (width, height int, ok bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) && len(data) >= 24:
		return int(binary.BigEndian.Uint32(data[16:])), int(binary.BigEndian.Uint32(data[20:])), true
	case isGIF(data) && len(data) >= 10:
		return int(binary.LittleEndian.Uint16(data[6:])), int(binary.LittleEndian.Uint16(data[8:])), true
	case bytes.HasPrefix(data, []byte{0xff, 0xd8}):
		return frame(data[2:])
	}
	return 0, 0, false
}

func isGIF(data []byte) bool {
	return bytes.HasPrefix(data, []byte("GIF87a")) || bytes.HasPrefix(data, []byte("GIF89a"))
}

// frame looks through a jpeg's segments (ISO/IEC 10918-1, B.1.1) for the one that begins a frame.
func frame(data []byte) (width, height int, ok bool) {
	for len(data) >= 9 && data[0] == 0xff {
		switch marker := data[1]; {
		case marker == 0xff || marker == 0x01 || marker >= 0xd0 && marker <= 0xd8: // padding, or a marker without a length
			data = data[1:]
			if marker != 0xff {
				data = data[1:]
			}
			continue
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return int(binary.BigEndian.Uint16(data[7:])), int(binary.BigEndian.Uint16(data[5:])), true
		}
		n := 2 + int(binary.BigEndian.Uint16(data[2:]))
		if n < 4 || n > len(data) {
			return 0, 0, false
		}
		data = data[n:]
	}
	return 0, 0, false
}
