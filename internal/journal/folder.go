package journal

import "github.com/akitad/akitad"

// FolderAsk asks a node to undo, in a folder that it has, what a task wrote. An empty one asks whether
// the node is there.
type FolderAsk struct {
	Task   akitad.TaskID `json:"task,omitempty"`
	Folder string        `json:"folder,omitempty"`
	Files  []string      `json:"files,omitempty"` // that the task is known to have written
}

// FolderAnswer is what the node did.
type FolderAnswer struct {
	RolledBackData
	Error *akitad.Failure `json:"error,omitempty"`
}
