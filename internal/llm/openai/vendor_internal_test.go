package openai

import (
	"slices"
	"testing"

	"github.com/akitad/akitad/internal/config"
)

// The configuration knows the vendors by the same names.
func TestVendorsAreThoseOfTheConfiguration(t *testing.T) {
	var names []string
	for _, v := range vendors() {
		names = append(names, v.name)
	}
	if got := config.ModelVendors(); !slices.Equal(got, names) {
		t.Errorf("configuration %q, protocol %q", got, names)
	}
}
