package sandbox_test

import (
	"testing"

	"github.com/akitad/akitad/internal/sandbox"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	goleak.VerifyTestMain(m)
}
