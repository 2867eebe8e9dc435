package rows

import (
	"cmp"
	"strings"
)

// severities ranks the names that logs give their levels. Ranks follow syslog's order: what is
// worse is larger.
var severities = map[string]int{
	"TRACE": 1, "TRC": 1, "FINEST": 1, "FINER": 1, "VERBOSE": 1,
	"DEBUG": 2, "DBG": 2, "FINE": 2,
	"INFO": 3, "INF": 3, "INFORMATION": 3, "INFORMATIONAL": 3, "CONFIG": 3,
	"NOTICE": 4,
	"WARN":   5, "WARNING": 5, "WRN": 5,
	"ERROR": 6, "ERR": 6, "SEVERE": 6,
	"CRITICAL": 7, "CRIT": 7, "DPANIC": 7,
	"ALERT": 8,
	"调试":    2, "信息": 3, "提示": 3, "通知": 4, "注意": 4, "警告": 5, "告警": 5, "错误": 6, "严重": 7, "严重错误": 7, "致命": 9, "致命错误": 9,
	"FATAL": 9, "PANIC": 9, "EMERG": 9, "EMERGENCY": 9, "FTL": 9,
}

// Error is the severity from which a level counts as an error.
const Error = 6

// Severity returns the rank of a level's name, in English or Chinese and in any case: 1 is trace, 9 is fatal, Error and above
// are errors. 0 says that the name is none of a level. Numbers have no rank here; see SameLevel.
func Severity(level string) int {
	if len(level) > 13 {
		return 0
	}
	return severities[strings.ToUpper(level)]
}

// otherNames gives the spelling that a short or long form of a level stands for.
var otherNames = map[string]string{
	"TRC": "TRACE", "DBG": "DEBUG", "INF": "INFO", "INFORMATION": "INFO", "INFORMATIONAL": "INFO",
	"调试": "DEBUG", "信息": "INFO", "提示": "INFO", "通知": "NOTICE", "注意": "NOTICE", "警告": "WARN", "告警": "WARN",
	"错误": "ERROR", "严重": "CRIT", "严重错误": "CRIT", "致命": "FATAL", "致命错误": "FATAL",
	"WARNING": "WARN", "WRN": "WARN", "ERR": "ERROR", "CRITICAL": "CRIT", "EMERGENCY": "EMERG", "FTL": "FATAL",
}

// SameLevel tells whether two names are spellings of one level: warn and WARNING are, and 40,
// which some programs log in its place.
func SameLevel(a, b string) bool {
	a, b = levelName(a), levelName(b)
	return cmp.Or(otherNames[a], a) == cmp.Or(otherNames[b], b)
}

// numericLevels are those of programs that log a number in JSON.
var numericLevels = map[string]string{"10": "TRACE", "20": "DEBUG", "30": "INFO", "40": "WARN", "50": "ERROR", "60": "FATAL"}

// syslogLevels are the severities of a syslog priority, by its lowest three bits.
var syslogLevels = [8]string{"EMERG", "ALERT", "CRIT", "ERR", "WARNING", "NOTICE", "INFO", "DEBUG"}

// levelName gives the one spelling in which a level is reported: upper case.
func levelName(s string) string {
	if n, ok := numericLevels[s]; ok {
		return n
	}
	return strings.ToUpper(s)
}

// levelToken reads a word of a log line as a level if it is clearly meant as one: in upper case,
// or bracketed, or followed by a colon or a bar.
func levelToken(tok string) (string, bool) {
	bare := strings.Trim(tok, "[]<>()|:,【】：，")
	if Severity(bare) == 0 {
		return "", false
	}
	if bare != tok || bare == strings.ToUpper(bare) {
		return strings.ToUpper(bare), true
	}
	return "", false
}
