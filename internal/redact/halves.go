package redact

// A key of Zhipu is its number, as 32 hexadecimal digits, a full stop and its secret.
const (
	numberLen = 32
	secretLen = 16
)

// inHalves takes the keys of Zhipu out, which begin with nothing that tells them.
func inHalves(s string) string {
	var out []byte
	last := 0
	for stop := numberLen; stop+secretLen < len(s); stop++ {
		if s[stop] == '.' && isHalves(s, stop) {
			out = append(append(out, s[last:stop-numberLen]...), Mark...)
			last = stop + 1 + secretLen
		}
	}
	if last == 0 {
		return s
	}
	return string(append(out, s[last:]...))
}

// isHalves reports whether the full stop at a point stands between the halves of a key.
func isHalves(s string, stop int) bool {
	start, end := stop-numberLen, stop+1+secretLen
	secret := s[stop+1 : end]
	return hexes.end(s, start) == stop && begins(s, start) && alnums.end(s, stop+1) == end && random(secret)
}
