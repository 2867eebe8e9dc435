package journal

import "github.com/akitad/akitad"

// FolderAsk asks a node to undo the files of a task in one of its folders. The zero value asks only
// whether the node is there.
type FolderAsk struct {
	Task   akitad.TaskID `json:"task,omitempty"`
	Folder string        `json:"folder,omitempty"`
	Files  []string      `json:"files,omitempty"` // files that the task is known to have written
}

// FolderAnswer is a node's answer to a FolderAsk.
type FolderAnswer struct {
	RolledBackData
	Error *akitad.Failure `json:"error,omitempty"`
}
