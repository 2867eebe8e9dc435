// Package leaktest checks after a package's tests that no goroutines are left. It is for tests only.
package leaktest

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long ending goroutines may take on a loaded machine. The library's default is half a second.
const patience = time.Minute

// Main is the body of TestMain: it runs the tests and exits, with 1 if goroutines are left.
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
