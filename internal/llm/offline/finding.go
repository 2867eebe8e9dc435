package offline

// finding is what was found out about one question in one file. It is what a part of a plan hands
// over as data, so every field that a join needs is here and nothing else.
type finding struct {
	Kind     string      `json:"kind"` // count, figure, groups, rows, facts, text
	File     string      `json:"file"`
	What     string      `json:"what,omitempty"`  // what was looked for, in the person's language
	Count    int         `json:"count"`           // rows that met it
	All      int         `json:"all,omitempty"`   // count, groups: what a share is a part of
	Value    string      `json:"value,omitempty"` // figure: as shown
	Fn       string      `json:"fn,omitempty"`    // figure, groups: sum avg min max ...
	Column   string      `json:"column,omitempty"`
	Sum      string      `json:"sum,omitempty"` // figure avg: the sum, so that averages can be joined
	First    string      `json:"first,omitempty"`
	Last     string      `json:"last,omitempty"`
	By       string      `json:"by,omitempty"` // groups: the columns they are by
	Groups   []groupLine `json:"groups,omitempty"`
	Complete bool        `json:"complete,omitempty"` // groups, rows: all of them are here
	Total    int         `json:"total,omitempty"`    // groups or rows in all
	Rows     []rowLine   `json:"rows,omitempty"`
	Columns  []string    `json:"columns,omitempty"`
	Asc      bool        `json:"asc,omitempty"`
	N        int         `json:"n,omitempty"` // how many were asked for
	Parts    []groupLine `json:"parts,omitempty"`
	Notes    []string    `json:"notes,omitempty"` // how the question was understood, what is left out
	Facts    *facts      `json:"facts,omitempty"`
	full     *finding    // rows: all of them, for a report
	More     []*finding  `json:"more,omitempty"` // the same of further columns
	Text     string      `json:"text,omitempty"`
	Level    int         `json:"level,omitempty"`   // how many rows share the largest or smallest value, where one was asked for
	Gap      bool        `json:"gap,omitempty"`     // by how much the first leads is to be told
	Nothing  bool        `json:"nothing,omitempty"` // none: the words name nothing that the file holds
}

// groupLine is one group: its name, its figure, where it begins and ends.
type groupLine struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Count int    `json:"count"`
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
	Files string `json:"files,omitempty"` // joined groups: the figure of each file
}

// rowLine is one row: where it stands, when, and its cells by finding.Columns.
type rowLine struct {
	Source string   `json:"source"`
	Time   string   `json:"time,omitempty"`
	Cells  []string `json:"cells"`
}

// setFile says of which file a finding is, and of which of its rows.
func (f *finding) setFile(file, what string) {
	f.File, f.What = file, what
	for _, m := range f.More {
		m.setFile(file, what)
	}
}
