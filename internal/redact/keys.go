package redact

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A form is how a service writes its keys: how they begin, which letters follow and how many. The forms are
// those that the services document, with a margin in length.
type form struct {
	start string
	of    *letters
	least int                    // letters that follow
	most  int                    // 0: any number
	sure  func(rest string) bool // judges what follows; nil: a digit is in it
}

// letters are the bytes of which a key is written.
type letters [256]bool

const alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

var (
	hexes   = lettersOf("0123456789abcdefABCDEF")
	uppers  = lettersOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	alnums  = lettersOf(alnum)
	dashed  = lettersOf(alnum + "-_")
	dotted  = lettersOf(alnum + "-_.")
	base64s = lettersOf(alnum + "+/=-_")
)

func lettersOf(all string) *letters {
	var l letters
	for _, c := range []byte(all) {
		l[c] = true
	}
	return &l
}

var formList = []form{
	// models
	{start: "sk-", of: dashed, least: 16, sure: drawn}, // OpenAI, Anthropic, OpenRouter, DeepSeek
	{start: "AIza", of: dashed, least: 30},             // Google
	{start: "hf_", of: alnums, least: 30},
	{start: "api_org_", of: alnums, least: 30},
	{start: "gsk_", of: alnums, least: 40},
	{start: "xai-", of: alnums, least: 40},
	{start: "pplx-", of: alnums, least: 40},
	{start: "tvly-", of: dashed, least: 20},
	{start: "r8_", of: alnums, least: 30},
	{start: "fw_", of: alnums, least: 22},
	{start: "nvapi-", of: dashed, least: 40},
	{start: "pcsk_", of: dashed, least: 40},
	{start: "fc-", of: hexes, least: 32, most: 32},
	{start: "jina_", of: alnums, least: 40},
	{start: "e2b_", of: alnums, least: 32},
	{start: "bce-v3/ALTAK-", of: base64s, least: 40},
	{start: "lsv2_", of: dashed, least: 35},
	// clouds
	{start: "AKIA", of: uppers, least: 16, most: 16},
	{start: "ASIA", of: uppers, least: 16, most: 16},
	{start: "LTAI", of: alnums, least: 16, most: 26},
	{start: "AKID", of: alnums, least: 32},
	{start: "ya29.", of: dotted, least: 20},
	{start: "1//0", of: dashed, least: 40},
	{start: "GOCSPX-", of: dashed, least: 20},
	{start: "dop_v1_", of: hexes, least: 64},
	{start: "doo_v1_", of: hexes, least: 64},
	{start: "dor_v1_", of: hexes, least: 64},
	{start: "HRKU-", of: dashed, least: 36},
	{start: "fm2_", of: base64s, least: 40},
	{start: "rnd_", of: alnums, least: 28},
	{start: "nfp_", of: alnums, least: 36},
	{start: "sbp_", of: hexes, least: 40},
	{start: "sb_secret_", of: dashed, least: 20},
	{start: "pscale_pw_", of: dashed, least: 30},
	{start: "pscale_tkn_", of: dashed, least: 30},
	{start: "pscale_oauth_", of: dashed, least: 30},
	{start: "vercel_blob_rw_", of: dashed, least: 30},
	{start: "pul-", of: hexes, least: 40, most: 40},
	{start: "sha256~", of: dashed, least: 43, most: 43}, // OpenShift
	{start: "AQVN", of: dashed, least: 35},
	{start: "dapi", of: hexes, least: 32},
	{start: "tskey-", of: dashed, least: 20},
	{start: "SWMTKN-1-", of: dashed, least: 50},
	{start: "dt0c01.", of: dotted, least: 80},
	// code and packages
	{start: "ghp_", of: alnums, least: 30},
	{start: "gho_", of: alnums, least: 30},
	{start: "ghu_", of: alnums, least: 30},
	{start: "ghs_", of: alnums, least: 30},
	{start: "ghr_", of: alnums, least: 30},
	{start: "github_pat_", of: dashed, least: 40},
	{start: "glpat-", of: dotted, least: 18},
	{start: "gldt-", of: dashed, least: 18},
	{start: "glrt-", of: dashed, least: 18},
	{start: "glptt-", of: dashed, least: 18},
	{start: "glcbt-", of: dashed, least: 18},
	{start: "glsoat-", of: dashed, least: 18},
	{start: "glft-", of: dashed, least: 18},
	{start: "glagent-", of: dashed, least: 30},
	{start: "ATBB", of: alnums, least: 32},
	{start: "ATATT3", of: base64s, least: 50},
	{start: "ATCTT3", of: base64s, least: 50},
	{start: "npm_", of: alnums, least: 36, most: 36},
	{start: "pypi-", of: dashed, least: 50},
	{start: "rubygems_", of: hexes, least: 48},
	{start: "cio", of: alnums, least: 32, most: 32}, // crates.io
	{start: "oy2", of: alnums, least: 43, most: 43}, // NuGet
	{start: "AKCp", of: alnums, least: 60},          // Artifactory
	{start: "dckr_pat_", of: dashed, least: 20},
	{start: "dckr_oat_", of: dashed, least: 20},
	{start: "CCIPAT_", of: dashed, least: 40},
	{start: "CCIPRJ_", of: dashed, least: 40},
	{start: "bkua_", of: hexes, least: 40},
	{start: "sgp_", of: dashed, least: 40},
	{start: "sntrys_", of: base64s, least: 60},
	{start: "sntryu_", of: hexes, least: 64},
	{start: "glsa_", of: dashed, least: 41},
	{start: "glc_", of: base64s, least: 40},
	{start: "NRAK-", of: uppers, least: 27},
	{start: "PMAK-", of: dashed, least: 59},
	{start: "hvs.", of: dashed, least: 24},
	{start: "hvb.", of: dashed, least: 24},
	{start: "dp.pt.", of: alnums, least: 40},
	{start: "dp.st.", of: dotted, least: 40},
	{start: "dp.sa.", of: alnums, least: 40},
	{start: "ops_eyJ", of: base64s, least: 100},
	{start: "AGE-SECRET-KEY-1", of: uppers, least: 50},
	// chats, mail, money, work
	{start: "xapp-", of: dashed, least: 16},
	{start: "xoxe.xox", of: dashed, least: 16},
	{start: "xoxa-", of: dashed, least: 16},
	{start: "xoxb-", of: dashed, least: 16},
	{start: "xoxc-", of: dashed, least: 16},
	{start: "xoxd-", of: base64s, least: 16},
	{start: "xoxe-", of: dashed, least: 16},
	{start: "xoxp-", of: dashed, least: 16},
	{start: "xoxr-", of: dashed, least: 16},
	{start: "xoxs-", of: dashed, least: 16},
	{start: "SEC", of: hexes, least: 64, most: 64}, // DingTalk
	{start: "EAA", of: alnums, least: 60},          // Facebook, Square
	{start: "SK", of: hexes, least: 32, most: 32},  // Twilio
	{start: "SG.", of: dotted, least: 33, sure: inTwo},
	{start: "key-", of: hexes, least: 32, most: 32}, // Mailgun
	{start: "re_", of: dashed, least: 30, most: 40, sure: random},
	{start: "xkeysib-", of: dashed, least: 64},
	{start: "xsmtpsib-", of: dashed, least: 64},
	{start: "sk_live_", of: alnums, least: 16},
	{start: "sk_test_", of: alnums, least: 16},
	{start: "rk_live_", of: alnums, least: 16},
	{start: "rk_test_", of: alnums, least: 16},
	{start: "whsec_", of: base64s, least: 24},
	{start: "sq0csp-", of: dashed, least: 40},
	{start: "sq0atp-", of: dashed, least: 20},
	{start: "shpat_", of: hexes, least: 32, most: 32},
	{start: "shpss_", of: hexes, least: 32, most: 32},
	{start: "shpca_", of: hexes, least: 32, most: 32},
	{start: "shppa_", of: hexes, least: 32, most: 32},
	{start: "FLWSECK-", of: dashed, least: 32},
	{start: "duffel_live_", of: dashed, least: 40},
	{start: "ntn_", of: alnums, least: 40},
	{start: "secret_", of: alnums, least: 43, most: 43}, // Notion
	{start: "lin_api_", of: alnums, least: 32},
	{start: "lin_oauth_", of: alnums, least: 32},
	{start: "figd_", of: dashed, least: 36},
	{start: "pat", of: dotted, least: 79, sure: fits(`^[A-Za-z0-9]{14}\.[0-9a-f]{64}`)}, // Airtable
	{start: "sl.", of: dashed, least: 100},                                              // Dropbox
	{start: "CFPAT-", of: dashed, least: 43},
	{start: "tfp_", of: dashed, least: 40},
	// signed or encrypted web tokens: a header and a payload that begin like JSON objects, or five parts
	{start: "eyJ", of: dotted, least: 28, sure: fits(`^[A-Za-z0-9_-]{8,}\.(?:eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}|[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{12,})`)},
}

