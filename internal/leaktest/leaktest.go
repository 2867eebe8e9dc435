// Package leaktest ends a package's tests with a look for goroutines that were left behind. It is
// not for production.
package leaktest

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long a loaded machine may take to end the goroutines that are on their way out;
// the library's own is half a second.
const patience = time.Minute

// Main runs the tests of a TestMain and exits: with 1 if they left goroutines that do not end.
func Main(m *testing.M) { goleak.VerifyTestMain(patient{m}) }

type patient struct{ tests *testing.M }

func (p patient) Run() int {
	code := p.tests.Run()
	for began := time.Now(); code == 0 && time.Since(began) < patience; {
		if goleak.Find() == nil {
			break
		}
	}
	return code
}
