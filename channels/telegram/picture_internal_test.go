package telegram

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"pgregory.net/rapid"
)

// The library's decoders say the same of each picture that they make themselves.
func TestSidesAreThoseOfThePicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 600).Draw(t, "w"), rapid.IntRange(1, 600).Draw(t, "h")
		img := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black, color.White})
		for name, encode := range map[string]func(*bytes.Buffer) error{
			"png":  func(b *bytes.Buffer) error { return png.Encode(b, img) },
			"jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) },
			"gif":  func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) },
		} {
			var b bytes.Buffer
			if err := encode(&b); err != nil {
				t.Fatal(err)
			}
			if gotW, gotH, ok := sides(b.Bytes()); gotW != w || gotH != h || !ok {
				t.Fatalf("%s of %d x %d: %d x %d, %v", name, w, h, gotW, gotH, ok)
			}
		}
	})
}

func TestSidesOfUnusualJPEGs(t *testing.T) {
	frame := "\xff\xc2\x00\x0b\x08\x01\x02\x03\x04\x01\x01\x11\x00" // progressive, 0x0304 x 0x0102
	for name, tt := range map[string]struct {
		data string
		ok   bool
	}{
		"a picture of a camera: Exif with a thumbnail inside": {"\xff\xd8\xff\xe1\x00\x11Exif\x00\x00\xff\xc0\x00\x0b\x08\x00\x01\x00\x01" + frame, true},
		"padding before a marker":                             {"\xff\xd8\xff\xff\xff" + frame, true},
		"tables first":                                        {"\xff\xd8\xff\xc4\x00\x04\x00\x00" + frame, true},
		"cut off in a segment":                                {"\xff\xd8\xff\xe1\x11\x11Exif", false},
		"a length that cannot be":                             {"\xff\xd8\xff\xe1\x00\x00" + frame, false},
		"nothing but its beginning":                           {"\xff\xd8", false},
		"no picture":                                          {"hello, this is no picture", false},
		"a png cut off":                                       {"\x89PNG\r\n\x1a\n\x00\x00", false},
	} {
		if w, h, ok := sides([]byte(tt.data)); ok != tt.ok || ok && (w != 0x0304 || h != 0x0102) {
			t.Errorf("%s: %d x %d, %v", name, w, h, ok)
		}
	}
}

func FuzzSides(f *testing.F) {
	f.Add([]byte("\xff\xd8\xff\xc4\x00\x04\x00\x00\xff\xc2\x00\x0b\x08\x01\x02\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if w, h, ok := sides(data); !ok && w+h != 0 || w < 0 || h < 0 {
			t.Errorf("%d x %d, %v", w, h, ok)
		}
	})
}
