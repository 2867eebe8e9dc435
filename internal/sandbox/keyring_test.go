package sandbox_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/akitad/akitad/internal/sandbox"
)

// keyThief is the first argument by which this program is told to look for a key of the daemon's user, and
// keyless what it says where it finds none and no call for them.
const (
	keyThief = "look for a key"
	keyless  = "add_key: function not implemented\nrequest_key: function not implemented\nlink: function not implemented\nread: function not implemented\n"
)

// stealKey makes the calls by which a program gets at a key of its user's ring: it links the ring to that of its
// session, which makes what is in it the program's own, and reads. It prints what comes of each.
func stealKey(ring, key string) {
	from, ferr := strconv.Atoi(ring)
	what, werr := strconv.Atoi(key)
	if err := errors.Join(ferr, werr); err != nil {
		fmt.Println(err)
		return
	}
	_, err := unix.AddKey("user", "another", []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
	fmt.Println("add_key:", err)
	_, err = unix.RequestKey("user", "akita-"+secret, "", 0)
	fmt.Println("request_key:", err)
	_, err = unix.KeyctlInt(unix.KEYCTL_LINK, from, unix.KEY_SPEC_SESSION_KEYRING, 0, 0)
	fmt.Println("link:", err)
	found := make([]byte, 100)
	if n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, what, found, 0); err != nil {
		fmt.Println("read:", err)
	} else {
		fmt.Printf("read: %s\n", found[:min(n, len(found))])
	}
}

// A kernel that keeps no keys has none to give, and answers the same: only the calls are asked for there.
func testKeys(y *yard) {
	ring, key := 0, 0
	if planted, err := unix.AddKey("user", "akita-"+secret, []byte(secret), unix.KEY_SPEC_USER_KEYRING); err == nil {
		defer func() {
			_, err := unix.KeyctlInt(unix.KEYCTL_INVALIDATE, planted, 0, 0, 0)
			y.must(err)
		}()
		key = planted
		ring, err = unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, false)
		y.must(err)
	}
	self, err := os.Executable()
	y.must(err)
	program, err := os.ReadFile(self)
	y.must(err)
	y.must(os.WriteFile(filepath.Join(y.dir, "thief"), program, 0o700))
	out, err := y.box.Run(y.t.Context(), sandbox.Command{Argv: []string{"./thief", keyThief, strconv.Itoa(ring), strconv.Itoa(key)}, Dir: y.dir})
	y.must(err)
	if got := string(out.Stdout); got != keyless {
		y.t.Errorf("a program that looks for a key of its user's says %q%s, want %q", got, out.Stderr, keyless)
	}
}
