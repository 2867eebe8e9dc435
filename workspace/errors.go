package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/akitad/akitad"
)

const (
	hintNames   = "name files relative to the task's folder, with / between parts and no .. or leading /"
	hintGiven   = "this file was given with the task and stays as it is; write to another name"
	hintLink    = "the name is a symbolic link; use the file it points to, inside of the folder"
	hintHard    = "the file is also linked from outside of the folder; copy its content instead"
	hintSpecial = "only regular files can be read and written"
)

// denied returns the error for a name that must not be used.
func denied(op, name string, cause error, hint string) error {
	return &akitad.Error{Kind: akitad.PermissionDenied, Op: op, Err: fmt.Errorf("%q: %w", name, cause), Hint: hint}
}

// classify adds the kind to an error of the file system. os.Root reports an escape by an error that does not come
// from a system call; every such error counts as an escape.
func classify(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var errno syscall.Errno
	switch isCall := errors.As(err, &errno); {
	case errors.Is(err, fs.ErrNotExist):
		return &akitad.Error{Kind: akitad.NotFound, Op: op, Err: fmt.Errorf("%q does not exist", name), Hint: "list_directory shows what is there"}
	case errors.Is(err, fs.ErrPermission):
		return denied(op, name, errno, "")
	case errors.Is(err, fs.ErrClosed):
		return &akitad.Error{Kind: akitad.Unavailable, Op: op, Err: errors.New("the folder is closed")}
	case isCall && (errno == syscall.ENOTDIR || errno == syscall.EISDIR || errno == syscall.ENAMETOOLONG || errno == syscall.ENOTEMPTY):
		return &akitad.Error{Kind: akitad.InvalidRequest, Op: op, Err: fmt.Errorf("%q: %w", name, errno)}
	case isCall && errno == syscall.ELOOP:
		return denied(op, name, errno, hintLink)
	case isCall:
		return &akitad.Error{Kind: akitad.ToolFailed, Op: op, Err: fmt.Errorf("%q: %w", name, errno)}
	}
	return denied(op, name, errors.New("leads out of the folder"), hintNames)
}

// classified is classify, but leaves an error that has a kind as it is.
func classified(op, name string, err error) error {
	if _, ok := errors.AsType[*akitad.Error](err); ok {
		return err
	}
	return classify(op, name, err)
}

// isMissing reports whether err says that there is no such file.
func isMissing(err error) bool { return akitad.KindOf(err) == akitad.NotFound }

// skippable reports whether a walk may skip a folder: it is gone, or a program in the sandbox has made it
// unreadable.
func skippable(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

// invalid returns the error for an invalid request.
func invalid(op, name string, cause error, hint string) error {
	return &akitad.Error{Kind: akitad.InvalidRequest, Op: op, Err: fmt.Errorf("%q: %w", name, cause), Hint: hint}
}