// formsBy are the forms by the byte with which they begin, and firsts their first two.
var formsBy, firsts = func() (by [256][]form, two pairs) {
	for _, f := range append(formList, discord()...) {
		by[f.start[0]] = append(by[f.start[0]], f)
		two.add(f.start[0], f.start[1])
	}
	return by, two
}()

// discord gives the forms of its bots' tokens, which begin with their number in base64.
func discord() (all []form) {
	for _, start := range strings.Fields("MD MT Mj Mz ND NT Nj Nz OD OT") {
		all = append(all, form{start: start, of: dotted, least: 56, sure: fits(`^[A-Za-z0-9_-]{20,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}$`)})
	}
	return all
}

func fits(expr string) func(string) bool { return regexp.MustCompile(expr).MatchString }

// inTwo reports whether s is two drawn parts.
func inTwo(s string) bool {
	a, b, ok := strings.Cut(s, ".")
	return ok && len(a) >= run && len(b) >= run && hasDigit(s)
}

// drawn reports whether s is random in one of its parts, or groups of the same length with letters and digits.
// Short parts are the names of things: ed25519, 16gb.
func drawn(s string) bool {
	parts := strings.Split(s, "-")
	return filledIn(s) && hasDigit(s) && (slices.ContainsFunc(parts, isLongAndNotWords) || inGroups(parts))
}

