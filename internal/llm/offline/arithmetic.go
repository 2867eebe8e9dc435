package offline

import (
	"math/big"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

var (
	// sumLead and sumTail stand around a sum that is to be worked out.
	sumLead = pattern.New(`(?i)^\s*(?:(?:please|pls|can you|could you|what is|what's|what’s|how much is|calculate|compute|work out|evaluate|tell me|请|请问|帮我|帮忙|麻烦|给我|计算|算|一下|一算|出|看|：|:)[\s,，]*)*`)
	sumTail = pattern.New(`(?:\s|=|等于|是|多少|几|得|[?？。.!！])*$`)
	sumOnly = pattern.New(`^[\d\s.,()+*/-]+$`)
	sumSign = pattern.New(`[\d)]\s*[+*/-]\s*[\d(-]`)
	sumHan  = strings.NewReplacer("×", "*", "÷", "/", "−", "-", "（", "(", "）", ")", "乘以", "*", "乘", "*", "除以", "/", "加上", "+", "加", "+", "减去", "-", "减", "-", " x ", " * ", " times ", " * ", " plus ", " + ", " minus ", " - ", " divided by ", " / ")
	// notSum is what as well may be a date, a phone number or a decimal comma: 2026-05-01, 5/1/2026, 555-0101, 1,5 + 1.
	notSum  = pattern.New(`^\d+(?:-\d+)+$|^\d+/\d+/\d+$|\d,(?:\d{1,2}|\d{4,})(?:\D|$)|\d{4},`)
	bareDay = pattern.New(`^\s*\d{1,2}/\d{1,2}\s*$`) // may be one, where nothing says that it is to be worked out
	workOut = pattern.New(`(?i)calculate|compute|work out|evaluate|how much|=|算|等于|多少`)
)

// arithmetic works out a sum that is all the words ask for: 12 * (7 + 1). It gives "" for anything else.
func (s *session) arithmetic() string {
	words := sumTail.ReplaceAllString(sumLead.ReplaceAllString(s.words, ""), "")
	sum := strings.TrimSpace(sumHan.Replace(words))
	if s.pasted != "" || !sumOnly.MatchString(sum) || !sumSign.MatchString(sum) || notSum.MatchString(sum) || bareDay.MatchString(sum) && !workOut.MatchString(s.words) || len(sum) > 200 {
		return ""
	}
	p := sumParser{rest: strings.ReplaceAll(strings.ReplaceAll(sum, " ", ""), ",", "")}
	x := p.sum()
	switch {
	case p.byZero:
		return s.say.of("Nothing can be divided by zero.", "不能除以零。")
	case x == nil || p.rest != "":
		return ""
	}
	figure, equals := decimal(x)
	return sum + " " + equals + " **" + figure + "**"
}

// decimal writes a number with as many decimals as it has, up to 6; equals says whether that is all of it.
func decimal(x *big.Rat) (figure, equals string) {
	if x.IsInt() {
		return x.Num().String(), "="
	}
	figure = strings.TrimRight(x.FloatString(6), "0")
	if back, ok := new(big.Rat).SetString(figure); ok && back.Cmp(x) == 0 {
		return figure, "="
	}
	return figure, "≈"
}

// sumParser reads a sum from its beginning; what it cannot read gives nil.
type sumParser struct {
	rest   string
	byZero bool
}

func (p *sumParser) take(ops string) byte {
	if p.rest == "" || strings.IndexByte(ops, p.rest[0]) < 0 {
		return 0
	}
	op := p.rest[0]
	p.rest = p.rest[1:]
	return op
}

func (p *sumParser) sum() *big.Rat {
	x := p.product()
	for x != nil {
		op := p.take("+-")
		if op == 0 {
			break
		}
		y := p.product()
		switch {
		case y == nil:
			return nil
		case op == '+':
			x = new(big.Rat).Add(x, y)
		default:
			x = new(big.Rat).Sub(x, y)
		}
	}
	return x
}

func (p *sumParser) product() *big.Rat {
	x := p.factor()
	for x != nil {
		op := p.take("*/")
		if op == 0 {
			break
		}
		y := p.factor()
		switch {
		case y == nil:
			return nil
		case op == '*':
			x = new(big.Rat).Mul(x, y)
		case y.Sign() == 0:
			p.byZero = true
			return nil
		default:
			x = new(big.Rat).Quo(x, y)
		}
	}
	return x
}

func (p *sumParser) factor() *big.Rat {
	if p.take("-") != 0 {
		if x := p.factor(); x != nil {
			return x.Neg(x)
		}
		return nil
	}
	if p.take("(") != 0 {
		if x := p.sum(); x != nil && p.take(")") != 0 {
			return x
		}
		return nil
	}
	end := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789."))
	x, ok := new(big.Rat).SetString(p.rest[:end])
	if !ok {
		return nil
	}
	p.rest = p.rest[end:]
	return x
}
