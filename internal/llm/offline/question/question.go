// Package question understands, by rules and in English and Chinese, what a person asks about
// files: what is to be counted, filtered, grouped, compared or written, and what cannot be served.
// It sees the words and the names of the files at hand, never their content.
package question

import "github.com/akitad/akitad/internal/rows"

// Intent is what a question wants done.
type Intent string

// The intents. Unknown is a question that names nothing the engine knows how to do; what it asks
// may still be found in a file by its words.
const (
	Unknown   Intent = "unknown"
	Refuse    Intent = "refuse" // poems, translation, opinions, programming
	Help      Intent = "help"
	Remember  Intent = "remember"
	Recall    Intent = "recall"
	Forget    Intent = "forget"
	Clock     Intent = "clock" // what time it is
	ListFiles Intent = "list_files"
	FindFiles Intent = "find_files" // by name or by content
	Incident  Intent = "incident"   // what failed, when, why, how often, what changed
	Compare   Intent = "compare"
	Correlate Intent = "correlate"
	Elapsed   Intent = "elapsed"   // how long it was from one row to another
	Aggregate Intent = "aggregate" // a figure of a column
	Top       Intent = "top"       // groups, or rows in an order
	Count     Intent = "count"
	FirstLast Intent = "first_last"
	Fields    Intent = "fields"
	Headings  Intent = "headings"
	Section   Intent = "section"
	Filter    Intent = "filter"
	Summary   Intent = "summary"
)

// Bound is a comparison with a number that the words make.
type Bound struct {
	Op     string // < <= > >= =
	Number float64
	Unit   string // ms, s, m, h, d, % or empty
	At     int    // where in Text it begins, to find the column nearest to it
	End    int    // and ends, to see what it counts
}

// Question is one clause of what a person asks.
type Question struct {
	Text      string // lower case, file names blanked out
	Original  string // the clause as written
	Lang      string // en or zh
	Intent    Intent
	Files     []string // names that the words hold, as they are in the folder if they are there
	Quoted    []string // texts in quotation marks
	Level     string   // error, warn ...; empty if no level is asked for
	Above     bool     // the level and what is worse ("errors", not "ERROR lines")
	Levels    []string // further levels that are asked for as well: "ERROR or WARN"
	NotLevel  []string // levels that are excluded: "not INFO"
	NotAbove  string   // of those, one that excludes what is worse as well
	Bounds    []Bound
	Since     *rows.Time // included
	Until     *rows.Time // excluded
	Midnight  bool       // one of the two is the midnight of a day that is not named
	Clash     bool       // several times that are no single range
	Zone      string     // a time with a zone whose clock is not known, as it is written
	Month     int        // 1 to 12: a month without a day
	MonthTo   int        // the last of several months in a row
	MonthYear int        // the year of them, if it is named
	Weekdays  []string   // Monday to Sunday, any of which will do
	WeekdayAt int        // where in Text the first of them begins
	LastSpan  string     // "10m": the end of the file's time
	Unit      rows.Unit  // group by minute, hour or day
	Group     bool       // grouped by the columns after by, per, each
	N         int        // how many are wanted; 0 is open
	Desc      bool       // largest or last first
	Asc       bool       // smallest or first first
	First     bool
	Last      bool
	Fn        string    // sum avg min max median p95 distinct
	Folder    string    // list_files: only names that end so, e.g. ".csv"
	Within    string    // correlate: "2m"
	Before    bool      // correlate: only before
	Near      *Near     // correlate: every row of one kind near a row of another
	Fact      string    // remember: what
	Sort      bool      // rows in the order of a column
	ByTime    bool      // which is that of when they were
	Share     bool      // as a part of the whole
	Line      int       // this line of the file, as it stands
	LineTo    int       // the last of them
	Row       int       // this row of the file, counted from 1
	RowTo     int       // the last of them
	Aside     int       // so many lines after the row that is asked for, or, below zero, before it
	Versus    bool      // how many more one file has than another
	Status    int       // 1 to 5: a class of HTTP statuses
	Statuses  []int     // further classes, any of which will do
	Missing   bool      // compare: what is in the first but not in the second
	Leads     []int     // where in Text this question begins, and each that the one before it leans on
	Swaps     bool      // its own values stand in place of those of that question
	Base      *Question // the one before it in the message, whose rows it is about
	Soft      bool      // only the things that are named there, not the kind of its rows
	Best      bool      // it is which of the groups there has the most of what was reckoned there
	Loose     bool      // what it names may stand beside those things, or in their place
	Gap       bool      // by how much the first of a ranking leads is asked too
	Spread    bool      // how far apart the largest and the smallest are
	Rows      bool      // single rows are ranked, not groups of them
	Mark      *Mark     // the event that its rows come before or after
	Limit     *Limit    // where that was, once it has been found
	Span      *Span     // how long it was from one row to another
	Then      string    // a word for a time that stands somewhere else: "at that time"
	Taken     []span    // parts of Text that the fields above used up
}

type span struct{ From, To int }

// Asked is a message understood: its clauses, and where the answer is to be written.
type Asked struct {
	Questions []Question
	Lang      string
	Report    string   // file to write; empty for none
	Sections  []string // headings that what is written is to have
	Bare      bool     // the words say only that a report is to be written, not of what
	Unknown   []string // questions beside others that nothing is known of
	Dropped   int      // questions beyond those that one message may ask
}

// Intent gives the one intent that says how the message is to be handled as a whole.
func (a Asked) Intent() Intent {
	for _, q := range a.Questions {
		if q.Intent != Unknown {
			return q.Intent
		}
	}
	return Unknown
}

func (q *Question) take(from, to int) { q.Taken = append(q.Taken, span{from, to}) }

// TakenAt tells whether the text at from..to has been used up by a field.
func (q *Question) TakenAt(from, to int) bool {
	for _, s := range q.Taken {
		if from < s.To && to > s.From {
			return true
		}
	}
	return false
}
