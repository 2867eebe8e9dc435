package workspace

import (
	"io/fs"
	"slices"
	"syscall"
)

// Mark is the state of a folder's files at one moment.
type Mark map[string]stamp

// stamp identifies the state of a file without reading it. Unlike the modification time, the change time cannot be
// set by a program.
type stamp struct {
	Size  int64  `json:"size"`
	Inode uint64 `json:"inode"`
	Sec   int64  `json:"sec"`
	Nsec  int64  `json:"nsec"`
}

func stampOf(info fs.FileInfo) stamp {
	s := stamp{Size: info.Size()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Inode, s.Sec, s.Nsec = st.Ino, int64(st.Ctim.Sec), int64(st.Ctim.Nsec)
	}
	return s
}

// Mark records the current state of all regular files, for Since.
func (d *Dir) Mark() (Mark, error) {
	m := Mark{}
	err := d.walk(func(name string, info fs.FileInfo) error {
		if info.Mode().IsRegular() {
			m[name] = stampOf(info)
		}
		return nil
	})
	return m, classify("list", ".", err)
}

// Since returns the files that were created or written after the mark, and those that were removed, sorted by name.
func (d *Dir) Since(m Mark) (changed, removed []string, err error) {
	now, err := d.Mark()
	if err != nil {
		return nil, nil, err
	}
	for name, s := range now {
		if before, ok := m[name]; !ok || before != s {
			changed = append(changed, name)
		}
	}
	for name := range m {
		if _, ok := now[name]; !ok {
			removed = append(removed, name)
		}
	}
	slices.Sort(changed)
	slices.Sort(removed)
	return changed, removed, nil
}
