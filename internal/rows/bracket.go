package rows

import (
	"regexp"
	"strings"
)

const (
	serviceField = "service"
	threadField  = "thread"
)

// serviceEnds are ends of a name that says of itself that it is a service.
var serviceEnds = []string{"service", "svc", "module", "gateway", "server", "服务", "模块", "系统", "组件", "网关", "中心"}

// bracketed is what a bracketed name is: the service, if it says that it is one or if no name of the
// file looks like a thread's, else a thread.
func (r *Row) bracketed(tok string) string {
	tok = strings.ToLower(strings.Trim(tok, "[] "))
	for _, end := range serviceEnds {
		if strings.HasSuffix(tok, end) {
			return serviceField
		}
	}
	if r.bracket == "" {
		return threadField
	}
	return r.bracket
}

var threadLike = regexp.MustCompile(`(?i)^(?:main|io|nio|http|https|worker|timer|async|reactor|scheduler|executor|background|signal|gc|tid|pid)$|thread|pool|exec|event.?loop|worker[-_# ]|[-_# .:@]\d+$|^\d+$|^0x|@`)

// bracketsOf tells, from the beginning of a log, what its bracketed names are: services, if there are
// at least two of them and none looks like a thread's.
func bracketsOf(head []byte) string {
	p, names := newLogParser(), map[string]bool{}
	for _, line := range sampleLines(head) {
		r := Row{}
		if line == "" || !p.parse(line, &r) {
			continue
		}
		name, ok := r.Field(threadField)
		switch {
		case ok && threadLike.MatchString(name):
			return threadField
		case ok:
			names[name] = true
		}
	}
	if len(names) < 2 {
		return threadField
	}
	return serviceField
}
