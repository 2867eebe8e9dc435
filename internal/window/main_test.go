package window_test

import (
	"flag"
	"testing"

	"github.com/akitad/akitad/internal/leaktest"
)

// histories is how many the property tests draw where nobody asks for another number.
const histories = "1000"

func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		_ = flag.Set("rapid.checks", histories) // the flag is rapid's and there
	}
	leaktest.Main(m)
}
