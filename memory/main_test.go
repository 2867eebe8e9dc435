package memory_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/memory"
)

// TestMain lets the test binary be a writer process of its own: the crash tests start it again with
// a job in its environment.
func TestMain(m *testing.M) {
	if job := os.Getenv("MEMORY_TEST_JOB"); job != "" {
		if err := work(job); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	leaktest.Main(m)
}

// work writes entries and prints each as it is acknowledged.
func work(job string) error {
	var dir, name string
	var n, limit int
	if _, err := fmt.Sscan(job, &dir, &name, &n, &limit); err != nil {
		return err
	}
	if limit > 0 { // as good as a full disk: the kernel refuses to write beyond this size
		signal.Ignore(syscall.SIGXFSZ)
		size := &syscall.Rlimit{Cur: uint64(limit), Max: uint64(limit)}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, size); err != nil {
			return err
		}
	}
	m, err := memory.Open(dir, memory.Options{})
	if err != nil {
		return err
	}
	for i := range n {
		text := fmt.Sprintf("Writer %s keeps number %d of the zebra house", name, i)
		if _, err := m.Remember(context.Background(), memory.Entry{Text: text}); err != nil {
			return err
		}
		fmt.Println(text)
	}
	return m.Close()
}
