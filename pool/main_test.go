package pool_test

import (
	"testing"
	"time"

	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// patience is how long a test waits for what takes milliseconds. No renewal of a claim comes sooner.
const patience = time.Minute
