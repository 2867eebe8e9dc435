package sandbox

import (
	"bytes"
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The kernel keeps keys for each user (tickets of Kerberos are some), and no namespace hides those of the daemon's
// own: whoever is the same user outside finds them by their number. So a program has no keys at all: the calls for
// them are answered as by a kernel without them. A filter is the only way to say so.

// machine is what a filter knows calls by: the kernel's name of an architecture, and the three numbers there.
type machine struct{ arch, addKey, requestKey, keyctl uint32 }

// beside are those whose programs run beside the machine's own.
var beside = []machine{
	{unix.AUDIT_ARCH_I386, 286, 287, 288},
	{unix.AUDIT_ARCH_ARM, 309, 310, 311},
}

var native = machine{0, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL}

// x32 marks the calls of programs with short pointers on amd64; nobody else has so many.
const x32 = 0x40000000

// Where a filter finds the number of a call and its architecture (struct seccomp_data).
const (
	dataCall = 0
	dataArch = 4
)

// keyFilter gives the filter: for each foreign architecture a test that steps over its part, then the native one.
func keyFilter() (f []unix.SockFilter) {
	f = append(f, load(dataArch))
	for _, m := range beside {
		part := m.filter()
		f = append(f, unless(m.arch, len(part)))
		f = append(f, part...)
	}
	return append(f, native.filter()...)
}

// filter gives what refuses the three calls and lets all others through.
func (m machine) filter() []unix.SockFilter {
	return []unix.SockFilter{
		load(dataCall),
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: ^uint32(x32)},
		when(m.addKey, 3),
		when(m.requestKey, 2),
		when(m.keyctl, 1),
		answer(unix.SECCOMP_RET_ALLOW),
		answer(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)),
	}
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

// when jumps over so many steps if the loaded word is k, and unless if it is not.
func when(k uint32, over int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jt: uint8(over)}
}

func unless(k uint32, over int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jf: uint8(over)}
}

func answer(k uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k}
}

// filterBytes gives the filter as it lies in memory, which is what bwrap takes.
func filterBytes() string {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.NativeEndian, keyFilter()) // to memory, of a fixed size
	return b.String()
}

// withoutKeys sets the filter for this thread and all that it starts. Further rights must be barred already.
func withoutKeys(job) error {
	f := keyFilter()
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&prog)), 0, 0)
}
