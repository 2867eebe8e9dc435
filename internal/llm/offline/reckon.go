package offline

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// Words of reckoning between or around two columns.
var (
	reckonedBy = []struct {
		between *pattern.Pattern
		op      string
	}{
		{pattern.New(`^\s*(?:times|x|\*|×|multiplied by|乘以?|和?相乘)\s*(?:the\s+)?$`), "*"},
		{pattern.New(`^\s*(?:divided by|/|÷|除以)\s*(?:the\s+)?$`), "/"},
		{pattern.New(`^\s*(?:plus|\+|加上?)\s*(?:the\s+)?$`), "+"},
		{pattern.New(`^\s*(?:minus|-|−|减去?)\s*(?:the\s+)?$`), "-"},
	}
	reckonedOf = []struct {
		before, after *pattern.Pattern
		op            string
	}{
		{pattern.New(`\bproducts? of (?:the )?$`), nil, "*"},
		{pattern.New(`\bratios? (?:of|between) (?:the )?$`), nil, "/"},
		{pattern.New(`\bdifferences? (?:between|of) (?:the )?$`), nil, "-"},
		{nil, pattern.New(`^\s*(?:相乘|的?(?:乘积|积)|之积|multiplied)`), "*"},
		{nil, pattern.New(`^\s*的?(?:总分|之和|相加)`), "+"},
		{nil, pattern.New(`^\s*(?:之差|的差值?|的?差额|相减)`), "-"},
		{nil, pattern.New(`^\s*(?:之比|的比值|的比率|相除)`), "/"},
	}
	pairJoin = pattern.New(`^\s*(?:and|to|和|与|跟|及|、)\s*(?:the\s+)?$`)
)

// bindReckoned makes one column of two that are to be reckoned with each other, row by row.
func (b *binding) bindReckoned() {
	for i := 1; i < len(b.named); i++ {
		p, m := b.named[i-1], b.named[i]
		if p.to == 0 || p.to > m.from || p.col.kind != "number" || m.col.kind != "number" || p.col.name == m.col.name {
			continue
		}
		op, to := b.reckonedWith(p, m)
		if op == "" {
			continue
		}
		c := &column{name: p.col.name + op + m.col.name, kind: "number", filled: min(p.col.filled, m.col.filled), distinct: p.col.distinct, over: true}
		b.use(word{b.q.Text[p.from:to], p.from, to})
		if q := *b.q; q.Fn == "sum" && strings.Contains(b.q.Text[m.to:to], "总") && (q.Desc || q.Asc) {
			q.Fn, b.q = "", &q // 总分最高的 is one row
		}
		b.named = slices.Replace(b.named, i-1, i+1, named{c, plainRole, p.from, to})
		i--
	}
}

// reckonedWith gives the operator that two columns are named with, and where its words end.
func (b *binding) reckonedWith(p, m named) (op string, to int) {
	between, before, after := b.q.Text[p.to:m.from], b.q.Text[:p.from], b.q.Text[m.to:]
	for _, r := range reckonedBy {
		if r.between.MatchString(between) {
			return r.op, m.to
		}
	}
	if perOne.MatchString(between) && b.q.Fn == "" && m.col.counts() && !strings.HasSuffix(b.q.Text[m.from:m.to], "s") {
		return "/", m.to
	}
	if !pairJoin.MatchString(between) {
		return "", 0
	}
	for _, r := range reckonedOf {
		if r.before != nil {
			if loc := r.before.FindStringIndex(before); loc != nil {
				b.use(word{before[loc[0]:], loc[0], p.from})
				return r.op, m.to
			}
			continue
		}
		if loc := r.after.FindStringIndex(after); loc != nil {
			return r.op, m.to + loc[1]
		}
	}
	return "", 0
}

var perOne = pattern.New(`^\s*(?:per|for (?:each|every))\s*(?:single\s+)?$`)

// counts tells a column that by its plural says how many of something there are.
func (c column) counts() bool {
	w := strings.ToLower(unitEnd.ReplaceAllString(c.name, ""))
	return c.kind == "number" && singular(w) != w && !c.isID()
}

// reckoned tells a column that is worked out from two others.
func (c column) reckoned() bool { return strings.ContainsAny(c.name, "*/+-") && c.over && c.min == "" }

var listJoin = pattern.New(`^\s*(?:,|，|、|and|和|与|及|以及|as well as|&|, and)\s*(?:the\s+|of\s+)*$`)

// further are the columns that a figure is wanted of beside the first: "sum of amount and quantity".
func (b *binding) further(c *column) []*column {
	var out []*column
	last := -1
	for i, m := range b.named {
		switch {
		case m.col == c:
			last = i
		case last >= 0 && m.col.kind == "number" && m.role == plainRole && !b.filtered(m.col.name) && b.named[last].to <= m.from && listJoin.MatchString(b.q.Text[b.named[last].to:m.from]):
			out, last = append(out, m.col), i
		}
	}
	return out
}
