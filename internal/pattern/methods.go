package pattern

// MatchString is regexp.Regexp's.
func (p *Pattern) MatchString(s string) bool {
	if !p.may(s) {
		return false
	}
	return p.compiled().MatchString(s)
}

// FindString is regexp.Regexp's.
func (p *Pattern) FindString(s string) string {
	if !p.may(s) {
		return ""
	}
	return p.compiled().FindString(s)
}

// FindStringIndex is regexp.Regexp's.
func (p *Pattern) FindStringIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.compiled().FindStringIndex(s)
}

// FindStringSubmatch is regexp.Regexp's.
func (p *Pattern) FindStringSubmatch(s string) []string {
	if !p.may(s) {
		return nil
	}
	return p.compiled().FindStringSubmatch(s)
}

// FindAllString is regexp.Regexp's.
func (p *Pattern) FindAllString(s string, n int) []string {
	if !p.may(s) {
		return nil
	}
	return p.compiled().FindAllString(s, n)
}

// FindAllStringIndex is regexp.Regexp's.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	if !p.may(s) {
		return nil
	}
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is regexp.Regexp's.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	if !p.may(s) {
		return nil
	}
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is regexp.Regexp's.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !p.may(s) {
		return nil
	}
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is regexp.Regexp's.
func (p *Pattern) ReplaceAllString(s, with string) string {
	if !p.may(s) {
		return s
	}
	return p.compiled().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is regexp.Regexp's.
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	if !p.may(s) {
		return s
	}
	return p.compiled().ReplaceAllStringFunc(s, with)
}

// SubexpNames is regexp.Regexp's.
func (p *Pattern) SubexpNames() []string { return p.compiled().SubexpNames() }

// FindStringSubmatchIndex is regexp.Regexp's.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.compiled().FindStringSubmatchIndex(s)
}

// FindAllIndex is regexp.Regexp's.
func (p *Pattern) FindAllIndex(b []byte, n int) [][]int { return p.compiled().FindAllIndex(b, n) }
