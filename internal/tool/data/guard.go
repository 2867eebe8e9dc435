package data

import (
	"slices"
	"strings"

	"modernc.org/sqlite"

	"github.com/akitad/akitad"
)

// guard decides what a statement may do, while SQLite compiles it, and remembers why it may not.
type guard struct {
	readonly bool
	why      *akitad.Error
}

// looks are the pragmas that only tell something; those of tells may not be given a value.
var (
	looks = []string{
		"table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list", "foreign_key_check",
		"integrity_check", "quick_check", "collation_list", "function_list", "module_list", "compile_options", "data_version",
	}
	tells   = []string{"encoding", "page_count", "page_size", "freelist_count", "schema_version", "user_version", "application_id"}
	modules = []string{"fts5", "rtree", "rtree_i32"}
)

// judge is the authorizer of a connection: SQLite asks it about each action of a statement while it compiles that
// statement. one and two are the action's arguments, schema the database that it concerns
// (https://www.sqlite.org/c3ref/c_alter_table.html lists them by action). The first reason for a refusal is kept in why.
func (g *guard) judge(action sqlite.AuthorizerActionCode, one, two, schema, _ string) sqlite.AuthorizerReturnCode {
	why := g.outside(action, one, two)
	if why == nil && strings.EqualFold(schema, "temp") && action != sqlite.AuthRead {
		why = denied("nothing temporary can be made: it would be gone after the call").WithHint("use WITH, or a table of the file")
	}
	if why == nil && g.readonly {
		why = g.writes(action)
	}
	if why == nil {
		return sqlite.AuthorizerOK
	}
	if g.why == nil {
		g.why = why
	}
	return sqlite.AuthorizerDeny
}

// outside refuses what reaches beyond the one database, and what would undo the call's transaction.
func (g *guard) outside(action sqlite.AuthorizerActionCode, one, two string) *akitad.Error {
	switch action {
	case sqlite.AuthAttach, sqlite.AuthDetach:
		return denied("other files cannot be attached, nor written by VACUUM").WithHint("one call works on one file: read rows with sql_query and hand them to sql_exec")
	case sqlite.AuthFunction:
		if strings.EqualFold(two, "load_extension") || strings.EqualFold(two, "fts3_tokenizer") {
			return denied("the function %s is not available", two)
		}
	case sqlite.AuthPragma:
		return g.pragma(strings.ToLower(one), two)
	case sqlite.AuthCreateVTable:
		if !slices.Contains(modules, strings.ToLower(two)) {
			return denied("virtual tables of %s are not available", two).WithHint("available: " + strings.Join(modules, ", "))
		}
	case sqlite.AuthTransaction, sqlite.AuthSavepoint:
		return bad("a call is one transaction by itself").WithHint("leave BEGIN, COMMIT, ROLLBACK and SAVEPOINT out")
	}
	return nil
}

func (g *guard) pragma(name, value string) *akitad.Error {
	switch {
	case slices.Contains(looks, name), slices.Contains(tells, name) && value == "":
		return nil
	case !g.readonly && (name == "user_version" || name == "application_id"):
		return nil
	}
	return denied("PRAGMA %s is not available", name).WithHint("available: " + strings.Join(slices.Concat(looks, tells), ", "))
}

func (g *guard) writes(action sqlite.AuthorizerActionCode) *akitad.Error {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthFunction, sqlite.AuthRecursive, sqlite.AuthPragma:
		return nil
	}
	return readsOnly()
}

func readsOnly() *akitad.Error {
	return denied("sql_query only reads").WithHint("use sql_exec to change something")
}

// denied returns an error of kind permission_denied: what the statement is to do is not allowed, however it is written.
func denied(format string, args ...any) *akitad.Error {
	return akitad.Errorf(akitad.PermissionDenied, format, args...)
}