func isLongAndNotWords(part string) bool { return len(part) >= minDrawn && notWords(part) }

// minDrawn is the length of the shortest part of a key that programs draw: the first of a UUID.
const minDrawn = 8

func inGroups(parts []string) bool {
	mixed := 0
	for _, part := range parts {
		if len(part) != len(parts[0]) {
			return false
		}
		if hasDigit(part) && strings.Trim(part, "0123456789") != "" {
			mixed++
		}
	}
	return mixed >= 3
}

// keys takes out what has the form of a service's key.
func keys(s string) string {
	var out []byte
	last := 0
	var read reading
	for i := 0; i+run < len(s); i++ {
		if !firsts.has(s[i], s[i+1]) {
			continue
		}
		if end := read.keyAt(s, i); end > i {
			out = append(append(out, s[last:i]...), Mark...)
			last, i = end, end-1
		}
	}
	if last == 0 {
		return s
	}
	return string(append(out, s[last:]...))
}

// reading is what was found of each form in the row of letters that it began last.
type reading [256][]row

type row struct {
	end   int
	tries int // that were no key
}

// maxTries bounds how often a form may begin in one row of its letters. More would cost the square of a text like
// sk-sk-sk-, and a row whose whole is no key has none at its end.
const maxTries = 2

// keyAt gives the end of the key that begins at i, or i if there is none.
func (r *reading) keyAt(s string, i int) int {
	forms := formsBy[s[i]]
	for n := range forms {
		f := &forms[n]
		if !strings.HasPrefix(s[i:], f.start) || !begins(s, i) {
			continue
		}
		if r[s[i]] == nil {
			r[s[i]] = make([]row, len(forms))
		}
		row := &r[s[i]][n]
		if i >= row.end {
			row.tries = 0
		} else if row.tries >= maxTries {
			continue
		}
		rest, end := f.read(s, i+len(f.start))
		if f.is(rest) {
			return end
		}
		row.end = end
		row.tries++
	}
	return i
}

// is reports whether what follows makes it a key.
func (f *form) is(rest string) bool {
	switch {
	case len(rest) < f.least || f.most > 0 && len(rest) > f.most:
		return false
	case f.sure != nil:
		return f.sure(rest)
	}
	return hasDigit(rest) && filledIn(rest)
}

// read gives the letters that follow, and where they end.
func (f *form) read(s string, i int) (rest string, end int) {
	end = f.of.end(s, i)
	rest = s[i:end]
	for len(rest) < cmp.Or(f.most, maxLines) {
		more, at := f.overLine(s, end)
		if more == "" {
			break
		}
		rest, end = rest+more, at
	}
	return rest, end
}

// maxLines are the bytes after which a key goes on over no further line.
const maxLines = 8 << 10

// end gives where a row of these letters ends that begins at i; a full stop behind it is none of them.
func (l *letters) end(s string, i int) int {
	at := i
	for at < len(s) && l[s[at]] {
		at++
	}
	for at > i && s[at-1] == '.' {
		at--
	}
	return at
}

// overLine gives the part of a key that a narrow window has put on the next line: nothing else is there, and
// it looks drawn.
func (f *form) overLine(s string, i int) (more string, end int) {
	next, ok := strings.CutPrefix(strings.TrimPrefix(s[i:], "\r"), "\n")
	if !ok {
		return "", i
	}
	begin := len(s) - len(strings.TrimLeft(next, " \t>"))
	end = f.of.end(s, begin)
	more = s[begin:end]
	if len(more) < MinLength || !random(more) || keyBegins(more) || end < len(s) && !strings.ContainsRune("\r\n\"'`.,;)", rune(s[end])) {
		return "", i
	}
	return more, end
}

// keyBegins reports whether a line is a key of its own.
func keyBegins(line string) bool {
	for _, f := range formsBy[line[0]] {
		if len(f.start) > 2 && strings.HasPrefix(line, f.start) {
			return true
		}
	}
	return false
}

// begins reports whether a word may begin at i: behind no letter, digit or underscore, unless that is the end of
// an escape in a string, an address or a terminal's colours.
func begins(s string, i int) bool {
	if i == 0 || !alnums[s[i-1]] && s[i-1] != '_' {
		return true
	}
	before := s[max(0, i-8):i]
	return strings.HasSuffix(before, `\n`) || strings.HasSuffix(before, `\t`) || strings.HasSuffix(before, `\r`) || escapeEnds.MatchString(before)
}

var escapeEnds = regexp.MustCompile(`%[0-9A-Fa-f]{2}$|\\u[0-9a-fA-F]{4}$|\x1b\[[0-9;]*m$`)
