package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	base   = "/tmp" // any folder that every system has; covered in this mount namespace only
	oldDir = "/old" // where the host's root is, while the new one is built
	newDir = "/new"
)

// buildRoot makes a root that holds the layout and nothing else of the host, and moves into it.
func buildRoot(j job) error {
	for _, step := range []func(job) error{enterBase, addSystem, addKernel, addFolder, enterRoot} {
		if err := step(j); err != nil {
			return err
		}
	}
	return nil
}

// enterBase moves into an empty file system in memory from which the host's root is still in
// reach. What is mounted from here on is seen by nobody else.
func enterBase(job) error {
	if err := unix.Mount("", "/", "", unix.MS_SLAVE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("part from the host's mounts: %w", err)
	}
	if err := unix.Mount("tmpfs", base, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,mode=0755"); err != nil {
		return fmt.Errorf("mount base: %w", err)
	}
	for _, dir := range []string{oldDir, newDir} {
		if err := os.Mkdir(base+dir, 0o755); err != nil {
			return err
		}
	}
	if err := unix.PivotRoot(base, base+oldDir); err != nil {
		return fmt.Errorf("enter base: %w", err)
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return unix.Mount("tmpfs", newDir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,mode=0755")
}

// addSystem shows the host's programs, libraries and settings, read-only.
func addSystem(j job) error {
	for name, target := range j.Layout.Links {
		if err := os.Symlink(target, newDir+name); err != nil {
			return err
		}
	}
	for _, b := range j.Layout.Binds {
		if err := bind(b.From, b.To, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV); err != nil {
			return err
		}
	}
	for name, text := range j.Layout.Files {
		if err := os.MkdirAll(filepath.Dir(newDir+name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(newDir+name, []byte(text), 0o444); err != nil {
			return err
		}
	}
	for _, path := range j.Layout.Masks {
		if err := memory(path, "0755", unix.MS_RDONLY, 4096); err != nil {
			return err
		}
	}
	return nil
}

// addKernel adds /proc of this pid namespace, the harmless devices, and places for scratch.
func addKernel(job) error {
	if err := addProc(); err != nil {
		return err
	}
	if err := memory("/dev", "0755", 0, 1<<20); err != nil {
		return err
	}
	for _, dev := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		if err := bind("/dev/"+dev, "/dev/"+dev, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"} {
		if err := os.Symlink("/proc/self/fd"+target, newDir+"/dev/"+name); err != nil {
			return err
		}
	}
	if err := memory("/dev/shm", "1777", 0, scratch); err != nil {
		return err
	}
	if err := readOnly("/dev"); err != nil {
		return err
	}
	return memory("/tmp", "1777", 0, scratch)
}

// addProc mounts /proc. The daemon may be root: what root may write there is made read-only.
func addProc() error {
	dir := newDir + "/proc"
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("proc", dir, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if err := forbidNamespaces(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := coverProc(e); err != nil {
			return err
		}
	}
	return nil
}

// coverProc makes a folder or a writable file of /proc read-only, unless it is a process.
func coverProc(e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil || e.Name()[0] <= '9' {
		return nil
	}
	if !e.IsDir() && (!info.Mode().IsRegular() || info.Mode().Perm()&0o222 == 0) {
		return nil
	}
	path := newDir + "/proc/" + e.Name()
	if err := unix.Mount(path, path, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("cover %s: %w", path, err)
	}
	return readOnly("/proc/" + e.Name())
}

// forbidNamespaces leaves room for the one more user namespace that the program itself gets.
func forbidNamespaces(proc string) error {
	return os.WriteFile(proc+"/sys/user/max_user_namespaces", []byte("1"), 0)
}

// addFolder shows the only folder of the host that may be written.
func addFolder(j job) error {
	if err := bind(j.Dir, Home, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV); err != nil {
		return err
	}
	for _, name := range j.Layout.Void {
		if err := bind("/dev/null", Home+"/"+name, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NODEV); err != nil {
			return err
		}
	}
	return nil
}

// enterRoot leaves the host's root for good.
func enterRoot(job) error {
	if err := unix.Unmount(oldDir, unix.MNT_DETACH); err != nil {
		return fmt.Errorf("let go of the host: %w", err)
	}
	if err := os.Chdir(newDir); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("enter root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("let go of base: %w", err)
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return setAttrs("/", unix.MOUNT_ATTR_RDONLY, 0)
}

// bind shows a file or folder of the host at a path of the new root.
func bind(from, to string, attrs uint64) error {
	if err := target(oldDir+from, newDir+to); err != nil {
		return err
	}
	if err := unix.Mount(oldDir+from, newDir+to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind %s: %w", from, err)
	}
	return setAttrs(newDir+to, attrs, unix.AT_RECURSIVE)
}

// target makes what a bind needs to stand on: a folder for a folder, a file for all else.
func target(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	if info.IsDir() {
		return os.MkdirAll(to, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDONLY, 0o444)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// memory mounts an empty file system in memory, of so many bytes at most.
func memory(at, mode string, flags uintptr, size int) error {
	if err := os.MkdirAll(newDir+at, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	err := unix.Mount("tmpfs", newDir+at, "tmpfs", flags|unix.MS_NOSUID|unix.MS_NODEV, "mode="+mode+",size="+strconv.Itoa(size))
	if err != nil {
		return fmt.Errorf("mount memory at %s: %w", at, err)
	}
	return nil
}

func readOnly(path string) error { return setAttrs(newDir+path, unix.MOUNT_ATTR_RDONLY, 0) }

// setAttrs adds attributes to a mount; those it has are kept, which a remount would not do.
func setAttrs(path string, attrs uint64, flags uint) error {
	if err := unix.MountSetattr(unix.AT_FDCWD, path, flags, &unix.MountAttr{Attr_set: attrs}); err != nil {
		return fmt.Errorf("protect %s: %w", path, err)
	}
	return nil
}

// program finds the file of the command, in the new root.
func program(j job) string {
	name := j.Argv[0]
	if strings.Contains(name, "/") {
		return name
	}
	for dir := range strings.SplitSeq(searchPath, ":") {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return filepath.Join(dir, name)
		}
	}
	return name
}
