// Package rows reads text of unknown shape as rows with named fields: application logs, syslog,
// access and error logs of web servers, JSON lines, logfmt, delimited tables, Markdown tables and
// headings, and plain lines. It tells where each row stands and what it could not read. It does
// not filter, group or keep rows.
package rows
