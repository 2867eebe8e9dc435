package plan

import (
	"fmt"

	"github.com/akitad/akitad"
)

const (
	whenHint  = "Use == != < > <= >= in empty and or not, parentheses, \"text\", numbers, [lists], params.NAME and steps.ID.output.path."
	maxParens = 32
)

// expr is one node of a when expression: a value, a reference, a list, or an operation.
type expr struct {
	op   string // "", "ref", "list", "not", "empty", "and", "or" or a comparison
	args []*expr
	val  any
	ref  ref
}

// refs gives the references in e, from left to right.
func (e *expr) refs() []ref {
	var out []ref
	if e.op == "ref" {
		out = append(out, e.ref)
	}
	for _, a := range e.args {
		out = append(out, a.refs()...)
	}
	return out
}

// parseWhen reads a whole when expression.
func parseWhen(text string) (*expr, error) {
	toks, err := lex(text)
	if err != nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "when: %w", err).WithHint(whenHint)
	}
	p := &whenParser{toks: toks}
	e, err := p.or()
	if err == nil && p.peek().text != "" {
		err = fmt.Errorf("%q is not expected there", p.peek().text)
	}
	if err != nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "when: %w", err).WithHint(whenHint)
	}
	return e, nil
}

type whenParser struct {
	toks  []tok
	depth int
}

func (p *whenParser) peek() tok {
	if len(p.toks) == 0 {
		return tok{}
	}
	return p.toks[0]
}

// take consumes the next token if it is the operator op.
func (p *whenParser) take(op string) bool {
	if t := p.peek(); t.kind != opTok || t.text != op {
		return false
	}
	p.toks = p.toks[1:]
	return true
}

func (p *whenParser) or() (*expr, error)  { return p.chain("or", p.and) }
func (p *whenParser) and() (*expr, error) { return p.chain("and", p.not) }

func (p *whenParser) chain(op string, part func() (*expr, error)) (*expr, error) {
	left, err := part()
	for err == nil && p.take(op) {
		var right *expr
		right, err = part()
		left = &expr{op: op, args: []*expr{left, right}}
	}
	return left, err
}

func (p *whenParser) not() (*expr, error) {
	if p.take("not") {
		if p.depth++; p.depth > maxParens {
			return nil, fmt.Errorf("nested deeper than %d", maxParens)
		}
		in, err := p.not()
		p.depth--
		return &expr{op: "not", args: []*expr{in}}, err
	}
	return p.comparison()
}

func (p *whenParser) comparison() (*expr, error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	for _, op := range []string{"==", "!=", "<=", ">=", "<", ">", "in"} {
		if p.take(op) {
			right, err := p.operand()
			return &expr{op: op, args: []*expr{left, right}}, err
		}
	}
	if p.take("not") { // a not in b
		if !p.take("in") {
			return nil, fmt.Errorf("in must follow not there")
		}
		right, err := p.operand()
		return &expr{op: "not", args: []*expr{{op: "in", args: []*expr{left, right}}}}, err
	}
	return left, nil
}

func (p *whenParser) operand() (*expr, error) {
	if p.depth++; p.depth > maxParens {
		return nil, fmt.Errorf("nested deeper than %d", maxParens)
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("empty"):
		in, err := p.operand()
		return &expr{op: "empty", args: []*expr{in}}, err
	case p.take("("):
		in, err := p.or()
		if err == nil && !p.take(")") {
			err = fmt.Errorf("a parenthesis is never closed")
		}
		return in, err
	case p.take("["):
		return p.list()
	}
	t := p.peek()
	if t.kind == opTok {
		if t.text == "" {
			return nil, fmt.Errorf("something is missing at the end")
		}
		return nil, fmt.Errorf("a value must stand before %q", t.text)
	}
	p.toks = p.toks[1:]
	if t.kind == refTok {
		return &expr{op: "ref", ref: t.ref}, nil
	}
	return &expr{val: t.val}, nil
}

func (p *whenParser) list() (*expr, error) {
	out := &expr{op: "list"}
	for !p.take("]") {
		if len(out.args) > 0 && !p.take(",") {
			return nil, fmt.Errorf("a list needs commas and a closing bracket")
		}
		item, err := p.operand()
		if err != nil {
			return nil, err
		}
		out.args = append(out.args, item)
	}
	return out, nil
}
