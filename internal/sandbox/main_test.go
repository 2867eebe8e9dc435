package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/sandbox"
)

// The variables by which the test program is told to be a daemon that runs one program.
const (
	daemonRung = "AKITA_TEST_RUNG"
	daemonDir  = "AKITA_TEST_DIR"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	if rung := os.Getenv(daemonRung); rung != "" {
		box := sandbox.New(sandbox.Options{Rungs: []string{rung}})
		_, err := box.Run(context.Background(), sandbox.Command{
			Argv: []string{"sh", "-c", holdAlive + "setsid sleep 600 & sleep 600"}, Dir: os.Getenv(daemonDir),
		})
		fmt.Println("ended:", err)
		os.Exit(1)
	}
	if len(os.Args) == 4 && os.Args[1] == keyThief {
		stealKey(os.Args[2], os.Args[3])
		return
	}
	leaktest.Main(m)
}
