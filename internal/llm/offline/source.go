package offline

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// sourceEndings are those of programs.
var sourceEndings = set(".go .py .js .ts .tsx .jsx .java .kt .rs .c .h .cc .cpp .hpp .cs .rb .php .swift .scala .sh .bash .lua .pl .r .sql .proto")

func isSource(file string) bool { return sourceEndings[strings.ToLower(path.Ext(file))] }

// What programs define and bring in, by how most languages write it, and the words that ask for it.
var (
	functionAsked = pattern.New(`\b(?:functions?|methods?|procedures?|subroutines?)\b|函数|方法`)
	functionMark  = pattern.New(`^\s*(?:(?:pub(?:\([^)]*\))?|async|export|default|static|public|private|protected|final|override|virtual|inline|unsafe|local|abstract|suspend)\s+)*(?:(?:func|def|fn|function|fun|sub|proc)\s+(?:\([^)]*\)\s*)?|(?:const|let|var)\s+(?:\w+\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>)))([A-Za-z_$][\w$.]*)?|^\s*(?:public|private|protected|static)[\w<>\[\], ]*\s+(\w+)\s*\([^;]*$|^(\w+)\s*\(\)\s*\{`)
	typeAsked     = pattern.New(`\b(?:classes|class|structs?|types?|interfaces?|enums?|traits?)\b|类|结构体?|类型|接口`)
	typeMark      = pattern.New(`^\s*(?:(?:pub(?:\([^)]*\))?|export|default|public|private|protected|final|abstract|sealed|data|static)\s+)*(?:class|struct|interface|trait|enum|type)\s+([A-Za-z_]\w*)`)
	importAsked   = pattern.New(`\b(?:imports?|imported|packages?|libraries|modules?|dependencies|includes?)\b|导入|引入|引用了?|依赖`)
	importMark    = pattern.New(`^\s*(?:import|from|use|using|require|#include)\b.*$|^\s+(?:[\w.]+\s+)?"[\w./@-]+"\s*$|\brequire\(['"]`)
	todoAsked     = pattern.New(`\b(?:todos?|fixmes?|hacks?|xxx)\b|待办`)
	todoMark      = pattern.New(`\b(?:TO[D]O|FI[X]ME|HA[C]K|X[X]X)\b`)
	commentAsked  = pattern.New(`\bcomments?\b|注释`)
	commentMark   = pattern.New(`^\s*(?://|#[^!i]|--|/\*|\*\s)|\s(?://|#)\s`)
)

// source answers what a program defines, brings in and says in comments, by the form of its lines; nil if nothing of
// that is asked.
func (s *session) source(q *question.Question, file string) (*finding, error) {
	if f, err := s.purpose(q, file); f != nil || err != nil {
		return f, err
	}
	if !isSource(file) || !s.has("read_file") || ofLines.MatchString(q.Text) || namesOne.MatchString(q.Text) {
		return nil, nil
	}
	for _, k := range []struct {
		asked, mark *pattern.Pattern
		en, zh      string
	}{
		{todoAsked, todoMark, "marked line", "处标记"},
		{functionAsked, functionMark, "function", "个函数"},
		{importAsked, importMark, "import", "处导入"},
		{typeAsked, typeMark, "type", "个类型"},
		{commentAsked, commentMark, "comment", "处注释"},
	} {
		if !k.asked.MatchString(q.Text) {
			continue
		}
		lines, err := s.readLines(file)
		if err != nil {
			return nil, err
		}
		var out []string
		for _, l := range lines {
			if k.mark.MatchString(l.text) && strings.TrimSpace(l.text) != "import (" {
				out = append(out, fmt.Sprintf("- %s (%s:%d)", code(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(l.text), "{"))), file, l.no))
			}
		}
		head := s.say.f("**%s** in %s:", "%[2]s 中有 **%[1]s**：", s.say.of(plural(len(out), k.en), n(len(out))+" "+k.zh), file)
		if len(out) == 0 {
			head = strings.TrimRight(head, ":：") + s.say.of(".", "。")
		}
		return &finding{Kind: "text", File: file, Count: len(out), Text: strings.TrimSpace(head + "\n" + strings.Join(out, "\n"))}, nil
	}
	return nil, nil
}

var (
	purposeAsked = pattern.New(`\bwhat (?:does|do|is)\b|\bexplain\b|\bpurpose of\b|做什么|干什么|什么用|作用|是什么`)
	docMark      = pattern.New(`^\s*(?:"""|\x27\x27\x27|//|#[^!i]|--|/\*|\*\s)`)
)

// purpose answers what a function or type is for, by the comments at its definition; nil if none is named that has any.
func (s *session) purpose(q *question.Question, file string) (*finding, error) {
	if !isSource(file) || !s.has("read_file") || !purposeAsked.MatchString(q.Text) {
		return nil, nil
	}
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	names := strings.FieldsFunc(q.Text, func(r rune) bool { return r >= 0x80 || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, l := range lines {
		m := functionMark.FindStringSubmatch(l.text)
		if m == nil {
			m = typeMark.FindStringSubmatch(l.text)
		}
		if !slices.ContainsFunc(m, func(name string) bool { return name != "" && slices.Contains(names, strings.ToLower(name)) }) {
			continue
		}
		from, to := i, i+1
		for from > 0 && docMark.MatchString(lines[from-1].text) {
			from--
		}
		for to < len(lines) && docMark.MatchString(lines[to].text) {
			to++
		}
		if to-from == 1 {
			return nil, nil
		}
		var out []string
		for _, l := range lines[from:to] {
			out = append(out, fmt.Sprintf("> %s (%s:%d)", code(strings.TrimSpace(l.text)), file, l.no))
		}
		return s.says(file, out), nil
	}
	return nil, nil
}

// namesOne asks of one thing, not for all of a kind.
var namesOne = pattern.New(`\bwhat (?:does|do|is|kind|type)\b|\b(?:which|what) (?:function|method|class)\b|\bwhere\b|做什么|是什么|哪(?:个|一个)(?:函数|方法|类)|在哪`)
