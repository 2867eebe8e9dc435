package markdown

import "strings"

// leastPiece is how long a text is at most that is not halved any more, in characters.
const leastPiece = 500

// Halves cuts a text without markup in two, before its middle: behind a line, a sentence or a word, else between
// two letters. It gives nil for one that is short.
func Halves(text string) []string {
	runes := []rune(text)
	if len(runes) <= leastPiece {
		return nil
	}
	at := 0
	for at < len(runes)/2 {
		at = clusterEnd(runes, at)
	}
	half := string(runes[:at])
	for _, end := range []string{"\n", "。", " "} {
		if i := strings.LastIndex(half, end); i > len(half)/2 {
			half = half[:i+len(end)]
			break
		}
	}
	var out []string
	for _, piece := range []string{half, text[len(half):]} {
		if piece = strings.Trim(piece, "\n"); strings.TrimSpace(piece) != "" {
			out = append(out, piece)
		}
	}
	return out
}
