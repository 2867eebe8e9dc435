package access

import (
	"strings"
	"testing"
)

// No sign of a code is taken for another one, and all the others occur.
func TestSignsOfCodes(t *testing.T) {
	var drawn strings.Builder
	for range 500 {
		code, err := newCode()
		if err != nil || len(code) != 8 {
			t.Fatalf("%q, %v", code, err)
		}
		drawn.WriteString(code)
	}
	if strings.ContainsAny(drawn.String(), "0O1I") {
		t.Errorf("a sign that is taken for another one: %s", drawn.String())
	}
	for _, sign := range "ABCDEFGHJKLMNPQRSTUVWXYZ23456789" {
		if !strings.ContainsRune(drawn.String(), sign) {
			t.Errorf("%c is in none of 500 codes", sign)
		}
	}
}
