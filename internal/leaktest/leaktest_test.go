package leaktest_test

import (
	"testing"
	"time"

	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// What ends late is no leak: this package passes.
func TestLateEndIsNoLeak(t *testing.T) {
	go time.Sleep(1500 * time.Millisecond)
	t.Log("the goroutine ends after the tests")
}
